"""Pairs that enter by themselves: places, the waiting list, the end of the entries."""

from __future__ import annotations

import pytest

from referee.aggregates.tournament.evolution import fold
from referee.errors import Refused
from referee.events.tournament import (
    EntriesClosed,
    EntriesOpened,
    PairApplied,
    PairEntered,
    PairReturned,
    PairWithdrawn,
    TournamentAct,
)
from tests.support.records.tournament_play import Play


def applied(play: Play, *names: str, bar: str = "") -> str:
    return str(play.do(PairApplied("", names, bar)).pair)


def refused(play: Play, act: TournamentAct) -> str:
    with pytest.raises(Refused) as caught:
        play.do(act)
    return caught.value.rule


@pytest.fixture
def full() -> Play:
    """Three places, of which the organiser gave one; two pairs wait."""
    play = Play("knock_out", 1)
    play.do(EntriesOpened("2026-12-24T18:00", 3))
    for name in "bcde":
        applied(play, f"{name}1", f"{name}2")
    return play


def test_who_finds_no_place_waits_and_moves_up_in_order(full: Play) -> None:
    assert ([*full.state.entries], [*full.state.waiting]) == (["1", "2", "3"], ["4", "5"])
    full.do(PairWithdrawn("2"))
    assert ([*full.state.entries], [*full.state.waiting]) == (["1", "3", "4"], ["5"])
    full.do(PairWithdrawn("5"))
    assert not full.state.waiting
    full.do(PairWithdrawn("1"))
    assert [*full.state.entries] == ["3", "4"]
    full.do(PairReturned("5"))
    assert [*full.state.entries] == ["3", "4", "5"]
    assert fold(full.events) == full.state


def test_more_places_are_filled_from_the_list_at_once(full: Play) -> None:
    full.do(EntriesOpened("", 4))
    assert ([*full.state.entries], [*full.state.waiting]) == (["1", "2", "3", "4"], ["5"])
    full.do(EntriesOpened())
    assert not full.state.waiting


def test_a_pair_enters_itself_only_while_that_is_open_and_nothing_is_prepared(full: Play) -> None:
    full.do(EntriesClosed())
    assert refused(full, PairApplied("", ("x1", "x2"))) == "entries-closed"
    assert refused(full, EntriesClosed()) == "not-noted"
    full.do(PairWithdrawn("2"))
    assert [*full.state.waiting] == ["5"]
    full.do(EntriesOpened("", 3))
    full.draw()
    assert refused(full, PairApplied("", ("x1", "x2"))) == "entries-closed"
    assert refused(full, EntriesOpened()) == "already-drawn"
    assert {pair for one in full.open() for pair in one.pairs}.isdisjoint(full.state.waiting)


def test_nobody_waits_with_two_pairs_and_a_pair_has_all_its_players(full: Play) -> None:
    assert refused(full, PairApplied("", ("x1", "e2"))) == "person-twice"
    assert refused(full, PairApplied("", ("x1",))) == "players-number"


def test_who_still_waits_after_the_draw_may_come_as_a_late_pair(full: Play) -> None:
    full.draw()
    assert refused(full, PairEntered("", ("b1", "d2"))) == "person-twice"
    full.do(PairEntered("", ("d1", "d2")))
    assert "6" in {pair for one in full.open() for pair in one.pairs}
