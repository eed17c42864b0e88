"""Commands to encuentros and their partidas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates.commands import PartidaCommand
from referee.aggregates.encuentro import Encuentro, on_day
from referee.aggregates.partida import Partida
from referee.handlers.handler import Handler
from referee.handlers.recordings import (
    Preview,
    Recording,
    plan_note,
    plan_notes,
    plan_partida,
    plan_record,
    preview_note_of,
)
from referee.kinds import ENCUENTRO, PARTIDA, partida_id
from referee.log.streams import Answer, PendingWrite, Stream, WriteMetadata
from referee.log.writer import Writer


class EncuentroHandler(Handler):
    """Reads and records encuentros and partidas."""

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

    def partida(self, partida_id: UUID) -> Partida:
        """A partida as it stands now.

        :raises NotFound: no partida has this id
        """
        return self._writer.stream(PARTIDA, partida_id).state

    def encuentro(self, encuentro_id: UUID) -> Encuentro:
        """An encuentro as it stands now.

        :raises NotFound: no encuentro has this id
        """
        return self._writer.stream(ENCUENTRO, encuentro_id).state

    def preview(self, partida_id: UUID, commands: Sequence[PartidaCommand]) -> Preview:
        """What commands would change; nothing is saved."""
        return self._recording(self._writer.stream(PARTIDA, partida_id), commands).preview

    def preview_note(self, encuentro_id: UUID, act: ev.EncuentroAct) -> Preview:
        """What an act of an encuentro itself would change; nothing is saved."""
        return preview_note_of(self.encuentro(encuentro_id), act)

    def open(
        self, opened: ev.EncuentroOpened, meta: WriteMetadata, encuentro_id: UUID | None = None
    ) -> Answer:
        """A new encuentro.

        :raises Stale: the id is taken
        """
        new = self._writer.new_id() if encuentro_id is None else encuentro_id
        return self._writer.write(self._plan_opening, meta, new, opened)

    def _plan_opening(self, new: UUID, opened: ev.EncuentroOpened) -> PendingWrite:
        self._writer.refuse_taken(ENCUENTRO, new)
        return plan_note(ENCUENTRO.empty(new), opened)

    def note(
        self,
        encuentro_id: UUID,
        act: ev.EncuentroAct,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record an act of an encuentro: a draw, the seats, a ruling, an act about its result."""
        return self.note_all(encuentro_id, (act,), meta, expected)

    def date(
        self, encuentro_id: UUID, day: str, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Correct the day of an encuentro, whatever was recorded at it."""
        return self._writer.write(self._plan_day, meta, encuentro_id, day, expected)

    def _plan_day(self, encuentro_id: UUID, day: str, expected: int | None) -> PendingWrite:
        stream = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        return plan_note(stream, on_day(stream.state, day))

    def note_all(
        self,
        encuentro_id: UUID,
        acts: Sequence[ev.EncuentroAct],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of an encuentro in order, all or none."""
        assert acts
        for act in acts:
            assert not isinstance(
                act, ev.EncuentroOpened | ev.PartidaStarted | ev.ResultContested
            ), act
        principal = self._principal(meta.by)
        signed = [_by_principal(act, principal) for act in acts]
        return self._writer.write(self._plan_notes, meta, encuentro_id, signed, expected)

    def _plan_notes(
        self, encuentro_id: UUID, acts: Sequence[ev.EncuentroAct], expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        return plan_notes(stream, acts, self._four_eyes())

    def start_partida(
        self, encuentro_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """Start the next partida of an encuentro; its id is ``partida_id`` of both."""
        return self._writer.write(self._plan_partida, meta, encuentro_id, expected)

    def _plan_partida(self, encuentro_id: UUID, expected: int | None) -> PendingWrite:
        stream = self._writer.stream(ENCUENTRO, encuentro_id, expected)
        played = len(stream.state.partidas)
        before = partida_id(encuentro_id, played)
        return plan_partida(stream, self._writer.stream(PARTIDA, before) if played else None)

    def record(
        self,
        partida_id: UUID,
        commands: Sequence[PartidaCommand],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Record acts of a partida, all or none, and update its encuentro with them."""
        assert commands
        return self._writer.write(self._plan_record, meta, partida_id, commands, expected)

    def _plan_record(
        self, partida_id: UUID, commands: Sequence[PartidaCommand], expected: int | None
    ) -> PendingWrite:
        stream = self._writer.stream(PARTIDA, partida_id, expected)
        recording = self._recording(stream, commands)
        return recording.pending_write(lambda one: self._writer.stream(PARTIDA, one))

    def _recording(self, stream: Stream[Partida], commands: Sequence[PartidaCommand]) -> Recording:
        assert stream.state.opened is not None
        encuentro = self._writer.stream(ENCUENTRO, UUID(stream.state.opened.encuentro))
        return plan_record(stream, encuentro, commands)


def _by_principal(act: ev.EncuentroAct, principal: ev.PrincipalId) -> ev.EncuentroAct:
    """An act of the result with who was signed in, which no body can say."""
    match act:
        case (
            ev.CodeGiven()
            | ev.ResultReported()
            | ev.ResultConfirmed()
            | ev.ResultDenied()
            | ev.ResultMadeOfficial()
            | ev.ResultReopened()
        ):
            return replace(act, principal=principal)
        case _:
            return act
