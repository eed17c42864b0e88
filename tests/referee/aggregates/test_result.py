"""The result of an encuentro: provisional, confirmed by the other side, official, and reopened."""

from __future__ import annotations

import pytest

from referee.aggregates.commands import FollowCase, Note
from referee.aggregates.encuentro import result_stage
from referee.aggregates.result import refuse_late_change, sides_yet_to_agree
from referee.errors import Refused
from referee.events import (
    Change,
    CodeGiven,
    EncuentroRuled,
    LogAmended,
    PartidaStarted,
    ResultConfirmed,
    ResultContested,
    ResultMadeOfficial,
    ResultReopened,
    ResultReported,
    TimeCalled,
)
from referee.rules.articles import Rule
from tests.referee.aggregates.test_encuentro import CLUB, THREE, Meeting, won

ONE = "A A A"
REPORT = Note(ResultReported("ana", "A", "tablet-a"))
CONFIRM = Note(ResultConfirmed("blas", "B", "tablet-b"))
OFFICIAL = Note(ResultMadeOfficial("juez"))


def decided(*commands: Note | FollowCase) -> Meeting:
    """An encuentro that A won with its first coto."""
    assert CLUB.camas_per_coto == 3
    return Meeting().play(ONE).tell(*commands)


def test_a_result_is_provisional_confirmed_and_official() -> None:
    assert result_stage(Meeting().state) == "open"
    meeting = decided()
    assert result_stage(meeting.state) == "provisional"
    for command, stage in ((REPORT, "provisional"), (CONFIRM, "confirmed"), (OFFICIAL, "official")):
        meeting.tell(command)
        assert result_stage(meeting.state) == stage


def test_nothing_is_reported_of_what_is_not_decided() -> None:
    running = Meeting().play("A")
    for act in (ResultReported("ana"), ResultMadeOfficial("juez", "t")):
        running.refuses(act, Rule.RESULT_OPEN)
    running.refuses(ResultContested("ana", "A", 1, "t"), Rule.RESULT_OPEN)


def test_the_other_side_confirms_once_and_by_another_person() -> None:
    decided().refuses(ResultConfirmed("blas", "B", "tablet-b"), Rule.RESULT_NOT_REPORTED)
    meeting = decided(REPORT)
    meeting.refuses(ResultConfirmed("celia", "A", "tablet-b"), Rule.OWN_RESULT)
    meeting.refuses(ResultConfirmed("ana", "B", "tablet-b"), Rule.SAME_PERSON)
    meeting.refuses(ResultConfirmed("blas", "C", "tablet-b"), Rule.SIDE_UNKNOWN)
    meeting.tell(CONFIRM).refuses(ResultConfirmed("d", "B", "tablet-c"), Rule.OWN_RESULT)


def test_or_with_the_code_that_it_got_last() -> None:
    codes = [Note(CodeGiven("B", "s", "old")), Note(CodeGiven("B", "s", "new"))]
    meeting = decided(*codes, REPORT)
    for code in ("old", "other"):
        meeting.refuses(ResultConfirmed("blas", "B", "tablet-a", code), Rule.CODE_WRONG)
    meeting.tell(Note(ResultConfirmed("blas", "B", "tablet-a", "new")))
    assert result_stage(meeting.state) == "confirmed"
    decided(REPORT).refuses(ResultConfirmed("blas", "B", "x", "new"), Rule.CODE_WRONG)


def test_what_the_arbiter_reports_every_side_confirms() -> None:
    meeting = decided(Note(ResultReported("juez", "", "desk")), CONFIRM)
    assert result_stage(meeting.state) == "provisional"
    assert sides_yet_to_agree(meeting.state.result, ("A", "B")) == ("A",)
    meeting.tell(Note(ResultConfirmed("ana", "A", "tablet-a")))
    assert result_stage(meeting.state) == "confirmed"


def test_of_three_both_others_confirm() -> None:
    three = Meeting(THREE).play("A A A").tell(REPORT, CONFIRM)
    assert result_stage(three.state) == "provisional"
    three.tell(Note(ResultConfirmed("eva", "C", "tablet-c")))
    assert result_stage(three.state) == "confirmed"


def test_a_confirmation_is_of_the_result_that_was_seen() -> None:
    meeting = decided(REPORT, CONFIRM, won(3, "B"))
    assert meeting.state.win is None
    meeting.tell(won(3, "A", whole=True))
    assert result_stage(meeting.state) == "provisional"
    meeting.refuses(ResultConfirmed("d", "B", "x"), Rule.RESULT_NOT_REPORTED)


def test_an_acta_is_signed_when_all_agree_or_with_the_reason_why_not() -> None:
    decided().refuses(ResultMadeOfficial("juez"), Rule.RESULT_UNCONFIRMED)
    meeting = decided(REPORT).refuses(ResultMadeOfficial("juez"), Rule.RESULT_UNCONFIRMED)
    meeting.tell(Note(ResultMadeOfficial("juez", "B went home")))
    assert result_stage(meeting.state) == "official"


def test_a_case_that_runs_holds_the_result_up() -> None:
    meeting = decided(FollowCase(1, 2, "open"))
    assert result_stage(meeting.state) == "disputed"
    meeting.refuses(ResultReported("ana", "A"), Rule.CASE_RUNNING)
    meeting.refuses(ResultMadeOfficial("juez", "t"), Rule.CASE_RUNNING)
    meeting.tell(FollowCase(1, 2, "closed"), REPORT, CONFIRM, OFFICIAL)
    with pytest.raises(Refused) as caught:
        decided(FollowCase(1, 9, "open"))
    assert caught.value.rule == Rule.PARTIDA_UNKNOWN


def test_a_side_that_contests_has_a_reason_and_opens_the_next_case() -> None:
    meeting = decided(REPORT)
    meeting.refuses(ResultContested("blas", "B", 1, ""), Rule.REASON_MISSING)
    meeting.refuses(ResultContested("blas", "B", 2, "t"), Rule.CASE_RUNNING)
    meeting.refuses(ResultContested("blas", "", 1, "t"), Rule.SIDE_UNKNOWN)
    meeting.tell(Note(ResultContested("blas", "B", 1, "t")))
    meeting.refuses(ResultConfirmed("blas", "B", "x"), Rule.RESULT_NOT_REPORTED)


def test_a_signed_acta_is_changed_by_two_persons_for_a_reason() -> None:
    decided().refuses(ResultReopened("juez", "otro", "t"), Rule.ACTA_NOT_SIGNED)
    meeting = decided(REPORT, CONFIRM, OFFICIAL)
    for act in (EncuentroRuled("B", "t"), PartidaStarted(4), ResultReported("ana", "A")):
        meeting.refuses(act, Rule.ACTA_SIGNED)
    meeting.refuses(ResultMadeOfficial("juez", "t"), Rule.ACTA_SIGNED)
    meeting.refuses(ResultReopened("juez", "juez", "t"), Rule.SAME_PERSON)
    meeting.refuses(ResultReopened("juez", "otro", ""), Rule.REASON_MISSING)
    meeting.tell(Note(ResultReopened("juez", "otro", "t")))
    assert result_stage(meeting.state) == "provisional"
    meeting.tell(REPORT, CONFIRM, OFFICIAL)


WITHDRAW = LogAmended((Change(7, "withdraw"),), "t")
BARE = LogAmended((Change(3, "withdraw"),))


def late(meeting: Meeting, *events: object, case: int = 0) -> Rule | None:
    try:
        refuse_late_change(meeting.state.result, 2, events, case)  # type: ignore[arg-type]  # acts of a partida
    except Refused as refused:
        return refused.rule
    return None


def test_a_late_change_has_its_reason_and_a_signed_acta_none_at_all() -> None:
    assert late(decided(), BARE) is None
    reported = decided(REPORT)
    assert late(reported, BARE) == Rule.REASON_MISSING
    assert late(reported, WITHDRAW) is None
    assert late(reported, TimeCalled()) is None
    signed = decided(REPORT, CONFIRM, OFFICIAL)
    assert late(signed, TimeCalled()) == Rule.ACTA_SIGNED
    assert late(signed) is None


def test_what_a_case_ruled_only_that_case_changes() -> None:
    meeting = decided(FollowCase(1, 2, "ruled", (7,)), FollowCase(2, 1, "ruled", (3,)))
    assert late(meeting, WITHDRAW) == Rule.RULED_IN_CASE
    assert late(meeting, WITHDRAW, case=1) is None
    assert late(meeting, BARE) is None
    before = LogAmended((Change(7, "insert", TimeCalled()),))
    assert late(meeting, before) is None


def test_a_code_confirms_one_report_and_not_a_later_one() -> None:
    code = Note(ResultConfirmed("blas", "B", "tablet-a", "hash"))
    meeting = decided(Note(CodeGiven("B", "s", "hash")), REPORT, code, REPORT)
    meeting.refuses(ResultConfirmed("blas", "B", "tablet-a", "hash"), Rule.CODE_USED)
    fresh = Note(ResultConfirmed("blas", "B", "tablet-a", "fresh"))
    meeting.tell(Note(CodeGiven("B", "s", "fresh")), fresh)
    assert result_stage(meeting.state) == "confirmed"


def test_nobody_reports_over_what_an_official_entered() -> None:
    entered = Note(ResultReported("juez", entered_by="official"))
    meeting = decided(REPORT, entered)
    for side in ("A", "B", ""):
        meeting.refuses(ResultReported("ana", side), Rule.RESULT_ENTERED)
    assert result_stage(meeting.tell(entered).state) == "official"
    meeting.tell(Note(EncuentroRuled("B", "t")), REPORT)
    assert result_stage(meeting.state) == "provisional"
