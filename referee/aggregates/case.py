"""The case as a decider: a dispute about a partida, from its opening to its closing.

It decides who may do what and when, and checks the article that a ruling cites. The partida itself
decides what a ruling changes in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from referee import events as ev
from referee.aggregates.commands import Submit
from referee.errors import Refused
from referee.rules.articles import Rule
from referee.rules.seats import SIDES

MEDIA_TYPES = ("image/jpeg", "image/png", "image/webp", "image/heic", "image/avif")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Case(msgspec.Struct, frozen=True):
    """A case folded from its log. ``version`` counts the acts."""

    opened: ev.CaseOpened | None = None
    version: int = 0
    evidence: tuple[ev.EvidenceAttached, ...] = ()
    ruled: ev.CaseRuled | None = None
    appealed: ev.Appealed | None = None
    decided: ev.AppealDecided | None = None
    closed: ev.CaseClosed | None = None

    @property
    def stage(self) -> ev.CaseStage:
        """Stage of the case."""
        if self.closed is not None:
            return "closed"
        if self.decided is not None:
            return "settled"
        if self.appealed is not None:
            return "appealed"
        return "open" if self.ruled is None else "ruled"

    @property
    def ruling(self) -> ev.CaseRuling | None:
        """The ruling in force, of the appeal if it changed the first one; None before any."""
        if self.decided is not None and self.decided.verdict is not None:
            return self.decided.verdict
        return None if self.ruled is None else self.ruled.verdict

    @property
    def lines_of_rulings(self) -> tuple[int, ...]:
        """Lines of the partida that only this case may change."""
        ruled = () if self.ruled is None else (self.ruled.act,)
        changed = () if self.decided is None else self.decided.acts
        return (*ruled, *changed)


INITIAL = Case()


def evolve(state: Case, event: ev.CaseEvent) -> Case:
    """The case after one event. It never refuses: only ``decide`` checks rules."""
    state = replace(state, version=state.version + 1)
    match event:
        case ev.CaseOpened():
            return replace(state, opened=event)
        case ev.EvidenceAttached():
            return replace(state, evidence=(*state.evidence, event))
        case ev.CaseRuled():
            return replace(state, ruled=event)
        case ev.Appealed():
            return replace(state, appealed=event)
        case ev.AppealDecided():
            return replace(state, decided=event)
        case ev.CaseClosed():
            return replace(state, closed=event)
        case _:
            assert_never(event)


def fold(events: Iterable[ev.CaseEvent], state: Case = INITIAL) -> Case:
    """The case after these events."""
    for event in events:
        state = evolve(state, event)
    return state


def decide(command: Submit, state: Case) -> tuple[ev.CaseEvent, ...]:
    """The act that was asked to be recorded.

    :raises Refused: if it cannot be true, or may not be done.
    """
    act = command.act
    _refuse_impossible_case_act(act, state, command.profile)
    if (
        command.four_eyes == "required"
        and isinstance(act, ev.AppealDecided)
        and is_appeal_by_same_principal(state, act)
    ):
        raise Refused(Rule.SAME_PRINCIPAL)
    return (act,)


def is_appeal_by_same_principal(state: Case, act: ev.AppealDecided) -> bool:
    """Whether the principal who gave the ruling also decides the appeal, as far as is recorded."""
    ruled = state.ruled
    return ruled is not None and "" != act.principal == ruled.principal


def ground_of_option(
    profile: ev.FrozenProfile, option: str, basis: Literal["", "stated", "inferred", "silent"] = ""
) -> ev.Ground:
    """The article behind an option of a frozen profile, as a ruling cites it.

    ``basis``: what the ruling says about the rulebook; optional unless the rulebook is silent.

    :raises Refused: the profile has no such option
    """
    found = ev.article_of_option(profile, option)
    if found is None:
        raise Refused(Rule.OPTION_UNKNOWN, option=option)
    said = basis or ("" if found["basis"] == "silent" else found["basis"])
    value = profile.options[option]
    return msgspec.convert({**found, "kind": "article", "value": value, "basis": said}, ev.Ground)


def ruling_act(ruling: ev.CaseRuling) -> ev.RulingGiven:
    """The act of the partida that records a ruling of its case."""
    ground = ruling.ground
    article = ground.kind.replace("_", "-")
    if ground.kind == "article":
        article = ": ".join(part for part in (ground.option, ground.section) if part)
    return ev.RulingGiven(
        ruling.effect,
        ruling.text,
        side=ruling.side,
        seat=ruling.seat,
        points=ruling.points,
        line=ruling.line,
        article=article,
    )


# --- what is refused -----------------------------------------------------------------------------


def _refuse_impossible_case_act(act: ev.CaseAct, state: Case, profile: ev.FrozenProfile) -> None:
    if isinstance(act, ev.CaseOpened):
        _refuse_impossible_opening(act, state)
        return
    opened = state.opened
    assert opened is not None, "a case is opened before anything is submitted"
    if state.closed is not None:
        raise Refused(Rule.CASE_CLOSED, case=opened.number)
    match act:
        case ev.EvidenceAttached():
            _refuse_unusable_attachment(act, opened.players)
        case ev.CaseRuled():
            _refuse_impossible_ruling(act, state, opened, profile)
        case ev.Appealed():
            _refuse_impossible_appeal(act, state, opened)
        case ev.AppealDecided():
            _refuse_impossible_decision(act, state, opened, profile)
        case ev.CaseClosed():
            _refuse_impossible_closing(act, state, opened)
        case _:
            assert_never(act)


def _refuse_impossible_opening(act: ev.CaseOpened, state: Case) -> None:
    if state.opened is not None:
        raise Refused(Rule.CASE_RUNNING, case=act.number)
    _refuse_unknown_side(act.side, act.players, may_be_nobody=True)
    _refuse_unknown_lines(act.lines, act.seen)
    _refuse_no_reason(act.text)


def _refuse_unknown_side(side: ev.SideName, players: int, *, may_be_nobody: bool = False) -> None:
    if side not in SIDES[players] and not (may_be_nobody and not side):
        raise Refused(Rule.SIDE_UNKNOWN, side=side)


def _refuse_unknown_lines(lines: tuple[int, ...], seen: int) -> None:
    for line in lines:
        if not 1 <= line <= seen:
            raise Refused(Rule.LINE_UNKNOWN, line=line, lines=seen)


def _refuse_no_reason(text: str) -> None:
    if not text:
        raise Refused(Rule.REASON_MISSING)


def _refuse_same_person(person: ev.PersonId, *others: ev.PersonId) -> None:
    if person in others:
        raise Refused(Rule.SAME_PERSON, person=person)


def _refuse_unusable_attachment(act: ev.EvidenceAttached, players: int) -> None:
    _refuse_unknown_side(act.side, players, may_be_nobody=True)
    _refuse_unknown_lines(act.lines, act.seen)
    photo = act.photo
    if not (act.lines or act.text or photo or act.cost):
        raise Refused(Rule.EVIDENCE_UNUSABLE)
    if photo and not (_SHA256.fullmatch(photo.sha256) and photo.media_type in MEDIA_TYPES):
        raise Refused(Rule.EVIDENCE_UNUSABLE, photo=photo.sha256, media_type=photo.media_type)


def _opener_of_side_or_empty(opened: ev.CaseOpened) -> tuple[ev.PersonId, ...]:
    """Tuple of the one person who opened the case for a side, and so may not decide it.

    Empty if the arbiter opened it.
    """
    return (opened.by,) if opened.side else ()


def _refuse_impossible_ruling(
    act: ev.CaseRuled, state: Case, opened: ev.CaseOpened, profile: ev.FrozenProfile
) -> None:
    if state.ruled is not None:
        raise Refused(Rule.CASE_RULED, case=opened.number)
    _refuse_same_person(act.by, *_opener_of_side_or_empty(opened))
    _refuse_bad_ruling(act.verdict, profile)
    if act.appeal_until and act.appeal_until <= act.at:
        raise Refused(Rule.DEADLINE_PAST, until=act.appeal_until)


def _refuse_bad_ruling(ruling: ev.CaseRuling, profile: ev.FrozenProfile) -> None:
    _refuse_no_reason(ruling.text)
    if ruling.effect == "warning" and not (ruling.side or ruling.seat):
        raise Refused(Rule.SIDE_UNKNOWN, side="")
    ground = ruling.ground
    if ground.kind != "article":
        if ground != ev.Ground(ground.kind):
            raise Refused(Rule.OPTION_UNKNOWN, option=ground.option)
        return
    basis = profile.basis.get(ground.option, "silent")
    if ground != replace(ground_of_option(profile, ground.option), basis=basis):
        raise Refused(Rule.BASIS_DIFFERS, option=ground.option, basis=basis)


def _refuse_impossible_appeal(act: ev.Appealed, state: Case, opened: ev.CaseOpened) -> None:
    if state.ruled is None:
        raise Refused(Rule.CASE_NOT_RULED, case=opened.number)
    if state.appealed is not None or not state.ruled.appeal_until:
        raise Refused(Rule.NOT_APPEALABLE, case=opened.number)
    _refuse_unknown_side(act.side, opened.players)
    _refuse_no_reason(act.text)
    if act.at > state.ruled.appeal_until:
        raise Refused(Rule.APPEAL_LATE, until=state.ruled.appeal_until)


def _refuse_impossible_decision(
    act: ev.AppealDecided, state: Case, opened: ev.CaseOpened, profile: ev.FrozenProfile
) -> None:
    if state.ruled is None or state.appealed is None or state.decided is not None:
        raise Refused(Rule.NO_APPEAL, case=opened.number)
    _refuse_same_person(
        act.by, state.ruled.by, state.appealed.by, *_opener_of_side_or_empty(opened)
    )
    _refuse_no_reason(act.text)
    if act.verdict is not None:
        _refuse_bad_ruling(act.verdict, profile)


def _refuse_impossible_closing(act: ev.CaseClosed, state: Case, opened: ev.CaseOpened) -> None:
    for side in act.waived:
        _refuse_unknown_side(side, opened.players)
    match state.stage:
        case "open":
            _refuse_no_reason(act.text)
        case "appealed":
            raise Refused(Rule.APPEAL_RUNNING, case=opened.number)
        case "ruled" if state.ruled and act.at <= state.ruled.appeal_until:
            if set(act.waived) != set(SIDES[opened.players]):
                raise Refused(
                    Rule.APPEAL_RUNNING, case=opened.number, until=state.ruled.appeal_until
                )
        case _:
            pass
