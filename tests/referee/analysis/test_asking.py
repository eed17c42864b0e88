"""Questions about positions, as whoever judges a deal asks them."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

import pytest

from referee.analysis import engine as engine_module
from referee.analysis.engine import NoAnalysis, engine_of_thread, is_analysis_available
from referee.analysis.position import BadPosition, KnownPosition, parse_hands
from referee.analysis.questions import (
    CardPrices,
    can_make_points,
    card_prices_or_none,
    points_left,
    position_value_or_none,
    strength_of_rest_claim_or_none,
)
from referee.rules.cards import CARD, OROS, TOKENS, mask_of_tokens
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from tests.support.analysis.deals import known_arrastre
from tests.support.analysis.marks import NEEDS_ENGINE

FOUR = Options()
TWO = Options(players=2)


def four(a1: str, b1: str, a2: str, b2: str, *laid: str, leader: str = "A1", **more: object):
    hands = parse_hands(FOUR, {"A1": a1, "B1": b1, "A2": a2, "B2": b2})
    return KnownPosition(FOUR, OROS, leader, hands, tuple(CARD[t] for t in laid), **more)


def two(a1: str, b1: str, leader: str = "A1", options: Options = TWO, **more: object):
    return KnownPosition(options, OROS, leader, parse_hands(options, {"A1": a1, "B1": b1}), **more)


def by_token(found: CardPrices | None) -> dict[str, int]:
    assert found is not None
    return {TOKENS[card]: points for card, points in found.values.items()}


@NEEDS_ENGINE
def test_a_card_that_gives_a_trick_away_costs_its_points() -> None:
    known = four("AC 2C", "3C 4C", "5C 2E", "6C 4E")
    found = card_prices_or_none(known)
    assert by_token(found) == {"AC": 11, "2C": 0}
    assert found.best_value == 11 == position_value_or_none(known)
    assert [TOKENS[card] for card in found.best_cards] == ["AC"]
    assert found.cost(CARD["2C"]) == 11


@NEEDS_ENGINE
def test_an_unlawful_card_has_a_price_too_and_may_gain() -> None:
    known = four("4C", "3E 2C", "4E 5C", "6E 7C", "AE", leader="A1")
    found = card_prices_or_none(known)
    assert [TOKENS[card] for card in found.values if found.is_lawful(card)] == ["3E"]
    assert by_token(found) == {"3E": 10, "2C": 20}
    assert found.cost(CARD["2C"]) == -10


@NEEDS_ENGINE
def test_the_values_of_both_sides_make_up_what_is_left() -> None:
    for number in range(20):
        known = known_arrastre(random.Random(number))
        assert position_value_or_none(known, "A") + position_value_or_none(
            known, "B"
        ) == points_left(known)


@NEEDS_ENGINE
def test_half_of_a_cante_is_given_and_half_is_taken() -> None:
    known = two("RC SC 2E", "4E 5E 6E", sung_now=(0, 0))
    assert (
        position_value_or_none(known)
        - position_value_or_none(known.position_without_cante_or_swap())
        == 10
    )
    assert position_value_or_none(replace(known, leader="B1"), "A") == position_value_or_none(
        replace(known.position_without_cante_or_swap(), leader="B1"), "A"
    )


@NEEDS_ENGINE
def test_where_a_limit_leaves_a_cante_out_the_better_one_is_sung() -> None:
    known = two("RO SO RC SC", "AC 3C AO 3O", sung_now=(0, 0))
    assert (
        position_value_or_none(known)
        == position_value_or_none(known.position_without_cante_or_swap()) + 20
    )
    assert position_value_or_none(replace(known, sung_now=(1, 0))) == position_value_or_none(
        known.position_without_cante_or_swap()
    )


@NEEDS_ENGINE
def test_a_swap_is_made_only_where_it_pays() -> None:
    stock = (CARD["2B"], CARD["AO"])
    known = two("7O 2C", "4C 5C", stock=stock)
    swapping = replace(known, swap=("A1", CARD["7O"]))
    assert position_value_or_none(swapping) >= position_value_or_none(known)
    to_partner = two("4C 5C", "7O 2C", stock=stock, swap=("B1", CARD["7O"]))
    assert position_value_or_none(to_partner) <= position_value_or_none(
        replace(to_partner, swap=None)
    )


@NEEDS_ENGINE
def test_what_can_be_reached_counts_cantes_whole() -> None:
    known = two("RO SO AO", "2C 4C 5C", sung_now=(0, 0))
    makes = 4 + 3 + 11 + 10 + 40
    assert can_make_points(known, "A", makes) is True
    assert can_make_points(known, "A", makes + 1) is False
    assert can_make_points(known, "B", 1) is False


@NEEDS_ENGINE
@pytest.mark.parametrize(
    "position, strength",
    [
        (two("AO 3O RO", "AC 3C RC"), "any_order"),
        (two("AC AO", "3C 2O"), "any_order"),
        (two("AC 2C", "3C 4C"), "fails"),
        (two("AC AO 2C", "3C 4O 2E"), "any_partner"),
        (four("AO 3O", "2C 4C", "AC 3C", "2E 4E"), "any_order"),
        (four("AO 2C", "4C RC", "AC 5C", "2E 4E"), "any_partner"),
        (four("AC 4E", "3C 5E", "AE 2E", "4C 6E", leader="A2"), "best_play"),
    ],
)
def test_a_claim_of_the_rest_is_as_strong_as_the_cards(position, strength) -> None:
    assert strength_of_rest_claim_or_none(position, "A1") == strength


@NEEDS_ENGINE
def test_too_few_nodes_give_no_answer_instead_of_a_wrong_one() -> None:
    known = known_arrastre(random.Random(1))
    assert position_value_or_none(known, most_nodes=10) is None
    assert card_prices_or_none(known, most_nodes=10) is None
    assert strength_of_rest_claim_or_none(known, "A1", most_nodes=0) is None
    assert position_value_or_none(known) is not None


@NEEDS_ENGINE
def test_a_question_has_one_answer_and_one_count_of_nodes() -> None:
    known = known_arrastre(random.Random(2))
    first = card_prices_or_none(known)
    position_value_or_none(known_arrastre(random.Random(3)))
    assert card_prices_or_none(known) == first


@NEEDS_ENGINE
def test_each_thread_has_an_engine_of_its_own() -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(engine_of_thread()))
    thread.start()
    thread.join()
    assert found[0] is not engine_of_thread()
    assert engine_of_thread() is engine_of_thread()


@NEEDS_ENGINE
def test_an_arrastre_takes_twelve_thousand_nodes_at_most_on_average() -> None:
    nodes = [
        card_prices_or_none(known_arrastre(random.Random(f"nodes {n}"))).nodes for n in range(400)
    ]
    assert sum(nodes) / len(nodes) <= 12_000


def test_a_platform_without_the_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "wasmtime", None)
    monkeypatch.setattr(engine_module, "_of_thread", engine_module._OfThread())
    engine_module._compile_wasm_module.cache_clear()
    try:
        assert not is_analysis_available()
        with pytest.raises(NoAnalysis):
            position_value_or_none(two("AO", "2O"))
    finally:
        engine_module._compile_wasm_module.cache_clear()


@pytest.mark.parametrize(
    "wrong, said",
    [
        (lambda: two("AO 2O", "AO 4C"), "in two places: AO"),
        (lambda: two("AO", "2O 4C"), "as many cards"),
        (lambda: two("", ""), "one at least"),
        (lambda: two("AO", "2O", leader="A2"), "one of them leads"),
        (lambda: two("AO", "2O", stock=(CARD["3O"],)), "equally often"),
        (lambda: two("AO", "2O", swap=("A1", CARD["AO"])), "a swap takes the pinta"),
        (lambda: two("2O", "4C", laid=(CARD["3O"], CARD["AC"])), "a trick is open"),
    ],
)
def test_cards_that_cannot_lie_so_are_refused(wrong, said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        wrong()


def test_a_position_says_whose_turn_it_is() -> None:
    known = four("2C", "3C 4C", "5C 2E", "6C 4E", "AC")
    assert (known.seat_to_play, known.side_to_play, known.plays_of_open_trick) == (
        "B1",
        "B",
        (("A1", CARD["AC"]),),
    )
    assert known.hand_of_seat("B1") == mask_of_tokens(["3C", "4C"])
    assert SEATS[4].index(known.seat_to_play) == 1
