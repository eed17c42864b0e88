"""Commands to cases: case, partida and encuentro are written in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates import case as cases
from referee.aggregates import encuentro as encuentros
from referee.aggregates.case import Case
from referee.aggregates.commands import Amend, FollowCase, PartidaCommand, Record, Submit
from referee.aggregates.encuentro import Encuentro, options_of
from referee.aggregates.partida import Partida
from referee.errors import NotFound, Refused
from referee.handlers.encuentros import Preview, Recording, plan_encuentro_act, plan_recording
from referee.handlers.handler import Handler
from referee.kinds import CASE, ENCUENTRO, PARTIDA, case_id, partida_id
from referee.log.streams import (
    Answer,
    PendingWrite,
    PlacedEvent,
    Stream,
    WriteMetadata,
    refuse_stale,
)
from referee.log.writer import Writer
from referee.rules.articles import Rule


@dataclass(frozen=True, slots=True)
class CaseContext:
    """A case with the partida that it is about and the encuentro of both.

    ``four_eyes``: what the club chose about two persons.
    """

    case: Stream[Case]
    partida: Stream[Partida]
    encuentro: Stream[Encuentro]
    four_eyes: ev.FourEyes = "noted"

    def plan_partida_recording(self, commands: Sequence[PartidaCommand], number: int) -> Recording:
        """Plan what the case of this number records in the partida."""
        return plan_recording(self.partida, self.encuentro, commands, number)


@dataclass(frozen=True, slots=True)
class CaseWrite:
    """An act of a case, with what it records in the partida."""

    act: ev.CaseAct
    recording: Recording


def plan_case_act(hearing: CaseContext, act: ev.CaseAct) -> CaseWrite:
    """Plan an act of a case and what it changes in the partida.

    :raises Refused: the case or its partida cannot have it
    """
    version = hearing.partida.state.version
    if isinstance(act, ev.EvidenceAttached):
        act = replace(act, seen=version)
    _decide(hearing, act)
    opened = act if isinstance(act, ev.CaseOpened) else hearing.case.state.opened
    assert opened is not None
    match act:
        case ev.CaseOpened(suspends=True):
            commands: list[PartidaCommand] = [Record(ev.PlaySuspended(act.text))]
        case ev.CaseRuled():
            commands = [
                *_commands_to_resume_play(hearing, opened),
                Record(cases.ruling_act(act.verdict)),
            ]
            act = replace(act, act=version + len(commands))
        case ev.AppealDecided() if act.verdict is not None:
            return _plan_ruling_change(hearing, opened, act)
        case ev.CaseClosed() if hearing.case.state.ruled is None:
            commands = _commands_to_resume_play(hearing, opened)
        case _:
            commands = []
    return CaseWrite(act, hearing.plan_partida_recording(commands, opened.number))


def _commands_to_resume_play(hearing: CaseContext, opened: ev.CaseOpened) -> list[PartidaCommand]:
    """Command that resumes play, if this case suspended it and the partida is still undecided.

    Else none.
    """
    table = hearing.partida.state.table
    goes_on = opened.suspends and table.suspended and table.decided is None
    return [Record(ev.PlayResumed())] if goes_on else []


def _plan_ruling_change(
    hearing: CaseContext, opened: ev.CaseOpened, act: ev.AppealDecided
) -> CaseWrite:
    """Plan to replace the first ruling at its line, or to withdraw it and give the new one now.

    The second happens if later acts forbid a change at that line. A partida can be ruled to a side
    after any acts.
    """
    first = hearing.case.state.ruled
    assert first is not None
    assert act.verdict is not None
    ruling, version = cases.ruling_act(act.verdict), hearing.partida.state.version
    ways: list[tuple[int, list[PartidaCommand]]] = [
        (first.act, [Amend((ev.Change(first.act, "replace", ruling),), act.text)]),
        (version + 2, [Amend((ev.Change(first.act, "withdraw"),), act.text), Record(ruling)]),
    ]
    if ruling.effect == "partida":
        ways.append((version + 1, [Record(ruling)]))
    refused: Refused | None = None
    for line, commands in ways:
        try:
            found = hearing.plan_partida_recording(commands, opened.number)
        except Refused as why:
            refused = refused or why
            continue
        lines = tuple(range(version + 1, version + len(commands) + 1))
        return CaseWrite(replace(act, act=line, acts=lines), found)
    assert refused is not None
    raise refused


def _decide(hearing: CaseContext, act: ev.CaseAct) -> tuple[ev.CaseEvent, ...]:
    opened = hearing.encuentro.state.opened
    assert opened is not None
    return cases.decide(Submit(act, opened.profile, hearing.four_eyes), hearing.case.state)


def pending_write_of_case(
    hearing: CaseContext,
    plan: CaseWrite,
    load_partida: Callable[[UUID], Stream[Partida]],
    noted: tuple[PlacedEvent, ...] = (),
) -> PendingWrite:
    """The pending write of a planned act of a case.

    Events of the case, of its partida, and of the encuentro of both.
    """
    after, placed = CASE.grow_and_place_events(hearing.case, _decide(hearing, plan.act))
    recorded = plan.recording.pending_write(load_partida)
    match, *later = recorded.others
    opened = after.state.opened
    assert opened is not None
    follow = FollowCase(
        opened.number, opened.partida, after.state.stage, after.state.lines_of_rulings
    )
    followed: tuple[PlacedEvent, ...] = ()
    if not _has_followed_case(match.state, follow):
        match, followed = ENCUENTRO.grow_and_place_events(
            match, encuentros.decide(follow, match.state)
        )
    every = placed + noted + recorded.placed + followed
    written = {one.stream for one in every}  # the write checks its version
    guards = {stream: at for stream, at in recorded.guards.items() if stream not in written}
    return PendingWrite(after, every, (recorded.main, match, *later), guards)


def _has_followed_case(match: Encuentro, follow: FollowCase) -> bool:
    """Whether the encuentro already has the stage and the lines of a case as they are now."""
    held = {
        one.case: FollowCase(one.case, one.partida, one.stage, one.lines)
        for one in match.result.cases
    }
    return held.get(follow.case) == follow


class CaseHandler(Handler):
    """Reads and records cases."""

    def __init__(
        self,
        writer: Writer,
        four_eyes: Callable[[], ev.FourEyes],
        principal: Callable[[ev.HolderId], ev.PrincipalId],
    ) -> None:
        """Handle commands with a writer.

        ``four_eyes``: what the club chose about two persons; ``principal``: who counts as one.
        """
        super().__init__(writer)
        self._four_eyes, self._principal = four_eyes, principal

    def case(self, encuentro_id: UUID, number: int) -> Case:
        """A case as it stands now.

        :raises NotFound: the encuentro has no such case
        """
        return self._writer.stream(CASE, case_id(encuentro_id, number)).state

    def open(
        self,
        encuentro_id: UUID,
        act: ev.CaseOpened,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Open a case about a partida; the current lines and the time are filled in here."""
        return self._writer.plan_and_save(self._plan_opening, meta, encuentro_id, act, expected)

    def _plan_opening(
        self, encuentro_id: UUID, act: ev.CaseOpened, expected: int | None
    ) -> PendingWrite:
        return self._plan_new_case(self._writer.stream(ENCUENTRO, encuentro_id, expected), act)

    def contest_result(
        self,
        encuentro_id: UUID,
        contested: ev.ResultContested,
        act: ev.CaseOpened,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record that a side does not accept the result, and open a case."""
        plan = self._plan_contesting
        return self._writer.plan_and_save(plan, meta, encuentro_id, contested, act, expected)

    def _plan_contesting(
        self,
        encuentro_id: UUID,
        contested: ev.ResultContested,
        act: ev.CaseOpened,
        expected: int | None,
    ) -> PendingWrite:
        match = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        number = len(match.state.result.cases) + 1
        noted = plan_encuentro_act(match, replace(contested, case=number))
        return self._plan_new_case(noted.main, act, noted.placed)

    def record(
        self,
        encuentro_id: UUID,
        number: int,
        act: ev.CaseAct,
        meta: WriteMetadata,
        expected: int | None = None,
        partida_seen: int | None = None,
    ) -> Answer:
        """Record an act of a case.

        ``partida_seen``: the version of its partida in the preview that is confirmed.
        """
        if isinstance(act, ev.CaseRuled | ev.AppealDecided):
            act = replace(act, principal=self._principal(meta.by))
        plan = self._plan_act
        return self._writer.plan_and_save(
            plan, meta, encuentro_id, number, act, expected, partida_seen
        )

    def _plan_act(
        self,
        encuentro_id: UUID,
        number: int,
        act: ev.CaseAct,
        expected: int | None,
        partida_seen: int | None,
    ) -> PendingWrite:
        hearing = self._load_case_context(encuentro_id, number)
        refuse_stale(hearing.case.state.version, expected)
        refuse_stale(hearing.partida.state.version, partida_seen, "partida")
        return pending_write_of_case(hearing, plan_case_act(hearing, act), self._partida_stream)

    def case_version_and_preview(
        self, encuentro_id: UUID, number: int, act: ev.CaseAct
    ) -> tuple[int, Preview]:
        """Version of a case now, and what an act of it would change; nothing is saved."""
        hearing = self._load_case_context(encuentro_id, number)
        return hearing.case.state.version, plan_case_act(hearing, act).recording.preview

    def _load_case_context(self, encuentro_id: UUID, number: int) -> CaseContext:
        case = self._writer.stream(CASE, case_id(encuentro_id, number))
        assert case.state.opened is not None
        partida = self._partida_stream(partida_id(encuentro_id, case.state.opened.partida))
        encuentro = self._writer.stream(ENCUENTRO, encuentro_id)
        return CaseContext(case, partida, encuentro, self._four_eyes())

    def _plan_new_case(
        self, match: Stream[Encuentro], act: ev.CaseOpened, noted: tuple[PlacedEvent, ...] = ()
    ) -> PendingWrite:
        """Plan a new case. ``noted``: events of the encuentro in the same write."""
        number = len(match.state.result.cases) + 1
        try:
            partida = self._partida_stream(partida_id(match.id, act.partida))
        except NotFound:
            raise Refused(Rule.PARTIDA_UNKNOWN, partida=act.partida) from None
        act = replace(
            act,
            encuentro=str(match.id),
            number=number,
            seen=partida.state.version,
            players=options_of(match.state).players,
        )
        hearing = CaseContext(CASE.empty_stream(case_id(match.id, number)), partida, match)
        return pending_write_of_case(
            hearing, plan_case_act(hearing, act), self._partida_stream, noted
        )

    def _partida_stream(self, stream_id: UUID) -> Stream[Partida]:
        return self._writer.stream(PARTIDA, stream_id)
