"""Cases: case, partida and encuentro written in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from msgspec.structs import replace

from referee.encuentro.case import Case
from referee.encuentro.encuentro import Encuentro, options_of
from referee.encuentro.hearing import CaseContext, case_write, plan_case_act
from referee.encuentro.partida import Partida
from referee.encuentro.planning import Preview, plan_note
from referee.encuentro.streams import CASE, ENCUENTRO, PARTIDA, case_id, partida_id
from referee.errors import NotFound, Refused
from referee.events import (
    AppealDecided,
    CaseAct,
    CaseOpened,
    CaseRuled,
    FourEyes,
    HolderId,
    PrincipalId,
    ResultContested,
)
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


class CaseService:
    """Reads and records cases."""

    def __init__(
        self,
        writer: Writer,
        four_eyes: Callable[[], FourEyes],
        principal: Callable[[HolderId], PrincipalId],
    ) -> None:
        """Services around a writer.

        ``four_eyes``: what the club chose about two persons; ``principal``: who counts as one.
        """
        self._writer = writer
        self._four_eyes, self._principal = four_eyes, principal

    def case(self, encuentro_id: UUID, number: int) -> Case:
        """A case as it stands now.

        :raises NotFound: the encuentro has no such case
        """
        return self._writer.stream(CASE, case_id(encuentro_id, number)).state

    def open(
        self, encuentro_id: UUID, act: CaseOpened, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Open a case about a partida; the current lines and the time are filled in here."""

        def draft() -> PendingWrite:
            return self._opening(self._expected(encuentro_id, expected), act)

        return self._writer.write(draft, meta)

    def contest(
        self,
        encuentro_id: UUID,
        contested: ResultContested,
        act: CaseOpened,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record that a side does not accept the result, and open a case."""

        def draft() -> PendingWrite:
            match = self._expected(encuentro_id, expected)
            number = len(match.state.result.cases) + 1
            noted = plan_note(match, replace(contested, case=number))
            return self._opening(noted.main, act, noted.placed)

        return self._writer.write(draft, meta)

    def submit(
        self,
        encuentro_id: UUID,
        number: int,
        act: CaseAct,
        meta: WriteMetadata,
        expected: int | None = None,
        partida_seen: int | None = None,
    ) -> Answer:
        """Record an act of a case.

        ``partida_seen``: the version of its partida that was previewed.
        """
        if isinstance(act, CaseRuled | AppealDecided):
            act = replace(act, principal=self._principal(meta.by))

        def draft() -> PendingWrite:
            hearing = self._hearing(encuentro_id, number)
            refuse_stale(hearing.case.state.version, expected)
            refuse_stale(hearing.partida.state.version, partida_seen, "partida")
            return case_write(hearing, plan_case_act(hearing, act), self._partida)

        return self._writer.write(draft, meta)

    def preview(self, encuentro_id: UUID, number: int, act: CaseAct) -> tuple[int, Preview]:
        """Version of a case now, and what an act of it would change; nothing is saved."""
        hearing = self._hearing(encuentro_id, number)
        return hearing.case.state.version, plan_case_act(hearing, act).recording.preview

    def _hearing(self, encuentro_id: UUID, number: int) -> CaseContext:
        case = self._writer.stream(CASE, case_id(encuentro_id, number))
        assert case.state.opened is not None
        partida = self._partida(partida_id(encuentro_id, case.state.opened.partida))
        encuentro = self._writer.stream(ENCUENTRO, encuentro_id)
        return CaseContext(case, partida, encuentro, self._four_eyes())

    def _opening(
        self, match: Stream[Encuentro], act: CaseOpened, noted: tuple[PlacedEvent, ...] = ()
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

    def _expected(self, encuentro_id: UUID, expected: int | None) -> Stream[Encuentro]:
        stream = self._writer.stream(ENCUENTRO, encuentro_id)
        refuse_stale(stream.state.version, expected)
        return stream
