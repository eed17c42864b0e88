"""Two principals: who was signed in counts, under the choice of the club, and not who is named."""

from __future__ import annotations

from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.aggregates import case as cases
from referee.aggregates import encuentro
from referee.aggregates.commands import FollowCase, Note, Submit
from referee.aggregates.encuentro import Encuentro, result_stage
from referee.aggregates.result import is_second_by_same_principal, sides_yet_to_agree
from referee.errors import Refused
from referee.events import (
    AppealDecided,
    Appealed,
    CaseAct,
    CaseRuled,
    CaseRuling,
    CodeGiven,
    EncuentroAct,
    FourEyes,
    Ground,
    ResultAct,
    ResultConfirmed,
    ResultMadeOfficial,
    ResultReopened,
    ResultReported,
)
from referee.rules.articles import Rule
from tests.referee.aggregates.test_encuentro import CLUB, THREE, Meeting, opening, won
from tests.support.records.case_text import minute, opened

LAWS: tuple[FourEyes, ...] = ("required", "noted")
ActT = TypeVar("ActT", bound=EncuentroAct | CaseAct)


def of(principal: str, act: ActT) -> ActT:
    """An act of somebody who is signed in."""
    return replace(act, principal=principal)


REPORT = of("one", ResultReported("ana", "A"))
SIGN = of("one", ResultMadeOfficial("juez", "t"))
ENTER = of("one", ResultReported("juez", entered_by="official"))


def told(four_eyes: FourEyes, *acts: ResultAct, meeting: Meeting | None = None) -> Meeting:
    """An encuentro that A won, and what was said of its result."""
    return (meeting or Meeting().play("A A A")).tell(*(Note(act, four_eyes) for act in acts))


def is_refused(meeting: Meeting, act: ResultAct) -> bool:
    """Whether an act is refused where two principals are required, and only there."""
    told("noted", act, meeting=clone(meeting))
    try:
        told("required", act, meeting=clone(meeting))
    except Refused as refused:
        assert refused.rule == Rule.SAME_PRINCIPAL
        return True
    return False


def clone(meeting: Meeting) -> Meeting:
    other = Meeting()
    other.state = meeting.state
    return other


def test_who_reported_does_not_confirm_under_another_name_or_device() -> None:
    meeting = told("required", REPORT)
    confirm = ResultConfirmed("blas", "B", "another-device")
    assert is_refused(meeting, of("one", confirm))
    assert not is_refused(meeting, of("two", confirm))


def test_a_code_stands_for_the_principal_who_got_it() -> None:
    own = told("required", of("one", CodeGiven("B", "s", "h")), REPORT)
    given = told("required", of("two", CodeGiven("B", "s", "h")), REPORT)
    with_code = ResultConfirmed("blas", "B", "", "h")
    for keyed_by in ("one", "two", "side B"):
        assert is_refused(own, of(keyed_by, with_code))
        assert not is_refused(given, of(keyed_by, with_code))


def test_a_code_that_was_used_is_not_given_again_by_another_principal() -> None:
    code = CodeGiven("B", "s", "h")
    confirm = of("three", ResultConfirmed("blas", "B", "", "h"))
    meeting = told("required", of("two", code), REPORT, confirm)
    with pytest.raises(Refused) as caught:
        told("required", of("one", code), meeting=meeting)
    assert caught.value.rule == Rule.CODE_USED
    assert_two(meeting.state)


def test_of_three_sides_no_two_are_of_one_principal() -> None:
    three = told("required", REPORT, meeting=Meeting(THREE).play("A A A"))
    told("required", of("two", ResultConfirmed("blas", "B")), meeting=three)
    confirm = ResultConfirmed("eva", "C")
    assert is_refused(three, of("one", confirm))
    assert is_refused(three, of("two", confirm))
    assert not is_refused(three, of("three", confirm))


def test_who_signed_does_not_reopen_whatever_two_names_are_given() -> None:
    meeting = told("required", REPORT, SIGN)
    reopen = ResultReopened("luis", "rosa", "t")
    assert is_refused(meeting, of("one", reopen))
    assert not is_refused(meeting, of("two", reopen))


@pytest.mark.parametrize("four_eyes", LAWS)
def test_acts_of_before_have_no_principal_and_are_never_one(four_eyes: FourEyes) -> None:
    report = ResultReported("ana", "A", "tablet")
    confirm, sign = ResultConfirmed("blas", "B"), ResultMadeOfficial("juez", "t")
    reopen = ResultReopened("juez", "otro", "t")
    meeting = told(four_eyes, report, confirm, sign, reopen, report, of("one", confirm), sign)
    told(four_eyes, of("one", reopen), meeting=meeting)
    result = meeting.state.result
    assert not any(is_second_by_same_principal(result, act) for act in result.reopened)


def test_what_was_noted_is_known_of_each_act_afterwards() -> None:
    reopen = ResultReopened("luis", "rosa", "t")
    meeting = told("noted", REPORT, SIGN, of("one", reopen), REPORT, SIGN, of("two", reopen))
    told("noted", REPORT, SIGN, of("one", reopen), REPORT, meeting=meeting)
    told("noted", of("one", ResultConfirmed("blas", "B")), SIGN, meeting=meeting)
    result = meeting.state.result
    assert [is_second_by_same_principal(result, act) for act in result.reopened] == [
        True,
        False,
        True,
    ]
    assert [is_second_by_same_principal(result, act) for act in result.confirmed] == [True]


def test_nothing_reported_is_of_nobody() -> None:
    result = Meeting().state.result
    assert not is_second_by_same_principal(result, of("one", ResultConfirmed("blas", "B")))


# --- entered by an official ----------------------------------------------------------------------


def test_what_an_official_enters_is_official_and_needs_nobody() -> None:
    meeting = told("required", ENTER)
    assert result_stage(meeting.state) == "official"
    assert sides_yet_to_agree(meeting.state.result, ("A", "B")) == ()
    told("required", of("one", ResultMadeOfficial("juez")), meeting=meeting)
    assert result_stage(meeting.state) == "official"


def test_a_correction_that_changes_it_makes_it_provisional_again() -> None:
    meeting = told("required", ENTER).tell(won(3, "B"), won(3, "A", whole=True))
    assert result_stage(meeting.state) == "provisional"
    told("required", ENTER, meeting=meeting)
    assert result_stage(meeting.state) == "official"


def test_while_a_case_runs_it_is_disputed() -> None:
    meeting = told("required", ENTER).tell(FollowCase(1, 2, "open"))
    assert result_stage(meeting.state) == "disputed"
    assert result_stage(meeting.tell(FollowCase(1, 2, "closed")).state) == "official"


# --- cases ---------------------------------------------------------------------------------------

PROFILE = opening(CLUB).profile
RULING = CaseRuling("none", Ground("sovereign"), "t")


def heard(*acts: CaseAct, four_eyes: FourEyes = "required") -> cases.Case:
    """A case of side A and what was done in it."""
    state = cases.fold([replace(opened("A", by="ana"), players=4)])
    for act in acts:
        state = cases.fold(cases.decide(Submit(act, PROFILE, four_eyes), state), state)
    return state


def test_who_ruled_does_not_decide_the_appeal_under_another_name() -> None:
    until = minute(9)
    ruled = of("one", CaseRuled("juez", minute(1), RULING, 0, until))
    appealed = Appealed("B", "blas", minute(2), "t")
    decided = AppealDecided("otro", minute(3), "t")
    with pytest.raises(Refused) as caught:
        heard(ruled, appealed, of("one", decided))
    assert caught.value.rule == Rule.SAME_PRINCIPAL
    heard(ruled, appealed, of("two", decided))
    noted = heard(ruled, appealed, of("one", decided), four_eyes="noted")
    assert noted.decided is not None
    assert cases.is_appeal_by_same_principal(noted, noted.decided)
    before = heard(of("", ruled), appealed, decided)
    assert before.decided is not None
    assert not cases.is_appeal_by_same_principal(before, before.decided)


# --- any history ---------------------------------------------------------------------------------

PRINCIPALS = st.sampled_from(["one", "two", "three"])
NAMES = st.sampled_from(["ana", "blas", "celia", "juez"])
SIDES = st.sampled_from(["A", "B", "C"])
CODES = st.sampled_from(["", "h1", "h2"])
ACTS: st.SearchStrategy[ResultAct] = st.one_of(
    st.builds(CodeGiven, SIDES, st.just("s"), st.sampled_from(["h1", "h2"]), PRINCIPALS),
    st.builds(
        ResultReported,
        by=NAMES,
        side=st.sampled_from(["", "A", "B"]),
        principal=PRINCIPALS,
        entered_by=st.just(""),
    ),
    st.builds(ResultConfirmed, by=NAMES, side=SIDES, code=CODES, principal=PRINCIPALS),
    st.builds(ResultMadeOfficial, by=NAMES, text=st.sampled_from(["", "t"]), principal=PRINCIPALS),
    st.builds(ResultReopened, by=NAMES, second=NAMES, text=st.just("t"), principal=PRINCIPALS),
)


@given(st.lists(ACTS, max_size=40), st.booleans())
def test_no_history_comes_to_two_acts_of_one_principal_where_two_are_required(
    acts: list[ResultAct], is_of_three: bool
) -> None:
    meeting = (Meeting(THREE) if is_of_three else Meeting()).play("A A A")
    reported, signed = "", ""
    givers: dict[tuple[str, str], str] = {}
    for act in acts:
        try:
            told("required", act, meeting=meeting)
        except Refused:
            continue
        match act:
            case CodeGiven():
                givers[act.side, act.hash] = act.principal
            case ResultReported():
                reported = act.principal
            case ResultConfirmed():
                assert reported != (givers[act.side, act.code] if act.code else act.principal)
            case ResultMadeOfficial():
                signed = act.principal
            case ResultReopened():
                assert act.principal != signed
        assert_two(meeting.state)


def assert_two(state: Encuentro) -> None:
    """No act of the result is noted as of one principal."""
    result = state.result
    assert not any(is_second_by_same_principal(result, one) for one in result.confirmed)
    assert not any(is_second_by_same_principal(result, one) for one in result.reopened)
    if result_stage(state) == "confirmed":
        assert result.reported is not None
        direct = [one.principal for one in result.confirmed if not one.code]
        assert len({result.reported.principal, *direct}) == len(direct) + 1


def test_the_default_law_is_noted() -> None:
    state = told("noted", REPORT).state
    confirmed = of("one", ResultConfirmed("blas", "B"))
    assert encuentro.decide(Note(confirmed), state) == (confirmed,)


CASE_ACTS: st.SearchStrategy[CaseAct] = st.one_of(
    st.builds(
        CaseRuled,
        by=NAMES,
        at=st.just(minute(1)),
        verdict=st.just(RULING),
        act=st.just(0),
        appeal_until=st.just(minute(9)),
        principal=PRINCIPALS,
    ),
    st.builds(Appealed, side=SIDES, by=NAMES, at=st.just(minute(2)), text=st.just("t")),
    st.builds(
        AppealDecided, by=NAMES, at=st.just(minute(3)), text=st.just("t"), principal=PRINCIPALS
    ),
)


@given(st.lists(CASE_ACTS, max_size=12))
def test_no_history_of_a_case_has_its_appeal_decided_by_who_ruled(acts: list[CaseAct]) -> None:
    state = heard()
    for act in acts:
        try:
            decided = cases.decide(Submit(act, PROFILE, "required"), state)
        except Refused:
            continue
        state = cases.fold(decided, state)
    if state.decided is not None:
        assert state.ruled is not None
        assert state.ruled.principal != state.decided.principal
        assert not cases.is_appeal_by_same_principal(state, state.decided)
