"""Slips of the recorder that are inserted into random deals: each explains the renuncio that it makes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold
from referee.errors import Refused
from referee.events import CardPlayed
from referee.rules.cards import CARD, DECKS, cards_in
from referee.rules.evidence.slips import neighbour_cards_on_pad
from referee.rules.seats import SEATS
from tests.referee.table.test_slips import unlawful
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of
from tests.support.servers.long_runs import RUNS

each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))


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
            state = decide(Record(act), state).state
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
        c
        for c in cards_in(neighbour_cards_on_pad(CARD[acts[one].card], DECKS[options.deck]))
        if c in where
    ]
    other = where[data.draw(st.sampled_from(beside))]
    assume(acts[one].seat != acts[other].seat)
    state = recorded(options, exchanged(acts, one, other))
    for row in unlawful(state):
        assert row.slip is not None, row
