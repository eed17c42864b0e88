"""The tournament as a decider: which acts are possible when, and their results."""

from __future__ import annotations

import pytest

from referee.aggregates.tournament.entries import opponent_of_next_late_pair
from referee.aggregates.tournament.evolution import fold
from referee.errors import Refused
from referee.events.tournament import (
    AbsenceNoted,
    ClockStarted,
    ClockStopped,
    LotsDrawn,
    MeetingFollowed,
    MeetingHeld,
    PairSubstituted,
    PairWithdrawn,
    PhaseBegun,
    ResultTold,
    RoundDrawn,
    TableCalled,
    TablesAssigned,
    TournamentClosed,
)
from tests.support.records.tournament_play import SEED, Play

FORMATS = ("swiss", "round_robin", "knock_out", "groups")


def refused(play: Play, act) -> str:
    with pytest.raises(Refused) as caught:
        play.do(act)
    return caught.value.rule


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("pairs", [4, 7, 8, 13])
def test_the_strongest_wins_a_tournament_played_by_strength(format_, pairs) -> None:
    play = Play(format_, pairs, **({"rounds": 4} if (format_, pairs) == ("swiss", 13) else {}))
    play.draw()
    play.play_out()
    assert play.view()["champion"] == "1"
    assert play.view()["standings"][0]["pair"] == "1"
    play.do(TournamentClosed())
    assert play.view()["stage"] == "over"
    assert {row["pair"] for row in play.view()["standings"]} == set(play.state.entries)
    assert fold(play.events) == play.state


def test_a_knock_out_ranks_by_the_round_in_which_a_pair_went_out() -> None:
    play = Play("knock_out", 8, has_third_place=True)
    play.draw()
    play.play_out()
    rows = [(row["place"], row["pair"], row["by"]) for row in play.view()["standings"]]
    assert rows[:5] == [
        (1, "1", "first"),
        (2, "2", "round"),
        (3, "3", "round"),
        (4, "4", "round"),
        (5, "5", "round"),
    ]
    assert {place for place, _, _ in rows[4:]} == {5}
    assert [by for _, _, by in rows[5:]] == ["level"] * 3


def test_nothing_is_drawn_while_a_meeting_is_open() -> None:
    play = Play()
    assert refused(play, RoundDrawn(1)) == "not-drawn"
    assert refused(play, LotsDrawn(SEED)) == "not-committed"
    play.draw()
    play.do(RoundDrawn(0))
    assert refused(play, RoundDrawn(2)) == "round-open"
    assert refused(play, TournamentClosed()) == "round-open"
    play.play_open()
    assert refused(play, PhaseBegun()) == "not-in-this-format"
    play.do(RoundDrawn(0))
    play.play_open()
    play.do(RoundDrawn(0))
    play.play_open()
    assert refused(play, RoundDrawn(4)) == "rounds-over"


def test_a_pair_that_comes_late_plays_from_the_next_round_and_stands_behind() -> None:
    play = Play("swiss", 7)
    play.draw()
    play.do(RoundDrawn(0))
    play.enter()
    assert play.state.entries["8"].since == 2
    play.play_open()
    play.do(RoundDrawn(0))
    assert "8" in {pair for one in play.open() for pair in one.pairs}
    late = Play("groups", 8)
    late.draw()
    with pytest.raises(Refused, match="too-late"):
        late.enter()


def test_a_pair_that_comes_late_to_a_knock_out_takes_the_last_bye_and_the_draw_stays() -> None:
    play = Play("knock_out", 6)
    play.draw()
    assert play.state.drawn is not None
    assert opponent_of_next_late_pair(play.state) == "2"
    play.enter()
    assert [one.pairs for one in play.open()] == [("4", "5"), ("2", "7"), ("3", "6")]
    assert play.state.drawn.order == ("1", "2", "3", "4", "5", "6")
    assert opponent_of_next_late_pair(play.state) == "1"
    play.enter()
    assert opponent_of_next_late_pair(play.state) is None
    with pytest.raises(Refused, match="bracket-full"):
        play.enter()
    play.play_open()
    assert play.view()["champion"] == "1"


def test_a_late_pair_gets_no_bye_on_which_a_played_tie_rests() -> None:
    play = Play("knock_out", 6)
    play.draw()
    play.win("main-1-3-3-6", "6")
    assert "main-2-1-2-6" in play.state.meetings
    before = play.state
    play.enter()
    assert "main-2-1-2-6" not in play.state.meetings
    play.state = before
    play.win("main-2-1-2-6", "2")
    with pytest.raises(Refused, match="later-drawn"):
        play.enter()


def test_a_pair_that_comes_or_goes_undoes_a_commitment() -> None:
    play = Play("swiss", 8)
    play.draw()
    other = Play("swiss", 8)
    other.state = play.state
    undrawn = fold(play.events[:-1])
    other.state = undrawn
    assert undrawn.stage == "committed"
    other.do(PairWithdrawn("3"))
    assert other.state.stage == "entering"
    assert "3" not in other.state.entries
    assert refused(other, LotsDrawn(SEED)) == "not-committed"


@pytest.mark.parametrize("format_", FORMATS)
def test_a_pair_that_withdraws_loses_its_open_meetings_by_walkover(format_) -> None:
    play = Play(format_, 8)
    play.draw()
    if format_ != "knock_out":
        play.do(RoundDrawn(0))
    theirs = next(one for one in play.open() if "1" in one.pairs)
    play.do(PairWithdrawn("1"))
    ended = play.state.meetings[theirs.id].counts
    assert ended.is_walkover
    assert {ended.winner, "1"} == set(theirs.pairs)
    play.play_open()
    if format_ == "swiss":
        play.do(RoundDrawn(0))
        assert "1" not in {pair for one in play.open() for pair in one.pairs}
    else:
        play.play_out()
        assert play.view()["champion"] == "2"


@pytest.mark.parametrize("absence, is_paired", [("walkover", True), ("not_paired", False)])
def test_an_absence_goes_by_the_rule_of_the_organiser(absence, is_paired) -> None:
    play = Play("swiss", 8, absence=absence)
    play.draw()
    play.do(AbsenceNoted("5", 1))
    drawn = play.do(RoundDrawn(0))
    paired = {pair for pairing in drawn.pairings for pair in pairing}
    assert ("5" in paired) == is_paired
    play.play_open()
    rows = {row["pair"]: row for row in play.view()["standings"]}
    assert rows["5"]["points"] == 0
    assert rows["5"]["rounds"][0]["reason"] == ("lost" if is_paired else "absent")
    play.do(RoundDrawn(0))
    assert "5" in {pair for one in play.open() for pair in one.pairs}


def test_an_absent_pair_gets_no_bye() -> None:
    play = Play("swiss", 7)
    play.draw()
    play.do(AbsenceNoted("7", 1))
    assert play.do(RoundDrawn(0)).byes == ()
    rows = {row["pair"]: row for row in play.view()["standings"]}
    assert rows["7"]["rounds"][0]["reason"] == "absent"


def test_tables_go_to_meetings_without_one_and_become_free_with_the_result() -> None:
    play = Play("swiss", 8, tables=3)
    play.draw()
    play.do(RoundDrawn(0))
    first, *_, last = play.open()
    assert refused(play, TableCalled(first.id)) == "table-missing"
    play.do(TablesAssigned())
    assert [one.table for one in play.open()] == [1, 2, 3, 0]
    assert refused(play, TablesAssigned()) == "table-missing"
    assert refused(play, TablesAssigned(((last.id, 2),))) == "table-taken"
    play.do(TableCalled(first.id))
    assert play.state.meetings[first.id].is_called
    play.win(first.id, first.pairs[0])
    play.do(TablesAssigned(((last.id, 1),)))
    assert play.state.meetings[last.id].table == 1


def test_the_clock_of_a_round_runs_and_stops() -> None:
    play = Play(minutes=50)
    play.draw()
    assert refused(play, ClockStarted(1, 0, "t")) == "round-unknown"
    play.do(RoundDrawn(0))
    play.do(ClockStarted(1, 0, "2026-11-21T20:15:00.000Z"))
    play.do(ClockStopped(1, "2026-11-21T21:00:00.000Z"))
    assert play.view()["rounds"][0]["clock"] == {
        "started": "2026-11-21T20:15:00.000Z",
        "minutes": 50,
        "stopped": "2026-11-21T21:00:00.000Z",
    }
    assert refused(play, ClockStopped(1, "t")) == "clock-stopped"


def test_nobody_plays_for_two_pairs() -> None:
    play = Play(pairs=4)
    assert refused(play, PairSubstituted("1", ("1a", "2b"))) == "person-twice"
    play.do(PairSubstituted("1", ("1a", "9b")))
    assert play.state.entries["1"].players == ("1a", "9b")


# --- followed encuentros ----------------------------------------------------------------------


def held(play: Play):
    play.draw()
    if play.state.plan.format != "knock_out":
        play.do(RoundDrawn(0))
    first = play.open()[0]
    play.do(MeetingHeld(first.id, "e1"))
    return first


def followed(meeting, winner="", stage="provisional", cotos=(2, 0)):
    if stage == "open":
        return MeetingFollowed("e1", meeting.id)
    return MeetingFollowed("e1", meeting.id, winner, cotos, (4, 1), stage)


def test_a_meeting_follows_its_encuentro_until_it_is_official() -> None:
    play = Play()
    first = held(play)
    seen = []
    for event in (
        followed(first, stage="open"),
        followed(first, first.pairs[0]),
        followed(first, first.pairs[0], "confirmed"),
        followed(first, first.pairs[1], "official"),
    ):
        play.tell(event)
        shown = play.view()["rounds"][0]["meetings"][0]
        seen.append((shown["stage"], shown["winner"]))
    one, other = first.pairs
    assert seen == [
        ("playing", None),
        ("provisional", one),
        ("confirmed", one),
        ("official", other),
    ]
    assert refused(play, MeetingHeld(first.id, "e2")) == "meeting-over"


def test_a_stage_alone_does_not_replace_a_result_on_paper() -> None:
    play = Play()
    first = held(play)
    one, other = first.pairs
    play.tell(followed(first, one))
    play.win(first.id, other)
    play.tell(followed(first, one, "confirmed"))
    assert play.state.meetings[first.id].counts.winner == other
    play.tell(followed(first, one, "confirmed", (2, 1)))
    assert play.state.meetings[first.id].counts.winner == one


def test_a_tie_that_ends_level_waits_for_a_winner() -> None:
    play = Play("knock_out", 4)
    first = held(play)
    play.tell(followed(first, ""))
    assert play.state.meetings[first.id].is_open
    assert refused(play, ResultTold(first.id, "")) == "winner-missing"
    play.win(first.id, first.pairs[1])
    assert play.state.meetings[first.id].counts.winner == first.pairs[1]
