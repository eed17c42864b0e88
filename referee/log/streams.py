"""Streams: a folded state with its version in the log, its cache, and what a write adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import UnionType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, LRUCache, Repository

from referee.errors import NotFound, Stale
from referee.events import Act, Event
from referee.log.mapper import RecordedEvent
from referee.log.ports import Receipt


class State(Protocol):
    """A folded stream; ``version`` counts its acts."""

    @property
    def version(self) -> int:
        """Number of acts that are recorded in the stream."""
        ...


StateT = TypeVar("StateT", bound=State)
ActT = TypeVar("ActT")


@dataclass(frozen=True, slots=True)
class Stream(Generic[StateT]):
    """A stream up to one of its events. ``version`` is the store's: it counts every event."""

    id: UUID
    version: int
    state: StateT


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """An event with the version it will have in its stream."""

    stream: UUID
    version: int
    line: int
    event: Event


@dataclass(frozen=True, slots=True)
class StreamKind(Generic[StateT]):
    """Kind of a stream: its initial state and its fold function."""

    initial: StateT
    evolve: Callable[[StateT, Any], StateT]
    first: type[Any] | UnionType

    def empty_stream(self, stream_id: UUID) -> Stream[StateT]:
        """A stream with no events yet, in the initial state of its kind."""
        return Stream(stream_id, 0, self.initial)

    def extend_stream_or_none(
        self, stream: Stream[StateT] | None, history: Iterable[RecordedEvent]
    ) -> Stream[StateT] | None:
        """A stream after further recorded events are folded into its state.

        None if there are no events at all.

        :raises NotFound: the stream is of another kind
        """
        state = self.initial if stream is None else stream.state
        evolve, last = self.evolve, None
        for last in history:
            if last.originator_version == 1 and not isinstance(last.event, self.first):
                raise NotFound(str(last.originator_id))
            state = evolve(state, last.event)
        return (
            stream if last is None else Stream(last.originator_id, last.originator_version, state)
        )

    def grow_and_place_events(
        self, stream: Stream[StateT], events: Iterable[Event]
    ) -> tuple[Stream[StateT], tuple[PlacedEvent, ...]]:
        """A stream after new events, and these events with their versions.

        An act gets the next line, a conclusion the line of its act.
        """
        state, version = stream.state, stream.version
        placed: list[PlacedEvent] = []
        for event in events:
            version += 1
            state = self.evolve(state, event)
            placed.append(PlacedEvent(stream.id, version, state.version, event))
        return Stream(stream.id, version, state), tuple(placed)

    def grow_and_place_with_state(
        self, stream: Stream[StateT], events: Iterable[Event], after: StateT
    ) -> tuple[Stream[StateT], tuple[PlacedEvent, ...]]:
        """A stream after one act and its conclusions, where the decider gave the state.

        And the events with their versions.
        """
        placed = tuple(
            PlacedEvent(stream.id, version, after.version, event)
            for version, event in enumerate(events, stream.version + 1)
        )
        return Stream(stream.id, stream.version + len(placed), after), placed

    def grow_and_place_by_acts(
        self,
        stream: Stream[StateT],
        acts: Iterable[ActT],
        decide: Callable[[ActT, StateT], Iterable[Event]],
    ) -> tuple[Stream[StateT], tuple[PlacedEvent, ...]]:
        """A stream after several acts, each decided on the state that the acts before it left.

        And the events with their versions.
        """
        placed: list[PlacedEvent] = []
        for act in acts:
            stream, more = self.grow_and_place_events(stream, decide(act, stream.state))
            placed += more
        return stream, tuple(placed)


class FreshRepository(Repository[UUID]):
    """Current states of streams: a cached state is extended with new events, never changed."""

    def __init__(self, event_store: Any, size: int) -> None:
        super().__init__(event_store)
        self._kept: LRUCache[UUID, Any] = LRUCache(maxsize=size)
        self._first: LRUCache[UUID, type[Any]] = LRUCache(maxsize=size)

    def stream(self, kind: StreamKind[StateT], stream_id: UUID) -> Stream[StateT]:
        """A stream with all its recorded events folded, from the cache and the log.

        :raises NotFound: nothing of this kind is recorded under the id
        """
        kept = self.find_in_cache(kind, stream_id)
        rows: Any = list(self.event_store.get(stream_id, gt=None if kept is None else kept.version))
        if kept is not None and not rows:
            return kept
        fresh = kind.extend_stream_or_none(kept, rows)
        if fresh is None:
            raise NotFound(str(stream_id))
        self.put_in_cache(fresh)
        return fresh

    def find_in_cache(self, kind: StreamKind[StateT], stream_id: UUID) -> Stream[StateT] | None:
        """A stream as it is in the cache, perhaps without the latest events.

        None if it is not in the cache.

        :raises NotFound: it is a stream of another kind
        """
        try:
            kept: Stream[StateT] = self._kept.get(stream_id)
        except KeyError:
            return None
        if not isinstance(kept.state, type(kind.initial)):
            raise NotFound(str(stream_id))
        return kept

    def is_of_kind(self, kind: StreamKind[Any], stream_id: UUID) -> bool:
        """Whether a stream is of this kind, by its first event, which is cached."""
        try:
            first = self._first.get(stream_id)
        except KeyError:
            found: Any = next(iter(self.event_store.get(stream_id, limit=1)), None)
            if found is None:
                return False
            first = type(found.event)
            self._first.put(stream_id, first)
        return issubclass(first, kind.first)

    def get(self, aggregate_id: UUID, **_: Any) -> Any:
        """Always raise: this method of the library has no kind of stream; ``stream`` does."""
        raise AggregateNotFoundError(aggregate_id)

    def put_in_cache(self, stream: Stream[Any]) -> None:
        """Put a stream into the cache; all its events must be on the log.

        A slower thread may put an older one, which does no harm.
        """
        self._kept.put(stream.id, stream)


class PlainKey(NamedTuple):
    """Device, key and digest of a request without a hash, as earlier versions stored them."""

    device: str
    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class WriteMetadata:
    """Who writes, on which device, when; and the idempotency key for a retry.

    ``digest`` is a hash of the whole request (its address and body), so that a key cannot be used
    for two requests. A device has no colon in its name. What a client chooses freely comes as a
    keyed hash; ``plain``: as versions stored it that did not hash it.
    """

    by: str
    device: str
    at: datetime
    key: str = ""
    digest: str = ""
    plain: PlainKey | None = None

    @property
    def key_with_device(self) -> str:
        """The idempotency key together with its device, since two devices may use the same key."""
        assert ":" not in self.device, self.device
        return f"{self.device}:{self.key}"

    @property
    def idempotency_keys(self) -> tuple[str, ...]:
        """Idempotency keys under which an earlier attempt of this write may have been recorded."""
        if self.plain is None:
            return (self.key_with_device,)
        return self.key_with_device, f"{self.plain.device}:{self.plain.key}"

    def is_same_request(self, receipt: Receipt) -> bool:
        """Whether a receipt is the answer to this request, and not to another with its key."""
        return receipt.digest in (self.digest, self.plain and self.plain.digest)


def refuse_stale(version: int, expected: int | None, of: str = "") -> None:
    """Raise an error if a stream is not at the version that the client expected.

    No expectation, no check.

    :raises Stale: it is at another
    """
    if expected is not None and expected != version:
        raise Stale(version, of)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a write recorded. ``version`` counts the acts of the requested stream;
    ``position``: a reader sees the write once it has read the log up to there.
    """

    id: UUID
    version: int
    position: int
    lines: tuple[int, ...]
    events: tuple[RecordedEvent, ...]
    replayed: bool = False
    state: State | None = None


@dataclass(frozen=True, slots=True)
class PendingWrite:
    """Events of one transaction, those of the requested stream first.

    ``guards``: store versions of streams that were only read; they must be unchanged at the commit.
    """

    main: Stream[Any]
    placed: tuple[PlacedEvent, ...]
    others: tuple[Stream[Any], ...] = ()
    guards: Mapping[UUID, int] = field(default_factory=dict)

    @property
    def act_lines_of_main(self) -> tuple[int, ...]:
        """Lines that the acts of the requested stream take."""
        return tuple(
            p.line for p in self.placed if p.stream == self.main.id and isinstance(p.event, Act)
        )

    @property
    def stream_version_spans(self) -> tuple[tuple[str, int, int], ...]:
        """Each stream of the write with the first and last version of its new events."""
        spans: dict[UUID, tuple[int, int]] = {}
        for p in self.placed:
            first, _ = spans.get(p.stream, (p.version, p.version))
            spans[p.stream] = (first, p.version)
        return tuple((stream.hex, first, last) for stream, (first, last) in spans.items())
