"""The only writer: it loads streams, has a write planned, and saves it in one transaction.

An ``Application`` of ``eventsourcing``, without its aggregates that record themselves and its
``save``: a state is shared by threads that read, and folded by projections too (decision 45). What
a table means is kept with the state: without that an act in the store takes 11 times as long (the
page on performance).
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ParamSpec
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError
from eventsourcing.utils import Environment

from referee.errors import KeyReused, NotFound, Refused, Stale
from referee.events import Event
from referee.log.mapper import EventMapper, NoTranscoder, RecordedEvent, timestamp_of_datetime
from referee.log.ports import Address, Log, Receipt, Row
from referee.log.stores import LogFactory, open_log
from referee.log.streams import (
    Answer,
    FreshRepository,
    PendingWrite,
    PlacedEvent,
    StateT,
    Stream,
    StreamKind,
    WriteMetadata,
    refuse_stale,
)

SALT_BYTES = 16
MOMENTS_LOOKED_AT = 2000
_PAGE = 1000
PlanP = ParamSpec("PlanP")
FREE_ATTEMPTS = 2
"""Attempts without the write lock; the next attempt takes the lock first.

With the lock at once, an act of 8 writers takes 2.1 times as long in PostgreSQL, and 1.2 times in
SQLite (docs/developing/performance.md).
"""


@dataclass(frozen=True, slots=True)
class Following:
    """Streams of one kind that record the outcomes of another kind: a tournament, its encuentros.

    ``holder_of``: id of the stream that holds a followed state, if one does.
    ``events``: what the holder records of a followed stream; empty if nothing has changed.
    """

    holder: StreamKind[Any]
    followed: StreamKind[Any]
    holder_of: Callable[[Any], UUID | None]
    events: Callable[[Any, Stream[Any]], tuple[Event, ...]]


class Writer(Application[UUID]):
    """The log, the states of its streams, and the only way to append to it.

    ``clock_behind_s``: how many seconds a clock that shows a moment is known to be behind; events
    recorded then carry it.
    """

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
        self.new_id = new_id
        self._size = kept
        self.on_commit: list[Callable[[Answer], None]] = []
        self.on_refusal: list[Callable[[Refused], None]] = []
        self.followings: list[Following] = []
        self.clock_behind_s: Callable[[datetime], int] = lambda _: 0
        self.address = address
        self._newest_moment, self._moments_read = "", 0
        super().__init__({})
        assert isinstance(self.repository, FreshRepository)
        assert isinstance(self.recorder, Log)
        self._streams, self._log = self.repository, self.recorder
        self._log.max_notification_id()  # opens a connection, which checks its settings

    # --- asking ------------------------------------------------------------------------------

    def stream(
        self, kind: StreamKind[StateT], stream_id: UUID, expected: int | None = None
    ) -> Stream[StateT]:
        """A stream folded from all its events.

        ``expected``: The version that the user saw, if it is to be checked.

        :raises NotFound: nothing of this kind is recorded under the id
        :raises Stale: it is at another version than expected
        """
        found = self._streams.stream(kind, stream_id)
        refuse_stale(found.state.version, expected)
        return found

    def stream_or_empty(
        self, kind: StreamKind[StateT], stream_id: UUID, expected: int | None = None
    ) -> Stream[StateT]:
        """A stream folded from all its events; an empty one if nothing is recorded under the id.

        :raises Stale: it is at another version than expected
        """
        try:
            found = self._streams.stream(kind, stream_id)
        except NotFound:
            found = kind.empty_stream(stream_id)
        refuse_stale(found.state.version, expected)
        return found

    def refuse_taken_id(self, kind: StreamKind[Any], stream_id: UUID) -> None:
        """Raise an error if a stream with this id exists.

        :raises Stale: it is taken
        """
        try:
            taken = self.stream(kind, stream_id)
        except NotFound:
            return
        raise Stale(taken.state.version)

    def history(self, stream_id: UUID) -> list[RecordedEvent]:
        """Every event of a stream, as recorded.

        :raises NotFound: nothing is recorded under this id
        """
        found: Any = list(self.events.get(stream_id))
        if not found:
            raise NotFound(str(stream_id))
        return list(found)

    def rows_of_stream(self, stream_id: UUID, after: int, upto: int, limit: int) -> Sequence[Row]:
        """Rows of a stream after a stream version and up to a log position, in order."""
        return self._log.rows_of_stream(stream_id, after, upto, limit)

    def events_of_wanted_rows(
        self, is_wanted: Callable[[str, bytes], bool]
    ) -> Iterator[RecordedEvent]:
        """Events of the whole log, in order, whose stored name and bytes are wanted.

        Only these are decoded: a search of a large log takes seconds.
        """
        after = 0
        while found := self._log.select_notifications(after, _PAGE, inclusive_of_start=False):
            for stored in found:
                if is_wanted(stored.topic, stored.state):
                    decoded: Any = self.mapper.to_domain_event(stored)
                    yield decoded
            after = found[-1].id

    def position(self) -> int:
        """Position of the last event on the log; 0: nothing is on it."""
        return self._log.max_notification_id() or 0

    def moment_text_at_or_none(self, position: int) -> str | None:
        """Text of when the event at a log position was recorded, in UTC; None if none is there."""
        found = self._log.select_notifications(position, 1)
        if not found or found[0].id != position:
            return None
        recorded: Any = self.mapper.to_domain_event(found[0])
        return str(recorded.at)

    def newest_moment_or_empty(self) -> str:
        """Text of the latest moment of the last events on the log, in UTC.

        Empty if the log is empty.

        A right clock is not before it. Of the events that were recorded before this process began,
        the last few thousand are looked at.
        """
        read = self._moments_read or max(0, self.position() - MOMENTS_LOOKED_AT)
        fresh = self._log.select_notifications(read, MOMENTS_LOOKED_AT, inclusive_of_start=False)
        for stored in fresh:
            recorded: Any = self.mapper.to_domain_event(stored)
            self._newest_moment = max(self._newest_moment, str(recorded.corrected_at))
            self._moments_read = max(self._moments_read, stored.id)
        return self._newest_moment

    # --- writing -----------------------------------------------------------------------------

    def check_by_writing(self) -> None:
        """Test that the log can be read and written: read, and commit a write that changes nothing.

        :raises Exception: of the store, which cannot be read or written
        """
        self._log.check_by_writing()

    def set_waiting_context(self, waiting: Callable[[], AbstractContextManager[object]]) -> None:
        """Set the context that is entered whenever a writer waits for its turn."""
        self._log.set_waiting_context(waiting)

    def plan_and_save(
        self,
        plan: Callable[PlanP, PendingWrite],
        meta: WriteMetadata,
        *about: PlanP.args,
        **more: PlanP.kwargs,
    ) -> Answer:
        """Call ``plan`` for the events and save them in one transaction.

        If another writer was first, plan and save again.

        :raises KeyReused: the key came with another request
        """
        for _ in range(FREE_ATTEMPTS):
            with suppress(IntegrityError):
                return self._plan_and_save_once(plan, meta, *about, **more)
        with self._log.hold_write_lock():
            return self._plan_and_save_once(plan, meta, *about, **more)

    def _plan_and_save_once(
        self,
        plan: Callable[PlanP, PendingWrite],
        meta: WriteMetadata,
        *about: PlanP.args,
        **more: PlanP.kwargs,
    ) -> Answer:
        """Plan and save once; an earlier answer to the same idempotency key is returned instead."""
        if answer := self.answer_to(meta):
            return answer
        try:
            planned = self._add_followers(plan(*about, **more))
        except (Stale, Refused) as no:
            if answer := self.answer_to(meta):  # another thread wrote with this key
                return answer
            if isinstance(no, Refused):
                for listener in self.on_refusal:
                    listener(no)
            raise
        return self._save_and_notify(planned, meta)

    def answer_to(self, meta: WriteMetadata) -> Answer | None:
        """The answer to an earlier request with the same idempotency key; None if there was none.

        :raises KeyReused: the key came with another request
        """
        receipt = self._log.receipt_by_keys_or_none(*meta.idempotency_keys) if meta.key else None
        if receipt is None:
            return None
        if not meta.is_same_request(receipt):
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

    def _save_and_notify(self, planned: PendingWrite, meta: WriteMetadata) -> Answer:
        recorded: list[Any] = self._events_to_record(planned.placed, meta)
        version, lines = planned.main.state.version, planned.act_lines_of_main
        receipt = (
            Receipt(meta.digest, version, lines, planned.stream_version_spans) if meta.key else None
        )
        guards = planned.guards
        saved = self.events.put(recorded, key=meta.key_with_device, receipt=receipt, guards=guards)
        for stream in (planned.main, *planned.others):
            self._streams.put_in_cache(stream)
        position = saved[-1].notification.id if saved else self._log.max_notification_id()
        answer = Answer(
            planned.main.id, version, position, lines, tuple(recorded), state=planned.main.state
        )
        for listener in self.on_commit:
            listener(answer)
        return answer

    def _events_to_record(self, placed: Sequence[PlacedEvent], meta: WriteMetadata) -> list[Any]:
        """New events with their moment, author, device and salt, ready to be saved."""
        at, behind_s = timestamp_of_datetime(meta.at), self.clock_behind_s(meta.at)
        salts = [base64.urlsafe_b64encode(self._salt(SALT_BYTES))[:22].decode() for _ in placed]
        return [
            RecordedEvent(
                *(p.stream, p.version, p.line, at, meta.by, meta.device, salt, p.event, behind_s)
            )
            for p, salt in zip(placed, salts, strict=True)
        ]

    def _add_followers(self, planned: PendingWrite) -> PendingWrite:
        """The planned write with the events that other streams have to record because of it."""
        written = {one.stream for one in planned.placed}
        placed, others = planned.placed, planned.others
        for stream in (planned.main, *planned.others):
            if stream.id in written:
                for holder, more in self._holders_with_new_events(stream):
                    placed += more
                    others += (holder,)
        return PendingWrite(planned.main, placed, others, planned.guards)

    def _holders_with_new_events(
        self, stream: Stream[Any]
    ) -> list[tuple[Stream[Any], tuple[PlacedEvent, ...]]]:
        """Streams that have to record the outcome of a changed stream, each with its new events."""
        found = []
        for one in self.followings:
            if not isinstance(stream.state, type(one.followed.initial)):
                continue
            holder_id = one.holder_of(stream.state)
            if holder_id is None or not self._streams.is_of_kind(one.holder, holder_id):
                continue
            before = self.stream(one.holder, holder_id)
            if events := one.events(before.state, stream):
                found.append(one.holder.grow_and_place_events(before, events))
        return found

    # --- the library's parts -----------------------------------------------------------------

    def construct_env(self, name: str, env: Any = None) -> Environment:
        """Settings for the library, from the caller alone and not from the process environment."""
        return Environment(name, env)

    def construct_factory(self, env: Environment) -> Any:
        """Factory of the store that the address names."""
        return LogFactory(open_log(self.address))

    def construct_mapper(self) -> EventMapper:
        """Stored names and envelopes."""
        return EventMapper(NoTranscoder())

    def construct_repository(self) -> FreshRepository:
        """Cache of states."""
        return FreshRepository(self.events, self._size)
