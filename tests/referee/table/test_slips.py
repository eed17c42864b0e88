"""Slips of the recorder that look like a renuncio: inserted ones are found."""

from __future__ import annotations

from referee.aggregates.partida import Partida
from referee.events import DealStarted, HandEntered, PintaTurned, WrongDealFound
from referee.rules.articles import Rule
from referee.rules.cards import DECKS, TOKENS, mask_of_tokens
from referee.table.course import tricks_for_slip_analysis
from referee.table.verdicts import Judged, judge_acts
from tests.support.places import ROOT
from tests.support.records.asked import played_text
from tests.support.records.table_text import NO_STOCK, TWO, dealt, plays
from tests.support.records.table_text import given as table_where


def unlawful(state: Partida) -> list[Judged]:
    """Plays against a duty."""
    rows = judge_acts(state.table, state.standing_acts)
    return [row for row in rows if row.answer == "unlawful" and row.option]


TRICK = plays("A1 2C, B1 6E, A2 4C, B2 7C, B2 4E, A1 2E, B1 5C")


def test_the_slip_says_which_lines_and_which_cards():
    scene = table_where(NO_STOCK, *dealt(), *TRICK)
    (row,) = unlawful(scene.state)
    assert (row.rule, row.seat, row.line, row.since) == (Rule.FOLLOW, "B1", 4, 9)
    assert row.proof == (3, 4, 9)
    assert [TOKENS[card] for card in row.cards] == ["5C"]
    assert row.slip is not None
    assert (row.slip.kind, row.slip.lines) == ("seats_swapped", (4, 5))


def test_a_slip_is_found_where_the_draws_turn_out_to_have_been_in_another_order():
    name = "desliz-tras-un-robo-fuera-de-orden.guinote"
    state = played_text((ROOT / "tests" / "logs" / name).read_text(encoding="utf-8"))
    (slip,) = [row.slip for row in unlawful(state) if row.by_count and row.later is None]
    assert slip is not None
    assert (slip.kind, slip.lines) == ("seats_swapped", (21, 22))


def test_a_card_known_to_be_theirs_cannot_have_been_anothers():
    hand = HandEntered("B1", tuple("6E 5C 2O 5O 6O 2B 4B 5B 6B 7B".split()))
    scene = table_where(NO_STOCK, *dealt(), hand, *TRICK)
    (row,) = [row for row in unlawful(scene.state) if row.seat == "B1"]
    assert (row.since, row.proof) == (5, (4, 5, 3))
    assert row.slip is None


def test_a_hand_found_smaller_is_whole_without_the_card():
    hand = "AC 3C RE SE 2B".split()
    found = [DealStarted("B1"), PintaTurned("4O"), WrongDealFound("A1", 5)]
    entered = HandEntered("A1", tuple(hand))
    table = table_where(TWO, *found, entered, *plays("A1 AC, B1 2C")).table
    course = tricks_for_slip_analysis(table, table.deal)
    assert course.may[0] == mask_of_tokens(hand)
    assert course.may[1] == DECKS[40] & ~mask_of_tokens([*hand, "4O"])  # the pinta lies there
    assert course.arrastre == 1  # the only trick was laid while cards were left to draw


def test_duties_hold_from_the_first_trick_if_somebody_was_dealt_the_stock():
    found = [DealStarted("B1"), PintaTurned("4O"), WrongDealFound("A1", 6 + 28)]
    table = table_where(TWO, *found, *plays("A1 AC, B1 2C")).table
    assert tricks_for_slip_analysis(table, table.deal).arrastre == 0
