"""A road as a decider: places by result and by invitation, renunciations, later lists."""

from __future__ import annotations

import pytest

from referee.aggregates.road import RoadRule
from referee.errors import Refused
from referee.events.road import (
    FinalEntered,
    FinalPair,
    KeyTrusted,
    ListTaken,
    PairInvited,
    PlaceReclaimed,
    PlaceRenounced,
    QualifierAdded,
    QualifierChanged,
    RoadAct,
    RoadOpened,
)
from referee.events.tournament import ListedPair
from tests.referee.road.road_play import FINAL, KEY, RoadPlay, listed, players


@pytest.fixture
def play() -> RoadPlay:
    """Two places of a list of four, one of a list of three."""
    made = RoadPlay()
    made.qualify("q1", 2, "abcd")
    made.qualify("q2", 1, "efg")
    return made


def refused(play: RoadPlay, act: RoadAct) -> str:
    with pytest.raises(Refused) as caught:
        play.do(act)
    return caught.value.rule


def test_the_first_of_each_list_have_a_place(play: RoadPlay) -> None:
    assert play.holding() == "abe"
    assert play.standings()["1-c"] == "waiting"


def test_the_next_of_the_same_list_moves_up_in_order(play: RoadPlay) -> None:
    play.do(PlaceRenounced("1-b", "trabajo"))
    assert play.holding() == "ace"
    assert (play.standings()["1-b"], play.standings()["1-c"]) == ("renounced", "moved_up")
    play.do(PlaceRenounced("1-c"), PlaceRenounced("1-d"))
    assert play.holding() == "ae"  # nobody is left on that list
    play.do(PlaceReclaimed("1-b"))
    assert play.holding() == "abe"


def test_a_pair_with_a_place_leaves_the_second_to_the_next(play: RoadPlay) -> None:
    play.qualify("q3", 2, "ahb")
    assert play.standings()["3-a"] == "elsewhere"
    assert play.standings()["3-h"] == "by_right"
    assert play.holding() == "abeh"
    play.do(PlaceRenounced("1-a"))  # of the final, so by no way
    assert play.holding() == "bceh"
    assert play.standings()["3-a"] == "renounced"


def test_an_invited_pair_that_qualifies_keeps_its_invitation(play: RoadPlay) -> None:
    play.do(PairInvited(players("h"), "campeones del año pasado"))
    play.qualify("q3", 1, "hi")
    assert play.standings()["0-1"] == "by_right"
    assert play.standings()["3-h"] == "elsewhere"
    assert play.holding() == "habei"
    play.do(PlaceRenounced("0-1"))
    assert play.holding() == "abei"


def test_a_corrected_list_moves_places_and_keeps_what_was_said(play: RoadPlay) -> None:
    play.do(PlaceRenounced("1-b"))
    play.do(ListTaken("1", listed("bdac")))
    assert play.holding() == "dae"
    assert play.standings()["1-b"] == "renounced"
    assert refused(play, ListTaken("1", listed("bdac"))) == RoadRule.LIST_SAME


def test_places_are_never_more_than_the_final_has() -> None:
    play = RoadPlay(places=4)
    play.qualify("q1", 3, "abcd")
    assert refused(play, QualifierAdded("bar", 2, "q2")) == RoadRule.PLACES_FULL
    assert refused(play, QualifierChanged("1", "bar", 5)) == RoadRule.PLACES_FULL
    play.do(PairInvited(players("x")))
    assert refused(play, PairInvited(players("y"))) == RoadRule.PLACES_FULL
    play.do(PlaceRenounced("0-1"), PairInvited(players("y")))
    assert refused(play, PlaceReclaimed("0-1")) == RoadRule.PLACES_FULL
    play.do(PlaceRenounced("0-2"), QualifierChanged("1", "bar", 4))
    assert play.holding() == "abcd"


def test_what_cannot_be_is_refused(play: RoadPlay) -> None:
    twice = (ListedPair(1, "a", players("a")), ListedPair(2, "b", ("b1", "a1")))
    for act, rule in (
        (RoadOpened("name", FINAL, 8), RoadRule.ROAD_OPEN),
        (QualifierAdded("bar", 0, "q9"), RoadRule.PLACES_NUMBER),
        (QualifierAdded("bar", 1, "q1"), RoadRule.TOURNAMENT_TWICE),
        (QualifierAdded("bar", 1, FINAL), RoadRule.TOURNAMENT_TWICE),
        (QualifierChanged("9", "bar", 1), RoadRule.QUALIFIER_UNKNOWN),
        (ListTaken("9", listed("a")), RoadRule.QUALIFIER_UNKNOWN),
        (ListTaken("1"), RoadRule.LIST_EMPTY),
        (ListTaken("1", twice), RoadRule.LISTED_TWICE),
        (ListTaken("1", listed("aa")), RoadRule.LISTED_TWICE),
        (ListTaken("1", listed("z"), KEY, "t", 1), RoadRule.QUALIFIER_HERE),
        (PairInvited(players("a")), RoadRule.PLAYER_HAS_PLACE),
        (PairInvited(("x1", "x1")), RoadRule.LISTED_TWICE),
        (PlaceRenounced("1-z"), RoadRule.ENTRY_UNKNOWN),
        (PlaceReclaimed("1-a"), RoadRule.NOT_RENOUNCED),
    ):
        assert refused(play, act) == rule, act
    play.do(PlaceRenounced("1-a"))
    assert refused(play, PlaceRenounced("1-a")) == RoadRule.RENOUNCED_ALREADY
    assert refused(play, PairInvited(players("a"))) == RoadRule.RENOUNCED_ALREADY


@pytest.mark.parametrize("places", [1, 257])
def test_a_final_is_of_two_to_256_pairs(places: int) -> None:
    with pytest.raises(Refused) as caught:
        RoadPlay(places)
    assert caught.value.rule == RoadRule.PLACES_NUMBER


def test_a_list_of_another_house_needs_its_key_and_comes_later_each_time(play: RoadPlay) -> None:
    play.do(QualifierAdded("bar", 1), QualifierAdded("otro", 1))
    taken = ListTaken("3", listed("mn"), KEY, "there", 20)
    assert refused(play, ListTaken("3", listed("mn"))) == RoadRule.QUALIFIER_ELSEWHERE
    assert refused(play, taken) == RoadRule.KEY_UNTRUSTED
    play.do(KeyTrusted(KEY), taken)
    assert play.holding() == "abem"
    assert refused(play, KeyTrusted(KEY)) == RoadRule.KEY_KNOWN
    for again, rule in (
        (ListTaken("3", listed("nm"), "another", "there", 30), RoadRule.KEY_OTHER),
        (ListTaken("3", listed("nm"), KEY, "elsewhere", 30), RoadRule.TOURNAMENT_OTHER),
        (ListTaken("3", listed("nm"), KEY, "there", 10), RoadRule.LIST_OLDER),
        (ListTaken("3", listed("nm"), KEY, "there", 20), RoadRule.LIST_SAME),
        (ListTaken("4", listed("nm"), KEY, "there", 30), RoadRule.LIST_USED),
    ):
        assert refused(play, again) == rule, again
    play.do(ListTaken("3", listed("nm"), KEY, "there", 30))
    assert play.holding() == "aben"


def test_the_final_has_those_with_a_place_and_nobody_else(play: RoadPlay) -> None:
    pairs = tuple(FinalPair(str(at), players(one)) for at, one in enumerate("abe", 1))
    assert refused(play, FinalEntered(pairs[:2])) == RoadRule.FINAL_OTHERWISE
    assert refused(play, FinalEntered((*pairs, *pairs))) == RoadRule.FINAL_OTHERWISE
    play.do(FinalEntered(pairs))
    assert refused(play, FinalEntered(pairs)) == RoadRule.FINAL_CURRENT
