"""The result of an encuentro: provisional, confirmed, official, and what each stage allows."""

from __future__ import annotations

from itertools import takewhile
from typing import Literal, NamedTuple, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.errors import Refused
from referee.rules.articles import Rule

ResultStage: TypeAlias = Literal["open", "provisional", "disputed", "confirmed", "official"]


class Outcome(NamedTuple):
    """How the encuentro was decided, each of its partidas, and the score that was told."""

    won: ev.EncuentroWon | None
    partidas: tuple[ev.OutcomeFollowed, ...]
    score: dict[ev.SideName, int] | None = None


class Result(msgspec.Struct, frozen=True):
    """Who reported and confirmed what; ``of`` is the outcome that they saw.

    ``signed``: every signature; ``reopened`` has the reopening of each, in the same order.
    ``cases`` has one entry for each case of the encuentro, in order, as it stands.
    ``used``: hashes of the codes with which a side confirmed this result or an earlier one.
    ``denied``: a side does not agree with what is reported now.
    """

    codes: tuple[ev.CodeGiven, ...] = ()
    reported: ev.ResultReported | None = None
    of: Outcome = Outcome(None, ())
    confirmed: tuple[ev.ResultConfirmed, ...] = ()
    denied: ev.ResultDenied | None = None
    official: ev.ResultMadeOfficial | None = None
    reopened: tuple[ev.ResultReopened, ...] = ()
    signed: tuple[ev.ResultMadeOfficial, ...] = ()
    cases: tuple[ev.CaseFollowed, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def open_case_numbers(self) -> tuple[int, ...]:
        """Numbers of the cases that are not closed."""
        return tuple(one.case for one in self.cases if one.stage != "closed")

    def latest_code_of_side(self, side: ev.SideName) -> ev.CodeGiven | None:
        """The code that a side got last."""
        return next((one for one in reversed(self.codes) if one.side == side), None)


def evolve(result: Result, event: ev.ResultAct | ev.CaseFollowed, now: Outcome) -> Result:  # noqa: PLR0911 - a case an event
    """The result after one event; ``now`` is the outcome as it stands."""
    match event:
        case ev.CaseFollowed():
            others = [one for one in result.cases if one.case != event.case]
            return replace(result, cases=tuple(sorted([*others, event], key=lambda c: c.case)))
        case ev.CodeGiven():
            return replace(result, codes=(*result.codes, event))
        case ev.ResultReported():
            return replace(result, reported=event, of=now, confirmed=(), denied=None)
        case ev.ResultConfirmed():
            used = (*result.used, event.code) if event.code else result.used
            said_no = result.denied is not None and result.denied.side == event.side
            denied = None if said_no else result.denied
            confirmed = (*result.confirmed, event)
            return replace(result, confirmed=confirmed, used=used, denied=denied)
        case ev.ResultDenied():
            return replace(result, denied=event)
        case ev.ResultContested():
            return replace(result, reported=None, confirmed=(), denied=None)
        case ev.ResultMadeOfficial():
            return replace(result, official=event, signed=(*result.signed, event))
        case ev.ResultReopened():
            reopened = (*result.reopened, event)
            nobody = {"reported": None, "confirmed": (), "denied": None}
            return replace(result, official=None, reopened=reopened, **nobody)
        case _:
            assert_never(event)


def result_with_earlier_reports(result: Result, before: Result) -> Result:
    """The result, with its reports and confirmations set back to those of an earlier result."""
    return replace(
        result,
        reported=before.reported,
        of=before.of,
        confirmed=before.confirmed,
        denied=before.denied,
    )


def is_report_current(result: Result, now: Outcome) -> bool:
    """Whether a result was reported and has not changed since."""
    return result.reported is not None and result.of == now


def stage(result: Result, now: Outcome, sides: tuple[ev.SideName, ...]) -> ResultStage:
    """Stage of the result of an encuentro."""
    if now.won is None:
        return "open"
    if result.official is not None:
        return "official"
    if result.open_case_numbers:
        return "disputed"
    if is_entered_officially(result, now):
        return "official"
    if is_denied(result, now):
        return "disputed"
    return "confirmed" if is_agreed(result, now, sides) else "provisional"


def is_entered_officially(result: Result, now: Outcome) -> bool:
    """Whether an official of the club entered the result as it stands."""
    reported = result.reported
    return (
        is_report_current(result, now)
        and reported is not None
        and reported.entered_by == "official"
    )


def is_denied(result: Result, now: Outcome) -> bool:
    """Whether a side does not agree with the result as it stands."""
    return is_report_current(result, now) and result.denied is not None


def is_agreed(result: Result, now: Outcome, sides: tuple[ev.SideName, ...]) -> bool:
    """Whether every side agreed with the result as it stands."""
    return is_report_current(result, now) and not sides_yet_to_agree(result, sides)


def sides_yet_to_agree(result: Result, sides: tuple[ev.SideName, ...]) -> tuple[ev.SideName, ...]:
    """Sides that neither reported nor confirmed; none has to if an official entered the result."""
    if result.reported is not None and result.reported.entered_by:
        return ()
    agreed = {one.side for one in (result.reported, *result.confirmed) if one is not None}
    return tuple(side for side in sides if side not in agreed)


def is_second_by_same_principal(
    result: Result, act: ev.ResultConfirmed | ev.ResultReopened
) -> bool:
    """Whether an act that a second principal should do is of the first one, as far as is recorded.

    A code stands for its side: it counts as given by the principal who got it, not as used by the
    one who keyed it in. Of several sides, each counts against those that confirmed before it.
    """
    if isinstance(act, ev.ResultReopened):
        signed = _signature_before_reopening(result, act) or result.official
        return bool(act.principal) and signed is not None and signed.principal == act.principal
    reported = result.reported
    if reported is None:
        return False
    if act.code:
        used = (act.side, act.code)
        codes = reversed(result.codes)
        given = next((one for one in codes if (one.side, one.hash) == used), None)
        return given is not None and "" != given.principal == reported.principal
    before = takewhile(lambda one: one is not act, result.confirmed)
    others = {reported.principal, *(one.principal for one in before if not one.code)}
    return bool(act.principal) and act.principal in others


def _signature_before_reopening(
    result: Result, act: ev.ResultReopened
) -> ev.ResultMadeOfficial | None:
    """The signature that a reopening undid; None if it is not recorded yet."""
    pairs = zip(result.signed, result.reopened, strict=False)
    return next((signed for signed, reopened in pairs if reopened is act), None)


def refuse_impossible_result_act(
    result: Result,
    act: ev.ResultAct,
    now: Outcome,
    sides: tuple[ev.SideName, ...],
    four_eyes: ev.FourEyes = "noted",
) -> None:
    """Refuse an act that is not possible.

    :raises Refused: with the rule and the facts against it.
    """
    _refuse_impossible_act(result, act, now, sides)
    if (
        four_eyes == "required"
        and isinstance(act, ev.ResultConfirmed | ev.ResultReopened)
        and is_second_by_same_principal(result, act)
    ):
        raise Refused(Rule.SAME_PRINCIPAL)


def _refuse_impossible_act(  # noqa: C901 - a case an act
    result: Result, act: ev.ResultAct, now: Outcome, sides: tuple[ev.SideName, ...]
) -> None:
    if isinstance(act, ev.ResultReopened):
        _refuse_reopening(result, act)
        return
    side = "" if isinstance(act, ev.ResultMadeOfficial) else act.side
    may_be_nobody = isinstance(act, ev.ResultReported | ev.ResultMadeOfficial)
    if side not in sides and not (may_be_nobody and not side):
        raise Refused(Rule.SIDE_UNKNOWN, side=side)
    if result.official is not None:
        raise Refused(Rule.ACTA_SIGNED)
    if not isinstance(act, ev.CodeGiven) and now.won is None:
        raise Refused(Rule.RESULT_OPEN)
    match act:
        case ev.CodeGiven():
            _refuse_code_again(result, act)
        case ev.ResultReported():
            _refuse_reporting(result, act, now)
        case ev.ResultConfirmed():
            _refuse_confirming(result, act, now)
        case ev.ResultDenied():
            _refuse_denying(result, act, now, sides)
        case ev.ResultContested():
            _refuse_contesting(result, act)
        case ev.ResultMadeOfficial():
            _refuse_signing(result, act, now, sides)
        case _:
            assert_never(act)


def _refuse_reopening(result: Result, act: ev.ResultReopened) -> None:
    if result.official is None:
        raise Refused(Rule.ACTA_NOT_SIGNED)
    if not act.text:
        raise Refused(Rule.REASON_MISSING)
    if act.second == act.by:
        raise Refused(Rule.SAME_PERSON, person=act.by)


def _refuse_code_again(result: Result, act: ev.CodeGiven) -> None:
    """Refuse to give a code again with which a side has confirmed."""
    if act.hash in result.used:
        raise Refused(Rule.CODE_USED, side=act.side)


def _refuse_reporting(result: Result, act: ev.ResultReported, now: Outcome) -> None:
    if result.open_case_numbers:
        raise Refused(Rule.CASE_RUNNING, case=result.open_case_numbers[0])
    if is_entered_officially(result, now) and not act.entered_by:
        raise Refused(Rule.RESULT_ENTERED)


def refuse_late_final_score(
    result: Result,
    act: ev.FinalScoreTold | ev.FinalScoreWithdrawn,
    now: Outcome,
    sides: tuple[ev.SideName, ...],
) -> None:
    """Refuse another final score, or none, where the result as it stands no longer allows that.

    :raises Refused: a case runs, an official entered it, or all agreed
    """
    if act.side and act.side not in sides:
        raise Refused(Rule.SIDE_UNKNOWN, side=act.side)
    if result.open_case_numbers:
        raise Refused(Rule.CASE_RUNNING, case=result.open_case_numbers[0])
    if not act.entered_by:
        _refuse_settled_result(result, now, sides)


def _refuse_settled_result(result: Result, now: Outcome, sides: tuple[ev.SideName, ...]) -> None:
    """Refuse if an official entered the result as it stands, or every side agreed with it."""
    if is_entered_officially(result, now):
        raise Refused(Rule.RESULT_ENTERED)
    if is_agreed(result, now, sides):
        raise Refused(Rule.RESULT_AGREED)


def _refuse_denying(
    result: Result, act: ev.ResultDenied, now: Outcome, sides: tuple[ev.SideName, ...]
) -> None:
    reported = result.reported
    if reported is None or not is_report_current(result, now):
        raise Refused(Rule.RESULT_NOT_REPORTED)
    if result.open_case_numbers:
        raise Refused(Rule.CASE_RUNNING, case=result.open_case_numbers[0])
    _refuse_settled_result(result, now, sides)
    if act.side in {reported.side, *(one.side for one in result.confirmed)}:
        raise Refused(Rule.OWN_RESULT, side=act.side)


def _refuse_confirming(result: Result, act: ev.ResultConfirmed, now: Outcome) -> None:
    reported = result.reported
    if reported is None or not is_report_current(result, now):
        raise Refused(Rule.RESULT_NOT_REPORTED)
    if act.side in {reported.side, *(one.side for one in result.confirmed)}:
        raise Refused(Rule.OWN_RESULT, side=act.side)
    if act.by and act.by in {reported.by, *(one.by for one in result.confirmed)}:
        raise Refused(Rule.SAME_PERSON, person=act.by)
    if act.code:
        given = result.latest_code_of_side(act.side)
        if given is None or given.hash != act.code:
            raise Refused(Rule.CODE_WRONG, side=act.side)
        if act.code in result.used:
            raise Refused(Rule.CODE_USED, side=act.side)


def _refuse_contesting(result: Result, act: ev.ResultContested) -> None:
    if not act.text:
        raise Refused(Rule.REASON_MISSING)
    if act.case != len(result.cases) + 1:
        raise Refused(Rule.CASE_RUNNING, case=act.case)


def _refuse_signing(
    result: Result, act: ev.ResultMadeOfficial, now: Outcome, sides: tuple[ev.SideName, ...]
) -> None:
    if result.open_case_numbers:
        raise Refused(Rule.CASE_RUNNING, case=result.open_case_numbers[0])
    left = sides_yet_to_agree(result, sides) if is_report_current(result, now) else sides
    if left and not act.text:
        raise Refused(Rule.RESULT_UNCONFIRMED, sides=list(left))


def refuse_late_change(
    result: Result, partida: int, events: tuple[ev.PartidaEvent, ...], case: int = 0
) -> None:
    """Refuse events that may no longer be recorded in a partida. ``case``: 0 for none.

    :raises Refused: the acta is signed; a reported result is corrected without a reason; or what
        a case ruled is changed by anything but its appeal
    """
    if result.official is not None and events:
        raise Refused(Rule.ACTA_SIGNED)
    of_cases = {
        line: one.case
        for one in result.cases
        if one.partida == partida and one.case != case
        for line in one.lines
    }
    for event in events:
        if not isinstance(event, ev.LogAmended):
            continue
        if result.reported is not None and not event.text:
            raise Refused(Rule.REASON_MISSING)
        for change in event.changes:
            if change.how != "insert" and change.line in of_cases:
                ruled = of_cases[change.line]
                raise Refused(Rule.RULED_IN_CASE, line=change.line, case=ruled)
