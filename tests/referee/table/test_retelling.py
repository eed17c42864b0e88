"""Breaches that only the count proves: one slip of the recorder may explain them too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from referee.aggregates.partida import Partida
from referee.events import CardPlayed, CardsShown, HandEntered
from referee.rules.cards import CARD, DECK_40, TOKENS, mask_of_tokens, tokens_in
from referee.rules.evidence.slips import Slip, slips_near
from referee.table.course import tricks_for_slip_analysis
from referee.table.readings import StandingAct, empty_table, table_after_acts
from referee.table.state import Deal, Table
from referee.table.verdicts import Judged, evidence_of, judge_acts
from tests.support.records.dealt_out import TABLES
from tests.support.records.dirty_deals import dirty_deals
from tests.support.records.playing import options_of
from tests.support.records.table_text import CLUB, NO_STOCK, dealt, plays, tricks
from tests.support.records.table_text import given as table_where
from tests.support.servers.long_runs import RUNS

VOID = [CardsShown(seat, (), ("C",)) for seat in ("A1", "A2", "B2")]
HANDS = {
    "A1": "AC 2C 2E 4E 5E AO 3O RO SO CO".split(),
    "A2": "3C RC 4C 7E SE 7O 6O 5O RB 2O".split(),
    "B2": "SC CC 7C CE RE 3E AE AB 3B 4O".split(),
}
OTHERS = mask_of_tokens(token for hand in HANDS.values() for token in hand)
B1 = tokens_in(DECK_40 & ~OTHERS)
KNOWN = [HandEntered(seat, tuple(hand), "dealt") for seat, hand in HANDS.items()]


def row_of(scene, line):
    (row,) = [row for row in judge_acts(scene.table, scene.state.standing_acts) if row.line == line]
    return row


def test_two_seats_exchanged_or_a_neighbour_on_the_pad_explain_it():
    scene = table_where(NO_STOCK, *dealt(), *plays("A1 2C, B1 6E, A2 4C, B2 7C"), *VOID)
    row = row_of(scene, 4)
    assert (row.answer, row.by_count) == ("unlawful", True)
    assert row.slip is not None
    assert set(row.slip.lines) <= {3, 4, 5, 6}


def test_a_record_that_another_deal_contradicts_is_not_put_right_by_a_slip():
    nobody_has = [CardsShown(seat, (), ("C",)) for seat in ("A1", "B1", "A2", "B2")]
    for shown, is_explained in ((nobody_has[:2], True), (nobody_has, False)):
        earlier = [*dealt(), *shown, *tricks("A1 12, B1 12, " * 4 + "A1 12, B2 12")]
        here = [*dealt(), *plays("A1 2C, B1 6E, A2 4C, B2 7C"), *VOID]
        scene = table_where(NO_STOCK, *earlier, *here)
        row = row_of(scene, len(earlier) + 4)
        assert (row.answer, row.by_count) == ("unlawful", True)
        assert (row.slip is not None) is is_explained


def test_where_the_seats_cannot_be_exchanged_only_the_neighbour_is_left():
    """The others had hands of which every card is known; B1 alone can have had the 6C."""
    assert {"5C", "6C", "6E", "6B"} <= set(B1)
    scene = table_where(NO_STOCK, *dealt(), *KNOWN, *plays("A1 2C, B1 6E, A2 3C, B2 7C"))
    row = row_of(scene, 7)
    assert (row.answer, row.by_count) == ("unlawful", True)
    assert row.slip == Slip("card_mistaken", (7,), (CARD["6C"],))


@pytest.mark.parametrize("laid", ["6B", "4B"])
def test_where_no_neighbour_would_have_been_lawful_there_is_no_slip(laid):
    scene = table_where(NO_STOCK, *dealt(), *KNOWN, *plays(f"A1 2C, B1 {laid}, A2 3C, B2 7C"))
    row = row_of(scene, 7)
    assert (row.answer, row.by_count, row.slip) == ("unlawful", True, None)


@pytest.mark.parametrize(
    ("recorded", "slip"),
    [
        ("A1 2C, B1 6B, B2 7C, A2 3C", None),
        ("A1 2C, B1 5B, B1 4B, A2 3C", None),
    ],
)
def test_a_card_too_many_or_too_few_is_thought_of(recorded, slip):
    scene = table_where(NO_STOCK, *dealt(), *KNOWN, *plays(recorded))
    row = row_of(scene, 7)
    assert (row.answer, row.by_count, row.slip) == ("unlawful", True, slip)


def plainly(table: Table, deal: Deal, acts: Sequence[StandingAct], row: Judged) -> Slip | None:
    """The slip behind a breach, with the whole record read and judged again for each candidate."""
    course = tricks_for_slip_analysis(table, deal)
    assert course is not None
    before, astray = wrong(table), out_of_turn(table)
    for slip in slips_near(course, {row.line, row.since}):
        other = table_after_acts(empty_table(table.options), corrected(table, deal, acts, slip))
        after = wrong(other)
        is_right = row.line not in after and after <= before and out_of_turn(other) <= astray
        if is_right and not any(evidence_of(each).broken for each in other.all_deals):
            return slip
    return None


def wrong(table: Table) -> set[int]:
    found = [evidence_of(deal).verdicts.items() for deal in table.all_deals]
    return {line for rows in found for line, one in rows if one.answer == "unlawful"}


def out_of_turn(table: Table) -> set[int]:
    return {found.line for found in table.findings if found.rule.value.startswith("out-of-turn")}


def corrected(
    table: Table, deal: Deal, acts: Sequence[StandingAct], slip: Slip
) -> Iterator[StandingAct]:
    cards = {line: TOKENS[card] for line, card in zip(slip.lines, slip.cards, strict=True)}
    for line, act in ((entry.line, entry.act) for entry in acts):
        if line in cards and slip.kind == "left_out":
            seat = deal.seats[deal.place_of_seat(act.seat) - 1]
            yield StandingAct(table.lines[-1] + 1, CardPlayed(seat, cards[line]))
        if line not in cards or slip.kind == "left_out":
            yield StandingAct(line, act)
        elif slip.kind != "entered_twice":
            yield StandingAct(line, CardPlayed(act.seat, cards[line]))


def is_by_count(row: Judged) -> bool:
    """Whether only the count proves a breach: no card of that duty is seen later either."""
    return row.by_count and (row.later is None or not row.later.cards)


def explained(state: Partida) -> list[Slip | None]:
    """What is found behind each breach that only the count proves: as found plainly."""
    table, found = state.table, []
    rows = {row.line: row for row in judge_acts(table, state.standing_acts) if is_by_count(row)}
    for deal in table.all_deals:
        for line in evidence_of(deal).verdicts:
            if line in rows:
                found.append(rows[line].slip)
                assert found[-1] == plainly(table, deal, state.standing_acts, rows[line]), rows[
                    line
                ]
    return found


WITH_SLIPS = (77, 87, 88, 301)
"""Seeds of deals in which slips of each kind are found."""


def test_of_dirty_deals_the_slips_are_those_that_a_whole_reading_finds():
    found: list[Slip | None] = []
    for seed in (*range(12 * RUNS), *WITH_SLIPS):
        table, deals = (CLUB, 1) if seed % 2 else (options_of(TABLES[seed % len(TABLES)]), 2)
        found += explained(dirty_deals(table, seed, deals))
    kinds = {slip.kind for slip in found if slip is not None}
    assert None in found
    assert kinds == {"seats_swapped", "card_mistaken", "entered_twice", "left_out"}
