"""Half records: tricks by their takers before arrastre, by their cards in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import CardPlayed, ClaimMade, CountEntered, RenuncioDenounced
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.table.accusations import renuncios_to_ask
from referee.table.counts import (
    assess_claim,
    partida_totals,
    total_spans,
    total_spans_if_uncounted_tricks,
)
from tests.support.records.table_text import (
    CLUB,
    Said,
    Scene,
    dealt,
    given,
    plays,
    rest_of_deck,
    tricks,
)

SWEPT = plays(
    "A1 AC, B1 5C, A2 6C, B2 7C, A1 3C, B1 CC, A2 SC, B2 RC,"
    "A1 AE, B1 5E, A2 6E, B2 7E, A1 3E, B1 CE, A2 SE, B2 RE,"
    "A1 AB, B1 5B, A2 6B, B2 7B, A1 3B, B1 CB, A2 SB, B2 RB"
)
"""Arrastre: A1 takes every trick, 30 points of each suit but that of the pinta."""
SHARED = plays(
    "A1 AC, B1 5C, A2 6C, B2 7C, A1 3C, B1 CC, A2 SC, B2 RC,"
    "A1 5E, B1 AE, A2 6E, B2 7E, B1 3E, A2 SE, B2 RE, A1 CE,"
    "B1 5B, A2 AB, B2 6B, A1 7B, A2 3B, B2 CB, A1 SB, B1 RB"
)
"""Arrastre: 60 of cards for A and the last trick, 30 for B."""


def half(takers: str, *arrastre: Said) -> Scene:
    """A first deal whose tricks before arrastre were taken so."""
    return given(CLUB, dealt("7E"), tricks(takers), *arrastre)


def test_tricks_of_one_side_are_worth_what_all_other_cards_leave_and_the_deal_counts_itself():
    scene = half("A1, A2, A1, A1", SWEPT).then("A", "first_deal", A=130, B=0)
    items = [(item.side, item.reason, item.points) for item in scene.state.stated[0].items]
    assert items[0] == ("A", "cards", 30)
    assert len(items) == 8


def test_tricks_that_are_worth_nothing_are_no_item():
    hidden = plays("A1 AO, B1 5O, A2 6O, B2 7O, A1 3O, B1 CO, A2 SO, B2 RO")
    blank = given(CLUB, dealt("7E"), tricks("A1, A1"), hidden, SWEPT)
    assert total_spans(blank.table) == {"A": (130, 130), "B": (0, 0)}
    assert all(item.points for item in blank.state.stated[0].items)


def test_tricks_of_both_sides_wait_for_the_totals_called():
    scene = half("A1, B1, B2, A1", SHARED).undecided()
    assert not scene.table.deal.is_counted
    assert partida_totals(scene.table) == {"A": 70, "B": 30}
    assert total_spans_if_uncounted_tricks(scene.table) == {"A": (70, 100), "B": (30, 60)}
    assert total_spans_if_uncounted_tricks(given(CLUB, dealt("7E"), tricks("A1, B1")).table) == {}
    scene.tell(CountEntered({"A": 85, "B": 45})).finds_not().in_vueltas()
    assert total_spans(scene.table) == {"A": (85, 85), "B": (45, 45)}


def test_a_total_that_the_cards_do_not_leave_possible_is_a_finding():
    scene = half("A1, B1, B2, A1", SHARED).tell(CountEntered({"A": 65, "B": 65}))
    found = {
        dict(finding.facts)["side"]: dict(finding.facts)["counted"]
        for finding in scene.table.findings
        if finding.rule == Rule.COUNT_DIFFERS
    }
    assert found == {"A": "70–100", "B": "30–60"}
    scene.in_vueltas().counted(1, A=65, B=65)


def vueltas() -> Scene:
    return half("A1, B1, B2, A1", SHARED, CountEntered({"A": 85, "B": 45}))


def test_what_was_called_stands_for_the_first_deal_and_a_claim_of_the_second_is_counted_on():
    scene = vueltas().tell(dealt("4C", dealer="A2"), plays("B2 AO, A1 2O, B1 4O, A2 5O"))
    assert partida_totals(scene.table) == {"A": 85, "B": 56}
    scene.tell(ClaimMade("B2")).then("A", "false_claim", A=85, B=56)


def test_a_claim_over_tricks_that_nobody_counted_has_bounds_and_waits_for_the_count():
    scene = vueltas().tell(dealt("4C", dealer="A2"), tricks("A1, A1"), ClaimMade("A1")).undecided()
    read = assess_claim(scene.table)
    assert (read.answer, read.lower, read.upper) == ("undecidable", 85, 169)
    assert read.tricks == ((2, 1), (2, 2))
    scene.tell(CountEntered({"A": 101, "B": 45})).judged("A1", 101, reached=True)
    scene.then("A", "claim", A=101, B=45)


ACCUSED = RenuncioDenounced("A1", "B1")


@pytest.mark.parametrize("takers", ["A1, A1, A1, A1", "A1, B1, A1, A1"])
def test_where_every_card_of_arrastre_is_there_an_accusation_may_be_unfounded(takers):
    half(takers, SWEPT[:20], ACCUSED, SWEPT[20:]).finds(Rule.ACCUSATION_UNFOUNDED)


def test_where_a_card_of_arrastre_is_not_there_no_accusation_is_unfounded():
    scene = half("A1, A1, A1, A1", SWEPT[:20], ACCUSED, tricks("A1"))
    scene.then("A", "first_deal", A=130, B=0).finds_not(Rule.ACCUSATION_UNFOUNDED)


ASKING = replace(CLUB, renuncio_costs="when_proved")
KEPT = "A1 AE, B1 {}, A2 6E, B2 7E, A1 3E, B1 CE, A2 SE, B2 RE, A1 AB, B1 2E"
"""B1 lays another suit on espadas, and has two of them left."""
OROS, BASTOS = plays(KEPT.format("6O")), plays(KEPT.format("5B"))


@pytest.mark.parametrize("then", [[], tricks("A1")])
def test_of_a_renuncio_in_arrastre_the_arbiter_is_asked_whatever_is_hidden_before_or_after(then):
    before = [*dealt("7E"), *tricks("A1, B1, B2, A1"), *SWEPT[:8]]
    scene = given(ASKING, before, OROS, plays("A2 6B, B2 7B"), then)
    assert [(one.seat, one.rule) for one in renuncios_to_ask(scene.table)] == [("B1", Rule.FOLLOW)]


def test_a_slip_may_explain_it_and_a_trick_without_cards_in_between_forbids_to_say():
    before = [*dealt("7E"), *tricks("A1, B1, B2, A1"), *SWEPT[:8]]
    assert not renuncios_to_ask(given(ASKING, before, BASTOS).table)  # for the cinco of espadas
    apart = given(ASKING, before, OROS[:4], tricks("A1"), OROS[4:])
    assert not renuncios_to_ask(apart.table)


def test_the_rest_of_a_deal_entered_by_its_taker_counts_as_what_is_left():
    options = replace(CLUB, target=131)
    scene = given(options, dealt("7E"), tricks("A1, A1, A1, A1"), SHARED[:12], tricks("B1, B1, B1"))
    scene.undecided()  # tricks of both sides
    assert total_spans(scene.table)["B"] == (21, 96)


LEFT_OVER = Options(
    players=3, hand_size=13, three_deck="leftover_on_table", deal_packets="one_by_one",
    pinta_from="leftover_card", duties_from="first_trick", swap=False,
)  # fmt: skip


def test_the_card_left_over_belongs_to_the_last_trick_also_where_nobody_saw_it():
    unseen = "AC AE AB 3C 3E 3B"
    scene = given(LEFT_OVER, dealt("AO", dealer="C1"))
    for card in rest_of_deck("AO", unseen):
        scene.tell(CardPlayed(scene.table.deal.turn, card))
    known = partida_totals(scene.table)
    spans = total_spans(scene.tell(tricks("B1, A1")).undecided().table)
    assert spans["B"] == (known["B"] + 30, known["B"] + 33)
    assert spans["A"] == (known["A"] + 10 + 11 + 30, known["A"] + 10 + 11 + 33)
