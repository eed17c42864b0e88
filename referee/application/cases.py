"""Cases as the application writes them: case, partida and encuentro in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec.structs import replace

from referee.application.plan import (
    Answer,
    PendingWrite,
    Preview,
    Recording,
    WriteMetadata,
    noticing,
    noting,
    recording,
    refuse_stale,
)
from referee.application.streams import CASE, ENCUENTRO, PlacedEvent, Stream, case_id, partida_id
from referee.encuentro import case as cases
from referee.encuentro import encuentro as encuentros
from referee.encuentro.case import Case
from referee.encuentro.commands import Amend, FollowCase, PartidaCommand, Record, Submit
from referee.encuentro.encuentro import Encuentro, options_of
from referee.encuentro.partida import Partida, table_of
from referee.errors import NotFound, Refused
from referee.events import (
    AppealDecided,
    CaseAct,
    CaseClosed,
    CaseOpened,
    CaseRuled,
    Change,
    EncuentroAct,
    EvidenceAttached,
    PlayResumed,
    PlaySuspended,
    ResultContested,
)
from referee.rules.articles import Rule


@dataclass(frozen=True, slots=True)
class CaseContext:
    """A case with the partida that it is about and the encuentro of both."""

    case: Stream[Case]
    partida: Stream[Partida]
    encuentro: Stream[Encuentro]

    def recording(self, commands: Sequence[PartidaCommand], number: int) -> Recording:
        """What the case of this number records in the partida."""
        return recording(self.partida, self.encuentro, commands, number)


@dataclass(frozen=True, slots=True)
class CaseWrite:
    """An act of a case, with what it records in the partida."""

    act: CaseAct
    recording: Recording


class Disputes:
    """What the application does with cases."""

    if TYPE_CHECKING:  # the application has them

        def _write(self, draft: Callable[[], PendingWrite], meta: WriteMetadata) -> Answer: ...
        def _partida(self, stream_id: UUID) -> Stream[Partida]: ...
        def _encuentro(self, stream_id: UUID) -> Stream[Encuentro]: ...
        def _expected(self, encuentro_id: UUID, expected: int | None) -> Stream[Encuentro]: ...
        def _case(self, stream_id: UUID) -> Stream[Case]: ...

    def case(self, encuentro_id: UUID, number: int) -> Case:
        """A case as it stands now.

        :raises NotFound: the encuentro has no such case
        """
        return self._case(case_id(encuentro_id, number)).state

    def open_case(
        self, encuentro_id: UUID, act: CaseOpened, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """A new case about a partida; where and when it stands is filled in here."""

        def draft() -> PendingWrite:
            return self._opening(self._expected(encuentro_id, expected), act)

        return self._write(draft, meta)

    def contest(
        self,
        encuentro_id: UUID,
        contested: ResultContested,
        act: CaseOpened,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """A side does not accept the result: that is noted, and a case opened."""

        def draft() -> PendingWrite:
            match = self._expected(encuentro_id, expected)
            number = len(match.state.result.cases) + 1
            noted = noting(match, replace(contested, case=number))
            return self._opening(noted.main, act, noted.placed)

        return self._write(draft, meta)

    def submit(
        self,
        encuentro_id: UUID,
        number: int,
        act: CaseAct,
        meta: WriteMetadata,
        expected: int | None = None,
        partida_seen: int | None = None,
    ) -> Answer:
        """An act of a case. ``partida_seen``: the version of its partida that was previewed."""

        def draft() -> PendingWrite:
            hearing = self._hearing(encuentro_id, number)
            refuse_stale(hearing.case.state.version, expected)
            refuse_stale(hearing.partida.state.version, partida_seen, "partida")
            return drafted(hearing, planned(hearing, act), self._partida)

        return self._write(draft, meta)

    def preview_case(self, encuentro_id: UUID, number: int, act: CaseAct) -> tuple[int, Preview]:
        """Version of a case now, and what an act of it would change; nothing is saved."""
        hearing = self._hearing(encuentro_id, number)
        return hearing.case.state.version, planned(hearing, act).recording.preview

    def preview_note(self, encuentro_id: UUID, act: EncuentroAct) -> Preview:
        """What an act of an encuentro itself would change; nothing is saved."""
        return noticing(self._encuentro(encuentro_id).state, act)

    def _hearing(self, encuentro_id: UUID, number: int) -> CaseContext:
        case = self._case(case_id(encuentro_id, number))
        assert case.state.opened is not None
        partida = self._partida(partida_id(encuentro_id, case.state.opened.partida))
        return CaseContext(case, partida, self._encuentro(encuentro_id))

    def _opening(
        self, match: Stream[Encuentro], act: CaseOpened, noted: tuple[PlacedEvent, ...] = ()
    ) -> PendingWrite:
        """A case opened; ``noted`` is what the encuentro records besides, its stream after it."""
        number = len(match.state.result.cases) + 1
        try:
            partida = self._partida(partida_id(match.id, act.partida))
        except NotFound:
            raise Refused(Rule.PARTIDA_UNKNOWN, partida=act.partida) from None
        act = replace(
            act,
            encuentro=str(match.id),
            number=number,
            seen=partida.state.version,
            players=options_of(match.state).players,
        )
        hearing = CaseContext(CASE.empty(case_id(match.id, number)), partida, match)
        return drafted(hearing, planned(hearing, act), self._partida, noted)


def planned(hearing: CaseContext, act: CaseAct) -> CaseWrite:
    """An act of a case with what it does to the partida, so far as it may be done.

    :raises Refused: the case or its partida cannot have it
    """
    version = hearing.partida.state.version
    if isinstance(act, EvidenceAttached):
        act = replace(act, seen=version)
    _decided(hearing, act)
    opened = act if isinstance(act, CaseOpened) else hearing.case.state.opened
    assert opened is not None
    match act:
        case CaseOpened(suspends=True):
            commands: list[PartidaCommand] = [Record(PlaySuspended(act.text))]
        case CaseRuled():
            commands = [*_resumed(hearing, opened), Record(cases.ruling_of(act.verdict))]
            act = replace(act, act=version + len(commands))
        case AppealDecided() if act.verdict is not None:
            return _changed(hearing, opened, act)
        case CaseClosed() if hearing.case.state.ruled is None:
            commands = _resumed(hearing, opened)
        case _:
            commands = []
    return CaseWrite(act, hearing.recording(commands, opened.number))


def _resumed(hearing: CaseContext, opened: CaseOpened) -> list[PartidaCommand]:
    """Play goes on if this case stopped it and nothing else decided the partida."""
    table = table_of(hearing.partida.state)
    goes_on = opened.suspends and table.suspended and table.decided is None
    return [Record(PlayResumed())] if goes_on else []


def _changed(hearing: CaseContext, opened: CaseOpened, act: AppealDecided) -> CaseWrite:
    """The first ruling replaced where it stood; where what came later forbids that, withdrawn and
    the new one given now. A partida can be ruled to a side whatever stands before.
    """
    first = hearing.case.state.ruled
    assert first is not None
    assert act.verdict is not None
    ruling, version = cases.ruling_of(act.verdict), hearing.partida.state.version
    ways: list[tuple[int, list[PartidaCommand]]] = [
        (first.act, [Amend((Change(first.act, "replace", ruling),), act.text)]),
        (version + 2, [Amend((Change(first.act, "withdraw"),), act.text), Record(ruling)]),
    ]
    if ruling.effect == "partida":
        ways.append((version + 1, [Record(ruling)]))
    refused: Refused | None = None
    for line, commands in ways:
        try:
            found = hearing.recording(commands, opened.number)
        except Refused as why:
            refused = refused or why
            continue
        lines = tuple(range(version + 1, version + len(commands) + 1))
        return CaseWrite(replace(act, act=line, acts=lines), found)
    assert refused is not None
    raise refused


def _decided(hearing: CaseContext, act: CaseAct) -> Submit:
    opened = hearing.encuentro.state.opened
    assert opened is not None
    command = Submit(act, opened.profile)
    cases.decide(command, hearing.case.state)
    return command


def drafted(
    hearing: CaseContext,
    plan: CaseWrite,
    load_partida: Callable[[UUID], Stream[Partida]],
    noted: tuple[PlacedEvent, ...] = (),
) -> PendingWrite:
    """Events of the case, of its partida, and of the encuentro that follows both."""
    command = _decided(hearing, plan.act)
    after, placed = CASE.grow(hearing.case, cases.decide(command, hearing.case.state))
    recorded = plan.recording.draft(load_partida)
    match, *later = recorded.others
    opened = after.state.opened
    assert opened is not None
    follow = FollowCase(opened.number, opened.partida, after.state.stage, after.state.lines)
    told: tuple[PlacedEvent, ...] = ()
    if not _is_followed(match.state, follow):
        match, told = ENCUENTRO.grow(match, encuentros.decide(follow, match.state))
    every = placed + noted + recorded.placed + told
    written = {one.stream for one in every}  # its versions guard what is written
    guards = {stream: at for stream, at in recorded.guards.items() if stream not in written}
    return PendingWrite(after, every, (recorded.main, match, *later), guards)


def _is_followed(match: Encuentro, follow: FollowCase) -> bool:
    held = {
        one.case: FollowCase(one.case, one.partida, one.stage, one.lines)
        for one in match.result.cases
    }
    return held.get(follow.case) == follow
