"""Slips of the recorder that look like a renuncio: inserted ones are found."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.errors import Refused
from referee.events import CardPlayed, DealStarted, HandEntered, PintaTurned, WrongDealFound
from referee.rules.articles import Rule
from referee.rules.cards import CARD, DECKS, TOKENS, cards_in, mask_of_tokens
from referee.rules.evidence.slips import neighbours
from referee.rules.seats import SEATS
from referee.table.verdicts import Judged, course_of, judge
from tests.support.places import ROOT
from tests.support.records.asked import played_text
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of
from tests.support.records.table_text import NO_STOCK, TWO, dealt, plays
from tests.support.records.table_text import given as table_where
from tests.support.servers.long_runs import RUNS

each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))


def unlawful(state: Partida) -> list[Judged]:
    """Plays against a duty."""
    rows = judge(state.table, state.acts)
    return [row for row in rows if row.answer == "unlawful" and row.option]


def first_deal(table, seed) -> tuple[list, list[int]]:
    """Acts of an observed, lawful first deal, and the places of its plays among them."""
    player = Player(options_of(table), seed, observed=True)
    player.deal(player.seats[0])
    return player.acts, [at for at, act in enumerate(player.acts) if isinstance(act, CardPlayed)]


def exchanged(acts: list, one: int, other: int) -> list:
    """The acts with the cards of two plays exchanged."""
    acts = list(acts)
    a, b = acts[one], acts[other]
    acts[one], acts[other] = CardPlayed(a.seat, b.card), CardPlayed(b.seat, a.card)
    return acts


def recorded(options, acts: list) -> Partida:
    """The partida, if all of it can be recorded: a card known to be elsewhere cannot."""
    state = fold([opened(options)])
    for act in acts:
        try:
            state = fold(decide(Record(act), state), state)
        except Refused:
            assume(False)
    return state


@each_table
@settings(max_examples=4 * RUNS, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32), st.data())
def test_two_seats_exchanged_in_a_trick_are_found_behind_every_false_renuncio(table, seed, data):
    options = options_of(table)
    acts, at = first_deal(table, seed)
    size = len(SEATS[options.players])
    trick = data.draw(st.integers(0, len(at) // size - 1))
    one, other = data.draw(st.permutations(at[trick * size : (trick + 1) * size]))[:2]
    state = recorded(options, exchanged(acts, one, other))
    found = unlawful(state)
    assume(found)
    for row in found:
        assert row.slip is not None, row
    assert unlawful(recorded(options, acts)) == []


@each_table
@settings(max_examples=4 * RUNS, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32), st.data())
def test_a_card_taken_for_its_neighbour_is_found(table, seed, data):
    options = options_of(table)
    acts, at = first_deal(table, seed)
    where = {CARD[acts[n].card]: n for n in at}
    one = data.draw(st.sampled_from(at))
    beside = [
        c for c in cards_in(neighbours(CARD[acts[one].card], DECKS[options.deck])) if c in where
    ]
    other = where[data.draw(st.sampled_from(beside))]
    assume(acts[one].seat != acts[other].seat)
    state = recorded(options, exchanged(acts, one, other))
    for row in unlawful(state):
        assert row.slip is not None, row


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
    course = course_of(table, table.deal)
    assert course.may[0] == mask_of_tokens(hand)
    assert course.may[1] == DECKS[40] & ~mask_of_tokens([*hand, "4O"])  # the pinta lies there
    assert course.arrastre == 1  # the only trick was laid while cards were left to draw


def test_duties_hold_from_the_first_trick_if_somebody_was_dealt_the_stock():
    found = [DealStarted("B1"), PintaTurned("4O"), WrongDealFound("A1", 6 + 28)]
    table = table_where(TWO, *found, *plays("A1 AC, B1 2C")).table
    assert course_of(table, table.deal).arrastre == 0
