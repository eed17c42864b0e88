"""Commands to cases: case, partida and encuentro are written in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates.case import Case
from referee.aggregates.encuentro import Encuentro, options_of
from referee.aggregates.partida import Partida
from referee.errors import NotFound, Refused
from referee.handlers.handler import Handler
from referee.handlers.hearings import CaseContext, case_write, plan_case_act
from referee.handlers.recordings import Preview, plan_note
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
        return self._writer.write(self._plan_opening, meta, encuentro_id, act, expected)

    def _plan_opening(
        self, encuentro_id: UUID, act: ev.CaseOpened, expected: int | None
    ) -> PendingWrite:
        return self._plan_case(self._writer.stream(ENCUENTRO, encuentro_id, expected), act)

    def contest(
        self,
        encuentro_id: UUID,
        contested: ev.ResultContested,
        act: ev.CaseOpened,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record that a side does not accept the result, and open a case."""
        plan = self._plan_contesting
        return self._writer.write(plan, meta, encuentro_id, contested, act, expected)

    def _plan_contesting(
        self,
        encuentro_id: UUID,
        contested: ev.ResultContested,
        act: ev.CaseOpened,
        expected: int | None,
    ) -> PendingWrite:
        match = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        number = len(match.state.result.cases) + 1
        noted = plan_note(match, replace(contested, case=number))
        return self._plan_case(noted.main, act, noted.placed)

    def submit(
        self,
        encuentro_id: UUID,
        number: int,
        act: ev.CaseAct,
        meta: WriteMetadata,
        expected: int | None = None,
        partida_seen: int | None = None,
    ) -> Answer:
        """Record an act of a case.

        ``partida_seen``: the version of its partida that was previewed.
        """
        if isinstance(act, ev.CaseRuled | ev.AppealDecided):
            act = replace(act, principal=self._principal(meta.by))
        plan = self._plan_act
        return self._writer.write(plan, meta, encuentro_id, number, act, expected, partida_seen)

    def _plan_act(
        self,
        encuentro_id: UUID,
        number: int,
        act: ev.CaseAct,
        expected: int | None,
        partida_seen: int | None,
    ) -> PendingWrite:
        hearing = self._hearing(encuentro_id, number)
        refuse_stale(hearing.case.state.version, expected)
        refuse_stale(hearing.partida.state.version, partida_seen, "partida")
        return case_write(hearing, plan_case_act(hearing, act), self._partida)

    def preview(self, encuentro_id: UUID, number: int, act: ev.CaseAct) -> tuple[int, Preview]:
        """Version of a case now, and what an act of it would change; nothing is saved."""
        hearing = self._hearing(encuentro_id, number)
        return hearing.case.state.version, plan_case_act(hearing, act).recording.preview

    def _hearing(self, encuentro_id: UUID, number: int) -> CaseContext:
        case = self._writer.stream(CASE, case_id(encuentro_id, number))
        assert case.state.opened is not None
        partida = self._partida(partida_id(encuentro_id, case.state.opened.partida))
        encuentro = self._writer.stream(ENCUENTRO, encuentro_id)
        return CaseContext(case, partida, encuentro, self._four_eyes())

    def _plan_case(
        self, match: Stream[Encuentro], act: ev.CaseOpened, noted: tuple[PlacedEvent, ...] = ()
    ) -> PendingWrite:
        """Events of a new case. ``noted``: events of the encuentro in the same write."""
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
        return case_write(hearing, plan_case_act(hearing, act), self._partida, noted)

    def _partida(self, stream_id: UUID) -> Stream[Partida]:
        return self._writer.stream(PARTIDA, stream_id)
