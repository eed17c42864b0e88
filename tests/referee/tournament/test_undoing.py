"""What a director takes back, until something rests on it."""

from __future__ import annotations

import pytest

from referee.aggregates.tournament.decider import is_possible
from referee.errors import Refused
from referee.events.tournament import (
    AbsenceNoted,
    AbsenceWithdrawn,
    MeetingFollowed,
    MeetingHeld,
    MeetingReleased,
    PairEntered,
    PairReturned,
    PairWithdrawn,
    PhaseBegun,
    ResultTakenBack,
    ResultTold,
    RoundDrawn,
    RoundTakenBack,
    TournamentClosed,
    TournamentReopened,
)
from tests.support.records.tournament_play import Play


def refused(play: Play, act) -> str:
    before = play.state
    assert not is_possible(act, before)
    with pytest.raises(Refused) as caught:
        play.do(act)
    assert play.state == before
    return caught.value.rule


def swiss(absence: str = "walkover") -> Play:
    """A Swiss tournament of eight pairs in its first round: 1 meets 5, 2 meets 6, …"""
    play = Play("swiss", 8, absence=absence)
    play.draw()
    play.do(RoundDrawn(0))
    return play


def test_a_pair_that_comes_after_all_plays_the_meeting_that_it_had_lost() -> None:
    play = swiss()
    meetings = play.state.meetings
    play.do(AbsenceNoted("5", 1))
    assert not play.state.meetings["swiss-1-1-5"].is_open
    play.do(AbsenceWithdrawn("5", 1))
    assert play.state.meetings == meetings
    assert refused(play, AbsenceWithdrawn("5", 1)) == "not-noted"


def test_of_two_absent_pairs_the_one_that_comes_has_won() -> None:
    play = swiss()
    play.do(AbsenceNoted("5", 1))
    play.do(AbsenceNoted("1", 1))
    play.do(AbsenceWithdrawn("5", 1))
    assert play.state.meetings["swiss-1-1-5"].counts.winner == "5"
    play.do(AbsenceWithdrawn("1", 1))
    assert play.state.meetings["swiss-1-1-5"].is_open


def test_a_result_told_on_paper_stays_when_the_absence_goes() -> None:
    play = swiss()
    play.do(AbsenceNoted("5", 1))
    play.win("swiss-1-1-5", "5", cotos=(0, 2))
    play.do(AbsenceWithdrawn("5", 1))
    assert play.state.meetings["swiss-1-1-5"].counts.winner == "5"


def test_an_absence_of_the_next_round_is_taken_back_before_and_after_its_draw() -> None:
    play = swiss()
    play.play_open()
    play.do(AbsenceNoted("5", 2))
    play.do(AbsenceWithdrawn("5", 2))
    play.do(AbsenceNoted("5", 2))
    play.do(RoundDrawn(0))
    play.do(AbsenceWithdrawn("5", 2))
    assert len(play.open()) == 4


def test_an_absence_stays_once_the_next_round_is_drawn() -> None:
    play = swiss()
    play.do(AbsenceNoted("5", 1))
    play.play_open()
    play.do(RoundDrawn(0))
    assert refused(play, AbsenceWithdrawn("5", 1)) == "later-drawn"


def test_a_pair_that_was_not_drawn_for_a_round_cannot_be_there() -> None:
    play = swiss("not_paired")
    play.play_open()
    for pair in ("7", "8"):
        play.do(AbsenceNoted(pair, 2))
    play.do(RoundDrawn(0))
    assert refused(play, AbsenceWithdrawn("7", 2)) == "later-drawn"


def test_a_pair_withdrawn_by_mistake_plays_on() -> None:
    play = swiss()
    before = play.state
    play.do(PairWithdrawn("5"))
    assert not play.state.meetings["swiss-1-1-5"].is_open
    play.do(PairReturned("5"))
    assert play.state.entries == before.entries
    assert play.state.meetings == before.meetings
    assert refused(play, PairReturned("5")) == "not-noted"
    play.do(PairWithdrawn("5"))
    play.play_open()
    play.do(RoundDrawn(0))
    assert refused(play, PairReturned("5")) == "later-drawn"


def test_before_the_draw_a_pair_comes_back_under_its_number() -> None:
    play = Play("knock_out", 4)
    entry = play.state.entries["2"]
    play.do(PairWithdrawn("2"))
    play.do(PairReturned("2"))
    assert play.state.entries["2"] == entry
    assert not play.state.withdrawn
    play.do(PairWithdrawn("2"))
    play.do(PairEntered("", ("2a", "x")))
    assert refused(play, PairReturned("2")) == "person-twice"
    play.do(PairWithdrawn("5"))
    play.draw()
    assert refused(play, PairReturned("2")) == "later-drawn"
    assert refused(play, PairReturned("9")) == "not-noted"


def test_no_pair_comes_back_to_a_field_that_is_full() -> None:
    play = Play("swiss", 512)
    play.do(PairWithdrawn("2"))
    play.enter()
    assert refused(play, PairReturned("2")) == "pairs-number"


def test_in_a_knock_out_a_pair_comes_back_until_the_next_tie_is_played() -> None:
    play = Play("knock_out", 4)
    play.draw()
    first, other = play.open()
    play.do(PairWithdrawn(first.pairs[0]))
    play.win(other.id, other.pairs[0])
    (final,) = play.open()
    play.do(PairReturned(first.pairs[0]))
    assert [one.id for one in play.open()] == [first.id]
    play.do(PairWithdrawn(first.pairs[0]))
    play.win(final.id, final.pairs[0])
    assert refused(play, PairReturned(first.pairs[0])) == "later-drawn"


def test_an_absence_in_the_groups_stays_once_the_knock_out_has_begun() -> None:
    play = Play("groups", 8)
    play.draw()
    for _ in range(3):
        play.do(RoundDrawn(0))
        if len(play.state.rounds) == 3:
            play.do(AbsenceNoted("5", 3))
        play.play_open()
    play.do(PhaseBegun())
    assert refused(play, AbsenceWithdrawn("5", 3)) == "later-drawn"


def test_an_encuentro_of_a_meeting_is_called_off_until_it_has_a_result() -> None:
    play = swiss()
    before = play.state.meetings
    assert refused(play, MeetingReleased("swiss-1-1-5")) == "not-noted"
    assert refused(play, MeetingReleased("swiss-9-1-5")) == "not-noted"
    play.do(MeetingHeld("swiss-1-1-5", "e"))
    play.do(MeetingReleased("swiss-1-1-5"))
    assert play.state.meetings == before
    play.do(MeetingHeld("swiss-1-1-5", "f"))
    play.tell(MeetingFollowed("f", "swiss-1-1-5", "1", (2, 0), (4, 0), "provisional"))
    assert refused(play, MeetingReleased("swiss-1-1-5")) == "meeting-over"


def test_a_closed_tournament_is_opened_again() -> None:
    play = swiss()
    play.play_open()
    play.play_out()
    assert refused(play, TournamentReopened()) == "not-noted"
    before = play.state
    play.do(TournamentClosed())
    assert play.state.stage == "over"
    play.do(TournamentReopened())
    assert play.state.stage == before.stage
    play.do(TournamentClosed())


def test_a_result_that_was_told_is_taken_back_until_a_draw_rests_on_it() -> None:
    play = swiss()
    before = play.state.meetings
    assert refused(play, ResultTakenBack("swiss-1-1-5")) == "not-noted"
    play.do(ResultTold("swiss-1-1-5", "1", is_walkover=True))
    play.do(ResultTakenBack("swiss-1-1-5"))
    assert play.state.meetings == before
    for one in before.values():
        play.do(ResultTold(one.id, one.pairs[0], (2, 0)))
    play.do(RoundDrawn(0))
    assert refused(play, ResultTakenBack("swiss-1-1-5")) == "later-drawn"


def test_a_drawn_round_is_taken_back_until_its_first_result() -> None:
    play = swiss()
    first = play.state.meetings
    for one in first.values():
        play.do(ResultTold(one.id, one.pairs[0], (2, 0)))
    over = play.state.meetings
    play.do(RoundDrawn(0))
    assert refused(play, RoundTakenBack(1)) == "not-noted"
    play.do(RoundTakenBack(2))
    assert (play.state.meetings, len(play.state.rounds)) == (over, 1)
    play.do(RoundDrawn(0))
    second = next(one for one in play.state.meetings.values() if one.round == 2)
    play.do(ResultTold(second.id, second.pairs[0], (2, 0)))
    assert refused(play, RoundTakenBack(2)) == "later-drawn"


@pytest.mark.parametrize("consoles_absent", [True, False])
def test_who_did_not_come_is_in_no_consolation(consoles_absent: bool) -> None:
    play = Play("knock_out", 8, has_consolation=True, consoles_absent=consoles_absent)
    play.draw()
    first = [one for one in play.state.meetings.values() if one.round == 1]
    gone = first[0].pairs[1]
    play.do(ResultTold(first[0].id, first[0].pairs[0], is_walkover=True))
    for one in first[1:]:
        play.do(ResultTold(one.id, one.pairs[0], (2, 0)))
    consoled = {
        pair for at, one in play.state.meetings.items() if "consol" in at for pair in one.pairs
    }
    assert (gone in consoled) == consoles_absent
    assert len(consoled) == (4 if consoles_absent else 2)
    if not consoles_absent:
        play.do(ResultTakenBack(first[0].id))
        assert play.state.meetings[first[0].id].is_open
