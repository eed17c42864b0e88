"""Meetings to which neither pair came: both lose them, in a knock-out, groups and Swiss."""

from __future__ import annotations

from referee.aggregates.tournament.decider import decide, result_acts_after_absence
from referee.aggregates.tournament.formats.places import all_ties
from referee.aggregates.tournament.settlement import ways_to_settle_correction
from referee.events.tournament import (
    AbsenceNoted,
    AbsenceWithdrawn,
    CorrectionSettled,
    PairWithdrawn,
    PhaseBegun,
    ResultTakenBack,
    ResultTold,
    RoundDrawn,
    TournamentAct,
    TournamentClosed,
)
from tests.support.records.tournament_play import Play


def nobody(meeting: str) -> ResultTold:
    return ResultTold(meeting, is_walkover=True)


def both(play: Play, *acts: TournamentAct) -> None:
    """Acts as a handler records them: with what follows."""
    for act in acts:
        play.do(act)
        for more in result_acts_after_absence(play.state, act):
            play.do(more)


def cup(pairs: int = 8, **more: bool) -> Play:
    play = Play("knock_out", pairs, **more)
    play.draw()
    return play


def meeting_of(play: Play, pair: str, number: int) -> str:
    meetings = play.state.meetings.values()
    return next(one.id for one in meetings if pair in one.pairs and one.round == number)


def test_in_a_knock_out_nobody_goes_on_and_the_next_does_without_playing() -> None:
    play = cup(has_consolation=True, has_third_place=True, consoles_absent=True)
    play.do(nobody(meeting_of(play, "1", 1)))
    play.play_open()
    ties = {tie.id: tie for tie in all_ties(play.state)}
    assert ties["main", 1, 0].winner == ties["main", 1, 0].loser == ""
    assert ties["main", 2, 0].pairs == ("", "4")
    assert play.view()["champion"] == "2"
    consoled = {
        pair for tie in all_ties(play.state) if tie.id[0] == "consolation" for pair in tie.pairs
    }
    assert not consoled & {"1", "8"}
    rows = {row["pair"]: row["place"] for row in play.view()["standings"]}
    assert rows["1"] == rows["8"] > rows["4"]
    play.do(TournamentClosed())


def test_a_final_to_which_neither_came_has_no_champion_and_ends_all_the_same() -> None:
    play = cup(4)
    for one in play.open():
        play.win(one.id, min(one.pairs, key=int))
    play.do(nobody(meeting_of(play, "1", 2)))
    assert play.view()["champion"] is None
    play.do(TournamentClosed())
    assert play.state.stage == "over"


def test_in_groups_both_lose_and_the_others_go_on() -> None:
    play = Play("groups", 8)
    play.draw()
    play.do(RoundDrawn(0))
    one = play.open()[0]
    play.do(nobody(one.id))
    play.play_open()
    for _ in range(2):
        play.do(RoundDrawn(0))
        play.play_open(
            lambda m: (
                next(p for p in m.pairs if p not in one.pairs)
                if set(m.pairs) - set(one.pairs)
                else m.pairs[0]
            )
        )
    rows = {r["pair"]: r for group in play.view()["groups"] for r in group["standings"]}
    assert [rows[pair]["points"] for pair in one.pairs] == [0, 0]
    assert rows[one.pairs[0]]["rounds"][0]["reason"] == "lost"
    play.do(PhaseBegun())
    assert not set(one.pairs) & set(play.state.order)


def test_in_a_swiss_round_both_have_the_points_of_a_defeat() -> None:
    play = Play("swiss", 4)
    play.draw()
    play.do(RoundDrawn(0))
    one = play.open()[0]
    play.do(nobody(one.id))
    play.play_open()
    rows = {row["pair"]: row for row in play.view()["standings"]}
    assert [rows[pair]["points"] for pair in one.pairs] == [0, 0]
    play.do(RoundDrawn(0))
    assert set(one.pairs) not in [set(two) for two in play.state.rounds[1].pairings]


def test_a_level_result_that_was_of_nobody_waits_once_the_next_round_is_drawn() -> None:
    play = Play("swiss", 4)
    play.draw()
    play.do(RoundDrawn(0))
    one = play.open()[0]
    play.win(one.id, "")
    play.play_open()
    play.do(RoundDrawn(0))
    play.do(nobody(one.id))
    assert [each.id for each in play.state.meetings_with_pending_correction()] == [one.id]
    choice = ways_to_settle_correction(play.state, one.id)[0]
    assert {moved.pair for moved in choice.moved} >= set(one.pairs)
    play.do(CorrectionSettled(one.id, "leave", winner=""))
    assert play.state.meetings[one.id].counts.is_lost_by_both
    assert not play.state.meetings_with_pending_correction()


def test_the_second_that_is_absent_too_is_not_given_the_win() -> None:
    play = cup()
    at = meeting_of(play, "1", 1)
    both(play, AbsenceNoted("1", 1))
    assert play.state.meetings[at].counts.winner == "8"
    both(play, AbsenceNoted("8", 1))
    assert play.state.meetings[at].counts.is_lost_by_both
    both(play, AbsenceWithdrawn("8", 1))
    assert play.state.meetings[at].counts.winner == "8"
    both(play, AbsenceNoted("8", 1))
    play.do(ResultTakenBack(at))
    assert play.state.meetings[at].is_open


def test_the_second_that_is_absent_too_loses_where_the_next_tie_is_not_begun() -> None:
    play = cup()
    play.win(meeting_of(play, "4", 1), "4")
    both(play, AbsenceNoted("1", 1))
    at, following = meeting_of(play, "1", 1), meeting_of(play, "8", 2)
    both(play, AbsenceNoted("8", 1))
    assert play.state.meetings[at].counts.is_lost_by_both
    assert following not in play.state.meetings
    assert not play.state.meetings_with_pending_correction()
    both(play, AbsenceWithdrawn("8", 1))
    assert play.state.meetings[following].is_open


def test_the_second_that_is_absent_too_keeps_its_win_once_the_next_tie_is_begun() -> None:
    play = cup()
    play.win(meeting_of(play, "4", 1), "4")
    both(play, AbsenceNoted("1", 1))
    play.win(meeting_of(play, "8", 2), "4")
    both(play, AbsenceNoted("8", 1))
    assert play.state.meetings[meeting_of(play, "1", 1)].counts.winner == "8"
    assert not play.state.meetings_with_pending_correction()


def test_the_second_that_withdraws_from_a_tie_is_not_given_the_win() -> None:
    play = cup()
    both(play, PairWithdrawn("8"), PairWithdrawn("1"))
    assert play.state.meetings[meeting_of(play, "1", 1)].counts.is_lost_by_both
    play.play_open()
    assert play.view()["champion"] == "2"


def test_a_pair_that_was_there_for_its_walkover_and_withdraws_later_keeps_it() -> None:
    play = Play("swiss", 4)
    play.draw()
    play.do(RoundDrawn(0))
    one = play.open()[0]
    first, other = one.pairs
    both(play, AbsenceNoted(first, 1))
    play.play_open()
    both(play, PairWithdrawn(other))
    assert play.state.meetings[one.id].counts.winner == other


def test_nothing_follows_from_an_absence_of_before_without_a_result_on_the_log() -> None:
    """What an earlier program recorded stays as it was."""
    play = cup()
    play.do(PairWithdrawn("8"))
    play.do(PairWithdrawn("1"))
    assert play.state.meetings[meeting_of(play, "1", 1)].counts.winner == "1"
    assert decide(nobody(meeting_of(play, "1", 1)), play.state)
