"""Draws for players, partners and dealer: by kings, by the highest card, by suit, from a seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import Refused
from referee.rules.articles import Rule
from referee.rules.cards import CARD, DECK_40, DECK_48, TOKENS, cards_in
from referee.rules.chance import random_below
from referee.rules.draw import (
    SeatDraw,
    SeatDrawOutcome,
    SeatDrawRule,
    UnfinishedSeatDraw,
    draw_seats_by_program,
    outcome_a_la_mas_alta,
    outcome_a_reyes,
    outcome_por_palo,
    shuffle_deck_by_seed,
)
from referee.rules.profile.options import Options

FOUR = ("Ana", "Blas", "Celia", "Diego")
SIX = (*FOUR, "Elsa", "Fran")
LEVEL_SEED = "2"


def fallen(text: str) -> list[tuple[str, int]]:
    """``Ana 2O, Blas RC``."""
    return [(name, CARD[card]) for name, card in (one.split() for one in text.split(","))]


def draw(purpose: str, candidates=FOUR, **options) -> SeatDraw:
    return SeatDraw(tuple(candidates), purpose, Options(**options))


@pytest.mark.rule(Rule.A_REYES)
def test_the_first_two_kings_are_partners_and_the_first_deals():
    cards = fallen("Ana 2O, Blas RC, Celia 5E, Diego AB, Ana 4E, Celia RE")
    found = outcome_a_reyes(draw("partners"), cards)
    assert isinstance(found, SeatDrawOutcome)
    assert found.outcome_for_log == {
        "dealer": "Blas",
        "A1": "Blas",
        "B1": "Ana",
        "A2": "Celia",
        "B2": "Diego",
    }
    assert found.may_choose is False


def test_who_holds_a_king_is_skipped():
    cards = fallen("Ana RO, Blas 2C, Celia 5E, Diego AB, Ana 4E")
    with pytest.raises(Refused) as error:
        outcome_a_reyes(draw("partners"), cards)
    assert error.value.rule == "not-next"
    assert error.value.facts == {"index": 4, "expected": "Blas", "given": "Ana"}


def test_a_draw_that_cannot_be_shows_its_code_and_the_facts():
    error = Refused(SeatDrawRule.NOT_NEXT, index=4, given="Ana")
    assert error.args == ("not-next", {"index": 4, "given": "Ana"})
    assert (error.rule, error.facts) == error.args


def test_with_more_candidates_the_four_kings_play():
    text = "Ana 2O, Blas RC, Celia 5E, Diego AB, Elsa RO, Fran 2B, Ana RE, Celia 3C, Diego RB"
    found = outcome_a_reyes(draw("players", SIX), fallen(text))
    assert isinstance(found, SeatDrawOutcome)
    assert found.dealer == "Blas"
    assert dict(found.seats) == {"A1": "Blas", "B1": "Ana", "A2": "Elsa", "B2": "Diego"}


def test_one_king_makes_the_dealer():
    found = outcome_a_reyes(draw("dealer"), fallen("Ana 2O, Blas RC"))
    assert found == SeatDrawOutcome("Blas", (), may_choose=False)
    assert found.outcome_for_log == {"dealer": "Blas"}


def test_kings_draw_for_players_for_partners_and_for_the_dealer():
    cards = fallen("Ana 2O, Blas RC, Celia 5E, Diego AB, Ana RE, Celia RO, Diego RB")
    assert outcome_a_reyes(draw("dealer"), cards[:2]) == SeatDrawOutcome(
        "Blas", (), may_choose=False
    )
    partners = outcome_a_reyes(draw("partners"), cards[:5])
    assert isinstance(partners, SeatDrawOutcome)
    assert (partners.dealer, dict(partners.seats)["A2"]) == ("Blas", "Ana")
    five = fallen("Ana 2O, Blas RC, Celia 5E, Diego AB, Elsa 4B, Ana RE, Celia RO, Diego RB")
    players = outcome_a_reyes(draw("players", SIX[:5]), five)
    assert isinstance(players, SeatDrawOutcome)
    assert {name for _, name in players.seats} == {"Ana", "Blas", "Celia", "Diego"}


def test_a_draw_that_is_not_over_says_who_is_next():
    assert outcome_a_reyes(draw("dealer"), fallen("Ana 2O")) == UnfinishedSeatDraw(("Blas",))
    assert outcome_a_la_mas_alta(draw("dealer"), fallen("Ana 2O, Celia AO")) == UnfinishedSeatDraw(
        ("Blas", "Diego")
    )
    assert outcome_por_palo(draw("dealer"), []) == UnfinishedSeatDraw(FOUR)


@pytest.mark.rule(Rule.A_LA_MAS_ALTA)
def test_the_two_highest_play_the_two_next_and_the_highest_chooses():
    found = outcome_a_la_mas_alta(draw("partners"), fallen("Diego 2O, Ana RC, Blas AE, Celia 5B"))
    assert isinstance(found, SeatDrawOutcome)
    assert found.dealer == "Blas"
    assert dict(found.seats) == {"A1": "Blas", "B1": "Celia", "A2": "Ana", "B2": "Diego"}
    assert found.may_choose is True


@pytest.mark.parametrize(
    ("order", "dealer"), [("sota_over_caballo", "Ana"), ("caballo_over_sota", "Blas")]
)
def test_highest_is_by_the_rank_of_the_profile(order, dealer):
    cards = fallen("Ana SO, Blas CO, Celia 2O, Diego 4O")
    found = outcome_a_la_mas_alta(draw("dealer", sota_caballo=order), cards)
    assert isinstance(found, SeatDrawOutcome)
    assert found.dealer == dealer


def test_a_tie_for_partner_is_drawn_again_by_all():
    cards = fallen("Ana AO, Blas 3C, Celia 3E, Diego 2B")
    assert outcome_a_la_mas_alta(draw("partners"), cards) == UnfinishedSeatDraw(FOUR, 2)
    again = [*cards, *fallen("Ana 4O, Blas 5C, Celia 6E, Diego 7B")]
    found = outcome_a_la_mas_alta(draw("partners"), again)
    assert isinstance(found, SeatDrawOutcome)
    assert dict(found.seats) == {"A1": "Diego", "B1": "Ana", "A2": "Celia", "B2": "Blas"}


def test_a_tie_that_leaves_the_pairs_alone_is_drawn_by_the_tied_only():
    cards = fallen("Ana AO, Blas AC, Celia 4E, Diego 2B")
    assert outcome_a_la_mas_alta(draw("partners"), cards) == UnfinishedSeatDraw(("Ana", "Blas"), 2)
    found = outcome_a_la_mas_alta(draw("partners"), [*cards, *fallen("Ana 2O, Blas 4C")])
    assert isinstance(found, SeatDrawOutcome)
    assert (found.dealer, dict(found.seats)["A2"]) == ("Blas", "Ana")


def test_for_the_dealer_only_the_tied_draw_again_even_lower():
    cards = fallen("Ana AO, Blas AC, Celia 3E, Diego 2B, Ana 2O, Blas 2C, Ana 5O, Blas 4C")
    assert outcome_a_la_mas_alta(draw("dealer"), cards) == SeatDrawOutcome("Ana")


@pytest.mark.rule(Rule.POR_PALO)
@pytest.mark.parametrize(
    ("card", "anticlockwise", "clockwise"),
    [
        ("2O", "Celia", "Ana"),
        ("2C", "Diego", "Diego"),
        ("2E", "Ana", "Celia"),
        ("2B", "Blas", "Blas"),
    ],
)
def test_the_suit_is_counted_from_the_cutters_right(card, anticlockwise, clockwise):
    cards = fallen(f"Blas {card}")
    assert outcome_por_palo(draw("dealer"), cards) == SeatDrawOutcome(anticlockwise)
    assert outcome_por_palo(draw("dealer", direction="clockwise"), cards) == SeatDrawOutcome(
        clockwise
    )


ALL_FOUR = "Ana AO, Blas 2O, Celia 4O, Diego 5O"
IMPOSSIBLE = [
    (outcome_a_reyes, "dealer", "Ana RO, Blas 2O", "draw-over", {"index": 1}),
    (outcome_a_reyes, "dealer", "Ana 2O, Blas 2O", "card-twice", {"card": "2O"}),
    (outcome_a_reyes, "dealer", "Ana 9O", "card-not-in-deck", {"card": "9O"}),
    (
        outcome_a_la_mas_alta,
        "dealer",
        "Ana AO, Ana 3O",
        "not-next",
        {"given": "Ana", "expected": ["Blas", "Celia", "Diego"]},
    ),
    (
        outcome_a_la_mas_alta,
        "dealer",
        "Eva AO",
        "candidate-unknown",
        {"given": "Eva", "expected": [*FOUR]},
    ),
    (outcome_a_la_mas_alta, "dealer", "Ana AO, Blas AO", "card-twice", {"card": "AO"}),
    (outcome_a_la_mas_alta, "dealer", "Ana 8B", "card-not-in-deck", {"card": "8B"}),
    (outcome_a_la_mas_alta, "dealer", f"{ALL_FOUR}, Ana 6O", "draw-over", {"index": 4}),
    (outcome_a_la_mas_alta, "dealer", f"{ALL_FOUR}, Ana 6O, Blas 7O", "draw-over", {"index": 4}),
    (outcome_por_palo, "dealer", "Ana AO, Blas 2O", "draw-over", {"index": 1}),
    (outcome_por_palo, "dealer", "Ana 9O", "card-not-in-deck", {"card": "9O"}),
    (outcome_por_palo, "dealer", "Eva AO", "candidate-unknown", {"given": "Eva"}),
    (outcome_por_palo, "partners", "Ana AO", "purpose-unfit", {"purpose": "partners"}),
]


@pytest.mark.parametrize(("method", "purpose", "cards", "code", "facts"), IMPOSSIBLE)
def test_cards_that_cannot_have_fallen_so_are_named(method, purpose, cards, code, facts):
    with pytest.raises(Refused) as error:
        method(draw(purpose), fallen(cards))
    assert (error.value.rule, error.value.facts) == (code, facts)


TIES = [
    ("players", SIX, 4, "AO 3O RO SO CO 7O", None),
    ("players", SIX, 4, "AO 3O RO RC CO 7O", None),
    ("players", SIX, 4, "AO 3O RO SO CO CC", None),
    ("players", SIX, 4, "AO 3O RO SO SC 7O", SIX),
    ("players", SIX, 4, "AO 3O 3C SO CO 7O", SIX),
    ("players", SIX, 4, "AO AC RO SO CO 7O", ("Ana", "Blas")),
    ("players", SIX[:5], 4, "AO 3O RO SO SC", SIX[:5]),
    ("players", SIX[:5], 4, "AO 3O RO RC CO", None),
    ("players", SIX[:5], 4, "AO AC RO SO CO", ("Ana", "Blas")),
    ("players", SIX, 3, "AO 3O 3C SO CO 7O", None),
    ("players", SIX, 3, "AO 3O RO RC CO 7O", SIX),
    ("partners", FOUR, 4, "AO 3O RO RC", None),
    ("partners", FOUR, 4, "AO AC AE RC", FOUR),
    ("dealer", FOUR, 4, "AO 3C 3E 2B", None),
    ("dealer", FOUR, 4, "AO AC AE 2B", ("Ana", "Blas", "Celia")),
]


@pytest.mark.parametrize(("purpose", "candidates", "players", "cards", "again"), TIES)
def test_a_tie_matters_where_it_leaves_open_who_plays_or_with_whom(
    purpose, candidates, players, cards, again
):
    fell = list(zip(candidates, (CARD[card] for card in cards.split()), strict=True))
    found = outcome_a_la_mas_alta(draw(purpose, candidates, players=players), fell)
    if again is None:
        assert isinstance(found, SeatDrawOutcome)
        assert found.dealer == "Ana"
    else:
        assert found == UnfinishedSeatDraw(again, 2)


def test_who_has_a_king_is_passed_over_to_the_next_without_one():
    two = draw("players", FOUR[:3], players=2)
    cards = fallen("Ana RO, Blas 2C, Celia 5E")
    assert outcome_a_reyes(two, cards) == UnfinishedSeatDraw(("Blas",))
    assert outcome_a_reyes(two, [*cards, *fallen("Blas RC")]) == SeatDrawOutcome(
        "Ana", (("A1", "Ana"), ("B1", "Blas")), may_choose=False
    )


ANA_TWICE = ("Ana", "Ana", "Blas", "Celia")


@pytest.mark.parametrize(
    ("purpose", "candidates", "code", "facts"),
    [
        ("partners", SIX, "candidates-do-not-fit", {"candidates": 6, "seats": 4}),
        ("players", FOUR, "candidates-do-not-fit", {"candidates": 4, "seats": 4}),
        ("dealer", FOUR[:3], "candidates-do-not-fit", {"candidates": 3, "seats": 4}),
        ("dealer", ANA_TWICE, "candidate-twice", {"candidates": ANA_TWICE}),
    ],
)
def test_candidates_fit_the_purpose(purpose, candidates, code, facts):
    with pytest.raises(Refused) as error:
        draw(purpose, candidates)
    assert error.value.rule == code
    assert error.value.facts == facts


@pytest.mark.parametrize(("players", "deck", "most"), [(4, 40, 40), (4, 48, 48), (2, 40, 40)])
def test_there_may_be_as_many_candidates_as_cards(players, deck, most):
    names = [str(number) for number in range(most + 1)]
    values = {"players": players, "deck": deck}
    assert draw("players", names[:most], **values).candidates == tuple(names[:most])
    assert draw("players", names[: players + 1], **values).options.players == players
    for wrong in (names, names[:players]):
        with pytest.raises(Refused) as error:
            draw("players", wrong, **values)
        assert error.value.facts == {"candidates": len(wrong), "seats": players}


@pytest.mark.parametrize(
    ("words", "number"),
    [([0], 0), ([13], 3), ([2**32 - 7], 9), ([2**32 - 6, 14], 4), ([2**32 - 1, 2**32 - 6, 15], 5)],
)
def test_words_that_would_favour_some_numbers_are_passed_over(words, number):
    """Of ten numbers the last six words of 32 bits would give six a better chance."""
    assert random_below(10, iter(words)) == number


def test_two_and_three_draw_for_seats_without_pairs():
    three = draw("players", SIX, players=3)
    found = outcome_a_la_mas_alta(
        three, fallen("Ana 2O, Blas AO, Celia 3O, Diego RO, Elsa 4O, Fran 5O")
    )
    assert isinstance(found, SeatDrawOutcome)
    assert dict(found.seats) == {"A1": "Blas", "B1": "Celia", "C1": "Diego"}


def test_a_shuffle_is_the_same_on_every_machine():
    first = [TOKENS[card] for card in shuffle_deck_by_seed("Calamocha", DECK_40)[:8]]
    assert first == ["4O", "2E", "3C", "3E", *first[4:]]
    assert sorted(shuffle_deck_by_seed("Calamocha", DECK_48)) == cards_in(DECK_48)
    assert shuffle_deck_by_seed("Calamocha", DECK_40) != shuffle_deck_by_seed("calamocha", DECK_40)


def test_each_round_by_the_program_has_the_shuffle_of_its_number():
    """The seed is one with which the first round ends level."""
    found, cards = draw_seats_by_program("a_la_mas_alta", draw("dealer"), LEVEL_SEED)
    tied = len(cards) - len(FOUR)
    fell = [card for _, card in cards]
    assert tied >= 2
    assert fell[:4] == list(shuffle_deck_by_seed(f"{LEVEL_SEED}/1", DECK_40)[:4])
    assert fell[4:] == list(shuffle_deck_by_seed(f"{LEVEL_SEED}/2", DECK_40)[:tied])
    assert found.dealer in {who for who, _ in cards[4:]}


@given(st.text(max_size=20), st.sampled_from(["a_reyes", "a_la_mas_alta", "por_palo"]))
def test_a_draw_by_the_program_can_be_repeated_from_its_cards(seed, method):
    asked = draw("dealer")
    found, cards = draw_seats_by_program(method, asked, seed)
    assert found.dealer in FOUR
    assert draw_seats_by_program(method, asked, seed) == (found, cards)
    again = {
        "a_reyes": outcome_a_reyes,
        "a_la_mas_alta": outcome_a_la_mas_alta,
        "por_palo": outcome_por_palo,
    }[method]
    assert again(asked, cards) == found


@given(st.text(max_size=20), st.sampled_from(["a_reyes", "a_la_mas_alta"]))
def test_partners_drawn_by_the_program_are_the_four(seed, method):
    found, _ = draw_seats_by_program(method, draw("partners"), seed)
    assert sorted(dict(found.seats).values()) == sorted(FOUR)
    assert dict(found.seats)["A1"] == found.dealer
