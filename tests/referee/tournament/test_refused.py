"""Refusals in a tournament, each by its code."""

from __future__ import annotations

import pytest

from referee.aggregates.tournament.settlement import ways_to_settle_correction
from referee.errors import Refused
from referee.events import FrozenProfile
from referee.events.tournament import (
    AbsenceNoted,
    ClockStarted,
    ClockStopped,
    CorrectionSettled,
    DrawCommitted,
    LotsDrawn,
    MeetingFollowed,
    MeetingHeld,
    PairEntered,
    PairSubstituted,
    PairWithdrawn,
    PhaseBegun,
    ResultTold,
    RoundDrawn,
    TableCalled,
    TablesAssigned,
    TournamentClosed,
    TournamentOpened,
    TournamentPlan,
)
from tests.support.records.tournament_play import ID, PROFILE, SEED, Play

SWISS = TournamentPlan("swiss", rounds=3)
THREE = FrozenProfile("club", "2026", "h" * 64, {"players": 3, "deck": 40})
COMMITTED = DrawCommitted(ID, (), "c" * 64, "sealed")


def refused(play: Play, act) -> str:
    with pytest.raises(Refused) as caught:
        play.do(act)
    return caught.value.rule


def entering() -> Play:
    return Play("swiss", 4)


def running() -> Play:
    """A Swiss tournament in its first round, of which one meeting is over."""
    play = Play("swiss", 8, tables=2)
    play.draw()
    play.do(RoundDrawn(0))
    play.win("swiss-1-1-5", "1")
    return play


def over() -> Play:
    play = running()
    play.play_open()
    play.play_out()
    play.do(TournamentClosed())
    return play


@pytest.mark.parametrize(
    "begun, act, code",
    [
        (entering, TournamentOpened("name", PROFILE, SWISS), "already-open"),
        (entering, PairEntered("", ("a",)), "players-number"),
        (entering, PairEntered("", ("a", "a")), "person-twice"),
        (entering, PairEntered("", ("1a", "x")), "person-twice"),
        (entering, PairWithdrawn("9"), "pair-unknown"),
        (entering, AbsenceNoted("1", 1), "not-drawn"),
        (entering, LotsDrawn(SEED), "not-committed"),
        (entering, RoundDrawn(1), "not-drawn"),
        (entering, TablesAssigned(), "not-drawn"),
        (entering, DrawCommitted(ID, (), "c" * 64, "sealed", 9), "heads-number"),
        (entering, TournamentClosed(), "not-drawn"),
        (entering, ResultTold("swiss-1-1-2", "1"), "meeting-unknown"),
        (running, COMMITTED, "already-drawn"),
        (running, LotsDrawn(SEED), "already-drawn"),
        (running, AbsenceNoted("1", 3), "round-unknown"),
        (running, PhaseBegun(), "not-in-this-format"),
        (running, RoundDrawn(2), "round-open"),
        (running, TournamentClosed(), "round-open"),
        (running, TableCalled("swiss-1-1-5"), "meeting-over"),
        (running, MeetingHeld("swiss-1-1-5", "e"), "meeting-over"),
        (running, TableCalled("swiss-1-2-6"), "table-missing"),
        (running, TablesAssigned((("swiss-1-2-6", 3),)), "table-taken"),
        (running, TablesAssigned((("swiss-1-2-6", 1), ("swiss-1-3-7", 1))), "table-taken"),
        (running, TablesAssigned((("swiss-1-2-9", 1),)), "meeting-unknown"),
        (running, ResultTold("swiss-1-2-6", "5"), "winner-unknown"),
        (running, ClockStarted(1, 0, "t"), "minutes-missing"),
        (running, ClockStarted(2, 30, "t"), "round-unknown"),
        (running, ClockStopped(1, "t"), "clock-stopped"),
        (running, CorrectionSettled("swiss-1-1-5", "leave"), "nothing-to-correct"),
        (running, CorrectionSettled("swiss-1-9-5", "leave"), "nothing-to-correct"),
        (over, PairEntered("", ("x", "y")), "tournament-over"),
        (over, RoundDrawn(4), "tournament-over"),
        (over, PairSubstituted("1", ("x", "y")), "tournament-over"),
        (over, TournamentClosed(), "tournament-over"),
    ],
)
def test_what_cannot_be_is_refused_by_its_code(begun, act, code) -> None:
    play = begun()
    before = play.state
    assert refused(play, act) == code
    assert play.state == before


def test_a_meeting_is_held_once() -> None:
    play = running()
    play.do(MeetingHeld("swiss-1-2-6", "e"))
    assert refused(play, MeetingHeld("swiss-1-2-6", "f")) == "meeting-held"


def test_three_alone_make_no_pairs() -> None:
    play = Play("swiss", 0)
    play.state = type(play.state)()
    assert refused(play, TournamentOpened("name", THREE, SWISS)) == "players-number"


def test_more_than_512_pairs_do_not_enter() -> None:
    play = Play("swiss", 512)
    assert refused(play, PairEntered("", ("x", "y"))) == "pairs-number"


def test_a_knock_out_and_its_groups_take_their_turns() -> None:
    play = Play("groups", 8)
    play.draw()
    assert refused(play, PhaseBegun()) == "rounds-left"
    for _ in range(3):
        play.do(RoundDrawn(0))
        play.play_open()
    assert refused(play, RoundDrawn(4)) == "rounds-over"
    assert refused(play, TournamentClosed()) == "not-over"
    play.do(PhaseBegun())
    assert refused(play, PhaseBegun()) == "already-drawn"
    assert refused(play, RoundDrawn(4)) == "not-in-this-format"


def test_a_round_robin_is_over_after_its_last_round() -> None:
    play = Play("round_robin", 4)
    play.draw()
    assert refused(play, TournamentClosed()) == "not-over"
    play.do(RoundDrawn(0))
    play.play_open()
    assert refused(play, TournamentClosed()) == "rounds-left"


def test_a_swiss_one_that_was_not_begun_is_not_over() -> None:
    play = Play("swiss", 4)
    play.draw()
    assert refused(play, TournamentClosed()) == "not-over"


def test_nothing_is_drawn_while_a_correction_is_pending() -> None:
    play = running()
    play.play_open()
    play.do(RoundDrawn(0))
    play.win("swiss-1-1-5", "5")
    assert refused(play, RoundDrawn(3)) == "correction-pending"
    seen = CorrectionSettled("swiss-1-1-5", "leave", winner="1")
    assert refused(play, seen) == "correction-changed"
    with pytest.raises(Refused, match="nothing-to-correct"):
        ways_to_settle_correction(play.state, "swiss-1-2-6")


def test_where_only_one_round_is_left_pairing_again_draws_it_again() -> None:
    """Four pairs have one third round, whoever won the second."""
    play = Play("swiss", 4)
    play.draw()
    for _ in range(2):
        play.do(RoundDrawn(0))
        play.play_open()
    play.do(RoundDrawn(0))
    first = next(one for one in play.state.meetings.values() if one.round == 2)
    play.win(first.id, next(pair for pair in first.pairs if pair != first.counts.winner))
    again = ways_to_settle_correction(play.state, first.id)[2]
    assert again.gone == again.new == ()
    assert again.moved
    play.settle(first.id, "re_pair")
    assert play.state.meetings_with_pending_correction() == ()


def test_a_result_undone_cannot_be_paired_again() -> None:
    play = Play("swiss", 4)
    play.draw()
    play.do(RoundDrawn(0))
    first = play.open()[0]
    play.do(MeetingHeld(first.id, "e"))
    play.tell(MeetingFollowed("e", first.id, first.pairs[0], (2, 0), (4, 0), "provisional"))
    play.play_open()
    play.do(RoundDrawn(0))
    play.tell(MeetingFollowed("e", first.id))
    leave, replay, again = ways_to_settle_correction(play.state, first.id)
    assert (leave.problem, replay.problem, again.problem) == ("", "", "round-open")
    assert refused(play, CorrectionSettled(first.id, "re_pair")) == "round-open"
    play.tell(MeetingFollowed("e", first.id, first.pairs[0], (2, 0), (4, 0), "provisional"))
    assert play.state.meetings_with_pending_correction() == ()
