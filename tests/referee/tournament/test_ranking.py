"""The pairs of a tournament in one order, and the list of them that goes to another house."""

from __future__ import annotations

import pytest

from referee.aggregates.tournament.formats.places import is_over_and_settled, list_pairs_by_place
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused
from referee.events.tournament import (
    ListIssued,
    PairWithdrawn,
    ResultTold,
    RoundDrawn,
    TournamentClosed,
    TournamentReopened,
)
from tests.support.records.tournament_play import Play


def played(pairs: int = 8) -> Play:
    """A knock-out in which the lower number wins."""
    play = Play("knock_out", pairs)
    play.draw()
    while waiting := play.open():
        for one in waiting:
            play.do(ResultTold(one.id, min(one.pairs, key=int), (2, 0)))
    return play


def order(play: Play) -> list[tuple[str, int]]:
    return [(one.pair, one.place) for one in list_pairs_by_place(play.state)]


def test_who_shares_a_place_of_a_knock_out_follows_who_beat_them() -> None:
    play = played()  # 1-8 4-5 2-7 3-6, then 1-4 2-3, then 1-2
    assert order(play) == [
        *(("1", 1), ("2", 2), ("4", 3), ("3", 3)),
        *(("8", 5), ("7", 5), ("5", 5), ("6", 5)),
    ]


def test_a_table_is_in_its_own_order() -> None:
    play = Play("round_robin", 4)
    play.draw()
    for _ in range(3):
        play.do(RoundDrawn(0))
        play.play_open(lambda one: max(one.pairs, key=int))
    assert [pair for pair, _ in order(play)] == ["4", "3", "2", "1"]


def test_a_pair_that_withdrew_is_on_no_list() -> None:
    play = played()
    play.do(PairWithdrawn("2"))
    assert [pair for pair, _ in order(play)][:3] == ["1", "4", "3"]


def test_a_list_goes_out_once_the_tournament_is_over() -> None:
    play = played(4)
    issued = ListIssued(("digest",) * 7, "nonce")
    with pytest.raises(Refused) as caught:
        play.do(issued)
    assert caught.value.rule == TournamentRule.NOT_OVER
    play.do(TournamentClosed())
    assert is_over_and_settled(play.state)
    with pytest.raises(Refused) as caught:
        play.do(ListIssued(("digest",) * 6, "nonce"))
    assert caught.value.rule == TournamentRule.LIST_OTHERWISE
    assert play.do(issued).pairs == list_pairs_by_place(play.state)
    assert play.state.issued is not None
    play.do(TournamentReopened())
    assert not is_over_and_settled(play.state)
