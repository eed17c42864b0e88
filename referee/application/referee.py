"""The application: the only writer. It loads, decides, and saves in one transaction."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError
from eventsourcing.utils import Environment

from referee.application.access import Admissions
from referee.application.cases import Disputes
from referee.application.club import Membership
from referee.application.plan import (
    Answer,
    PendingWrite,
    Preview,
    Recording,
    WriteMetadata,
    noting,
    number_of,
    recording,
    refuse_stale,
    starting,
)
from referee.application.seasons import Seasons
from referee.application.streams import (
    CASE,
    ENCUENTRO,
    PARTIDA,
    FreshRepository,
    PlacedEvent,
    Stream,
    case_id,
    partida_id,
)
from referee.application.tournaments import Tournaments
from referee.encuentro.case import Case
from referee.encuentro.commands import PartidaCommand
from referee.encuentro.encuentro import Encuentro
from referee.encuentro.partida import Partida
from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events import EncuentroAct, EncuentroOpened, PartidaStarted, ResultContested
from referee.log.mapper import EventMapper, NoTranscoder, RecordedEvent, timestamp
from referee.log.ports import Address, Log, Receipt, Row
from referee.log.stores import LogFactory, open_log
from referee.tournament.errors import TournamentError

__all__ = ["Answer", "Preview", "Referee", "WriteMetadata", "case_id", "partida_id", "timestamp"]

SALT_BYTES = 16
FREE_ATTEMPTS = 2
"""Attempts made on the fresh state without the right to write; the next one has it first."""


class Referee(Disputes, Admissions, Membership, Seasons, Tournaments, Application[UUID]):
    """The law and the log of every encuentro."""

    name = "referee"

    def __init__(
        self,
        address: Address,
        *,
        salt: Callable[[int], bytes],
        new_id: Callable[[], UUID],
        kept: int = 512,
    ) -> None:
        self._salt = salt
        self._new_id = new_id
        self._size = kept
        self.on_commit: list[Callable[[int], None]] = []
        self._address = address
        super().__init__({})
        self._log.max_notification_id()  # opens a connection, which asserts its settings

    # --- asking ------------------------------------------------------------------------------

    def partida(self, partida_id: UUID) -> Partida:
        """A partida as it stands now.

        :raises NotFound: no partida has this id
        """
        return self._partida(partida_id).state

    def encuentro(self, encuentro_id: UUID) -> Encuentro:
        """An encuentro as it stands now.

        :raises NotFound: no encuentro has this id
        """
        return self._encuentro(encuentro_id).state

    def history(self, stream_id: UUID) -> list[RecordedEvent]:
        """Every event of a stream, as recorded.

        :raises NotFound: nothing is recorded under this id
        """
        found: Any = list(self.events.get(stream_id))
        if not found:
            raise NotFound(str(stream_id))
        return list(found)

    def trail(self, stream_id: UUID, after: int, upto: int, limit: int) -> Sequence[Row]:
        """Rows of a stream after a place in it and up to a position, in order."""
        return self._log.trail(stream_id, after, upto, limit)

    def preview(self, partida_id: UUID, commands: Sequence[PartidaCommand]) -> Preview:
        """What commands would do; nothing is saved."""
        return self._recording(self._partida(partida_id), commands).preview

    # --- writing -----------------------------------------------------------------------------

    def open_encuentro(
        self, opened: EncuentroOpened, meta: WriteMetadata, encuentro_id: UUID | None = None
    ) -> Answer:
        """A new encuentro.

        :raises Stale: the id is taken
        """
        new = self._new_id() if encuentro_id is None else encuentro_id

        def draft() -> PendingWrite:
            try:
                taken = self._encuentro(new)
            except NotFound:
                return noting(ENCUENTRO.empty(new), opened)
            raise Stale(taken.state.version)

        return self._write(draft, meta)

    def note(
        self,
        encuentro_id: UUID,
        act: EncuentroAct,
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """An act of an encuentro: a draw, the seats, a substitution, a ruling."""
        assert not isinstance(act, EncuentroOpened | PartidaStarted | ResultContested), act
        return self._write(lambda: noting(self._expected(encuentro_id, expected), act), meta)

    def start_partida(
        self, encuentro_id: UUID, meta: WriteMetadata, expected: int | None = None
    ) -> Answer:
        """The next partida of an encuentro; its id is ``partida_id`` of both."""

        def draft() -> PendingWrite:
            stream = self._expected(encuentro_id, expected)
            played = len(stream.state.partidas)
            previous = self._partida(partida_id(encuentro_id, played)) if played else None
            return starting(stream, previous)

        return self._write(draft, meta)

    def record(
        self,
        partida_id: UUID,
        commands: Sequence[PartidaCommand],
        meta: WriteMetadata,
        expected: int | None = None,
    ) -> Answer:
        """Acts of a partida, one or several, all or none; its encuentro follows with them."""
        assert commands

        def draft() -> PendingWrite:
            stream = self._partida(partida_id)
            refuse_stale(stream.state.version, expected)
            return self._recording(stream, commands).draft(self._partida)

        kept, answer = self._streams.kept(PARTIDA, partida_id), None
        if kept is not None and kept.state.version == expected:
            answer = self._at_once(kept, commands, meta)
        return answer or self._write(draft, meta)

    # --- inside ------------------------------------------------------------------------------

    def _recording(self, stream: Stream[Partida], commands: Sequence[PartidaCommand]) -> Recording:
        assert stream.state.opened is not None
        return recording(stream, self._encuentro(UUID(stream.state.opened.encuentro)), commands)

    def _expected(self, encuentro_id: UUID, expected: int | None) -> Stream[Encuentro]:
        stream = self._encuentro(encuentro_id)
        refuse_stale(stream.state.version, expected)
        return stream

    def _partida(self, stream_id: UUID) -> Stream[Partida]:
        return self._streams.stream(PARTIDA, stream_id)

    def _encuentro(self, stream_id: UUID) -> Stream[Encuentro]:
        return self._streams.stream(ENCUENTRO, stream_id)

    def _case(self, stream_id: UUID) -> Stream[Case]:
        return self._streams.stream(CASE, stream_id)

    def _at_once(
        self, before: Stream[Partida], commands: Sequence[PartidaCommand], meta: WriteMetadata
    ) -> Answer | None:
        """Acts recorded on the states kept, without news of them; None if the log is to be asked.

        What rests on an older state is not taken by the log: the partida is written to, and its
        encuentro guarded. What they refuse may be lawful by now, or answered under the same key.
        """
        assert before.state.opened is not None
        match = self._streams.kept(ENCUENTRO, UUID(before.state.opened.encuentro))
        if match is None or len(match.state.partidas) < number_of(before.state):
            return None
        with suppress(Refused, TournamentError, IntegrityError):
            drafted = recording(before, match, commands).draft(self._partida)
            return self._save(self._followed(drafted), meta)
        return None

    def _write(self, draft: Callable[[], PendingWrite], meta: WriteMetadata) -> Answer:
        """Draft and save; drafted again on the fresh state when another writer came first."""
        for _ in range(FREE_ATTEMPTS):
            with suppress(IntegrityError):
                return self._attempt(draft, meta)
        with self._log.turn():
            return self._attempt(draft, meta)

    def _attempt(self, draft: Callable[[], PendingWrite], meta: WriteMetadata) -> Answer:
        if answer := self._answered(meta):
            return answer
        try:
            drafted = self._followed(draft())
        except (Stale, Refused, TournamentError):
            if answer := self._answered(meta):  # the same key, by another thread, a moment ago
                return answer
            raise
        return self._save(drafted, meta)

    def _answered(self, meta: WriteMetadata) -> Answer | None:
        """The answer given before to the same key.

        :raises KeyReused: the key came with another request
        """
        receipt = self._log.receipt(meta.scoped_key) if meta.key else None
        if receipt is None:
            return None
        if receipt.digest != meta.digest:
            raise KeyReused(meta.key)
        events: list[Any] = []
        for stream, first, last in receipt.streams:
            events += self.events.get(UUID(stream), gt=first - 1, lte=last)
        return Answer(
            UUID(receipt.streams[0][0]),
            receipt.version,
            receipt.position,
            receipt.lines,
            tuple(events),
            replayed=True,
        )

    def _save(self, draft: PendingWrite, meta: WriteMetadata) -> Answer:
        recorded: list[Any] = self._recorded(draft.placed, meta)
        version, lines = draft.main.state.version, draft.lines
        receipt = Receipt(meta.digest, version, lines, draft.spans) if meta.key else None
        saved = self.events.put(recorded, key=meta.scoped_key, receipt=receipt, guards=draft.guards)
        for stream in (draft.main, *draft.others):
            self._streams.keep(stream)
        position = saved[-1].notification.id if saved else self._log.max_notification_id()
        for told in self.on_commit:
            told(position)
        return Answer(
            draft.main.id, version, position, lines, tuple(recorded), state=draft.main.state
        )

    def _recorded(self, placed: Sequence[PlacedEvent], meta: WriteMetadata) -> list[Any]:
        at = timestamp(meta.at)
        salts = [base64.urlsafe_b64encode(self._salt(SALT_BYTES))[:22].decode() for _ in placed]
        return [
            RecordedEvent(p.stream, p.version, p.line, at, meta.by, meta.device, salt, p.event)
            for p, salt in zip(placed, salts, strict=True)
        ]

    # --- the library's parts -----------------------------------------------------------------

    @property
    def _streams(self) -> FreshRepository:
        assert isinstance(self.repository, FreshRepository)
        return self.repository

    @property
    def _log(self) -> Log:
        assert isinstance(self.recorder, Log)
        return self.recorder

    def construct_env(self, name: str, env: Any = None) -> Environment:
        """Settings from the caller alone: the process environment says nothing about the store."""
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> Any:
        """Makers of the store: the address alone says which."""
        return LogFactory(open_log(self._address))

    def construct_mapper(self) -> EventMapper:
        """Stored names and envelopes."""
        return EventMapper(NoTranscoder())

    def construct_repository(self) -> FreshRepository:
        """States kept and carried forward."""
        return FreshRepository(self.events, self._size)
