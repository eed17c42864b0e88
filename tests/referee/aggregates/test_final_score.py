"""The final score as it was told: it decides, a ruling goes before it, the record contradicts it."""

from __future__ import annotations

import pytest

from referee.aggregates.commands import FollowCase, Note
from referee.aggregates.encuentro import (
    EncuentroOutcome,
    encuentro_outcome,
    evolve,
    final_score_in_force,
    result_stage,
    standing_of,
    standing_over_partidas,
)
from referee.errors import Refused
from referee.events import (
    CotoWon,
    EncuentroRevised,
    EncuentroRuled,
    EncuentroWon,
    FinalScoreTold,
    FinalScoreWithdrawn,
    PartidaStarted,
    ResultConfirmed,
    ResultContested,
    ResultDenied,
    ResultMadeOfficial,
    ResultReported,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from tests.referee.aggregates.test_encuentro import CLUB, SEATED, THREE, Meeting, open_again, won

TWO = Options()
FIXED = Options(match_format="fixed_partidas", fixed_partidas=4)
WITHDRAWN = Note(FinalScoreWithdrawn())
OFFICIALLY = Note(ResultReported("juez", entered_by="official"))


def told(a: int, b: int, **more: str) -> Note:
    return Note(FinalScoreTold({"A": a, "B": b}, **more))


def stage_of(meeting: Meeting) -> str:
    return result_stage(meeting.state)


def test_a_told_score_decides_an_encuentro_without_a_partida() -> None:
    meeting = Meeting(TWO).tell(Note(SEATED), told(2, 1))
    assert meeting.state.stated == (EncuentroWon("A", 0),)
    assert encuentro_outcome(meeting.state) == EncuentroOutcome("provisional", "A", (2, 1))
    meeting.refuses(PartidaStarted(1), Rule.ENCUENTRO_CLOSED)


def test_the_score_of_fixed_partidas_counts_them_and_may_be_level() -> None:
    meeting = Meeting(FIXED).play("A").tell(told(2, 2))
    assert meeting.state.stated == (EncuentroWon("", 1),)
    assert encuentro_outcome(meeting.state) == EncuentroOutcome("provisional", "", (0, 0), (2, 2))


def test_a_later_score_replaces_it_and_one_taken_back_gives_the_earlier_one_again() -> None:
    meeting = Meeting(TWO).tell(told(2, 0), told(0, 2))
    assert meeting.state.stated == (EncuentroWon("B", 0),)
    meeting.tell(WITHDRAWN)
    assert (meeting.state.latest_final_score, meeting.state.win) == (
        {"A": 2, "B": 0},
        EncuentroWon("A", 0),
    )
    meeting.tell(WITHDRAWN)
    assert (meeting.state.latest_final_score, meeting.state.win) == (None, None)
    meeting.refuses(FinalScoreWithdrawn(), Rule.FINAL_SCORE_NOT_TOLD)
    assert evolve(meeting.state, FinalScoreWithdrawn()).latest_final_score is None
    meeting.play("A A A").tell(told(2, 0))
    assert meeting.state.stated == (CotoWon(1, "A", 3), EncuentroWon("A", 3))


def test_taking_it_back_returns_to_the_report_of_before() -> None:
    meeting = Meeting(TWO).tell(told(2, 0), Note(ResultReported("ana", "A")))
    before = meeting.state.result
    meeting.tell(told(0, 2, entered_by="official"), OFFICIALLY)
    assert stage_of(meeting) == "official"
    meeting.tell(Note(FinalScoreWithdrawn(entered_by="official")))
    assert (meeting.state.result, stage_of(meeting)) == (before, "provisional")
    meeting.tell(Note(ResultConfirmed("blas", "B")))
    assert stage_of(meeting) == "confirmed"


@pytest.mark.rule(Rule.FINAL_SCORE_IMPOSSIBLE, Rule.FINAL_SCORE_AGAINST_RECORD)
@pytest.mark.parametrize(
    "options, played, score, rule",
    [
        (TWO, "", {"A": 2, "B": 2}, Rule.FINAL_SCORE_IMPOSSIBLE),
        (TWO, "", {"A": 3, "B": 0}, Rule.FINAL_SCORE_IMPOSSIBLE),
        (TWO, "", {"A": 1, "B": 0}, Rule.FINAL_SCORE_IMPOSSIBLE),
        (TWO, "", {"A": 2}, Rule.FINAL_SCORE_IMPOSSIBLE),
        (THREE, "", {"A": 1, "B": 1, "C": 0}, Rule.FINAL_SCORE_IMPOSSIBLE),
        (FIXED, "", {"A": 4, "B": 1}, Rule.FINAL_SCORE_IMPOSSIBLE),
        (FIXED, "A A A", {"A": 2, "B": 2}, Rule.FINAL_SCORE_AGAINST_RECORD),
        (FIXED, "", {"A": 1, "B": 2}, Rule.FINAL_SCORE_AGAINST_RECORD),
        (TWO, "B B B", {"A": 2, "B": 0}, Rule.FINAL_SCORE_AGAINST_RECORD),
        (CLUB, "B B B", {"A": 1, "B": 0}, Rule.FINAL_SCORE_AGAINST_RECORD),
        (CLUB, "B B B", {"A": 2, "B": 2}, Rule.FINAL_SCORE_AGAINST_RECORD),
    ],
)
def test_a_score_that_cannot_be_is_refused(options, played, score, rule) -> None:
    Meeting(options).play(played).refuses(FinalScoreTold(score), rule)


def test_the_refusal_says_the_score_and_what_is_recorded() -> None:
    with pytest.raises(Refused) as refused:
        Meeting(TWO).play("B B B").tell(told(2, 0))
    assert refused.value.facts == {"score": "2-0", "recorded": "0-1"}


@pytest.mark.rule(Rule.ENCUENTRO_RULED)
def test_a_ruling_goes_before_it() -> None:
    meeting = Meeting(TWO).tell(told(2, 0), Note(EncuentroRuled("B", "t")))
    assert meeting.state.stated == (EncuentroWon("B", 0),)
    assert (final_score_in_force(meeting.state), standing_of(meeting.state).cotos["A"]) == (None, 0)
    for act in (FinalScoreTold({"A": 0, "B": 2}), FinalScoreWithdrawn()):
        meeting.refuses(act, Rule.ENCUENTRO_RULED)


@pytest.mark.rule(Rule.FINAL_SCORE_DIFFERS)
def test_a_record_that_contradicts_it_later_counts_instead() -> None:
    meeting = Meeting(CLUB).play("A A").tell(Note(PartidaStarted(3)), told(0, 1))
    assert meeting.state.win == EncuentroWon("B", 3)
    meeting.tell(won(3, "A"))
    assert final_score_in_force(meeting.state) is None
    assert meeting.state.win == EncuentroWon("A", 3)
    meeting.tell(open_again(3))
    assert meeting.state.win == EncuentroWon("B", 3)


def test_the_rest_of_the_record_does_not_disturb_it() -> None:
    meeting = Meeting(TWO).play("A A").tell(Note(PartidaStarted(3)), told(2, 0))
    meeting.tell(Note(ResultReported("ana", "A")), won(3, "A"))
    assert meeting.state.win == EncuentroWon("A", 3)
    assert standing_over_partidas(meeting.state).cotos == {"A": 1, "B": 0}
    assert standing_of(meeting.state).cotos == {"A": 2, "B": 0}
    assert EncuentroRevised(EncuentroWon("A", 3)) not in meeting.state.stated


def test_another_score_has_to_be_agreed_to_again() -> None:
    meeting = Meeting(TWO).tell(told(2, 0), Note(ResultReported("ana", "A")), told(2, 1))
    meeting.refuses(ResultConfirmed("blas", "B"), Rule.RESULT_NOT_REPORTED)
    assert stage_of(meeting) == "provisional"


@pytest.mark.rule(Rule.RESULT_AGREED)
def test_what_both_agreed_on_only_an_official_changes() -> None:
    agreed = (Note(ResultReported("ana", "A")), Note(ResultConfirmed("blas", "B")))
    meeting = Meeting(TWO).tell(told(2, 0), *agreed)
    for act in (FinalScoreTold({"A": 0, "B": 2}, "B"), FinalScoreWithdrawn("B")):
        meeting.refuses(act, Rule.RESULT_AGREED)
    meeting.refuses(ResultDenied("blas", "B"), Rule.RESULT_AGREED)
    meeting.tell(told(0, 2, entered_by="official"), OFFICIALLY)
    assert stage_of(meeting) == "official"
    meeting.refuses(FinalScoreTold({"A": 2, "B": 0}, "A"), Rule.RESULT_ENTERED)
    meeting.refuses(ResultDenied("ana", "A"), Rule.RESULT_ENTERED)
    meeting.tell(Note(ResultMadeOfficial("juez")))
    meeting.refuses(FinalScoreTold({"A": 2, "B": 0}, "", "official"), Rule.ACTA_SIGNED)


def test_a_side_that_does_not_agree_makes_it_disputed_until_it_does() -> None:
    meeting = Meeting(TWO).tell(told(2, 0), Note(ResultReported("ana", "A")))
    meeting.refuses(ResultDenied("celia", "A"), Rule.OWN_RESULT)
    meeting.refuses(ResultDenied("celia", "C"), Rule.SIDE_UNKNOWN)
    meeting.tell(Note(ResultDenied("blas", "B")))
    assert stage_of(meeting) == "disputed"
    agrees = Meeting(TWO)
    agrees.state = meeting.state
    agrees.tell(Note(ResultConfirmed("blas", "B")))
    assert stage_of(agrees) == "confirmed"
    meeting.tell(told(1, 2, side="B"), Note(ResultReported("blas", "B")))
    assert stage_of(meeting) == "provisional"


def test_of_three_sides_the_one_that_does_not_agree_keeps_it_disputed() -> None:
    meeting = Meeting(THREE).tell(Note(FinalScoreTold({"A": 1, "B": 0, "C": 0})))
    meeting.refuses(ResultDenied("blas", "B"), Rule.RESULT_NOT_REPORTED)
    meeting.tell(Note(ResultReported("ana", "A")), Note(ResultDenied("blas", "B")))
    meeting.tell(Note(ResultConfirmed("celia", "C")))
    assert stage_of(meeting) == "disputed"


def test_while_a_case_runs_nobody_tells_a_score() -> None:
    meeting = Meeting(TWO).play("A").tell(told(2, 0), Note(ResultReported("ana", "A")))
    meeting.tell(Note(ResultContested("blas", "B", 1, "t")), FollowCase(1, 1, "open"))
    meeting.refuses(FinalScoreTold({"A": 0, "B": 2}, "B"), Rule.CASE_RUNNING)
    meeting.refuses(FinalScoreTold({"A": 0, "B": 2}, "C"), Rule.SIDE_UNKNOWN)
    meeting.tell(FollowCase(1, 1, "closed"), Note(ResultReported("ana", "A")))
    meeting.tell(Note(ResultContested("blas", "B", 2, "t")), Note(ResultReported("ana", "A")))
    meeting.tell(FollowCase(2, 1, "open"))
    meeting.refuses(ResultDenied("blas", "B"), Rule.CASE_RUNNING)
