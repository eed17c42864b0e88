"""Streams: a folded state with its version in the log, and the events that a write adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import UnionType
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from referee.errors import NotFound, Stale
from referee.events import Act, Event
from referee.log.mapper import RecordedEvent


class State(Protocol):
    """A folded stream; ``version`` counts its acts."""

    @property
    def version(self) -> int:
        """Acts recorded."""
        ...


StateT = TypeVar("StateT", bound=State)


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
class Kind(Generic[StateT]):
    """Kind of a stream: its initial state and its fold function."""

    initial: StateT
    evolve: Callable[[StateT, Any], StateT]
    first: type[Any] | UnionType

    def empty(self, stream_id: UUID) -> Stream[StateT]:
        """A stream of which nothing is recorded."""
        return Stream(stream_id, 0, self.initial)

    def fold(
        self, stream: Stream[StateT] | None, history: Iterable[RecordedEvent]
    ) -> Stream[StateT] | None:
        """A stream with more of its history.

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

    def grow(
        self, stream: Stream[StateT], events: Iterable[Event]
    ) -> tuple[Stream[StateT], tuple[PlacedEvent, ...]]:
        """A stream with new events: an act takes the next line, a conclusion the line reached."""
        state, version = stream.state, stream.version
        placed: list[PlacedEvent] = []
        for event in events:
            version += 1
            state = self.evolve(state, event)
            placed.append(PlacedEvent(stream.id, version, state.version, event))
        return Stream(stream.id, version, state), tuple(placed)


@dataclass(frozen=True, slots=True)
class WriteMetadata:
    """Who writes, on which device, when; and the idempotency key for a retry.

    ``digest`` is a hash of the whole request (its address and body), so that a key cannot be used
    for two requests. A device has no colon in its name.
    """

    by: str
    device: str
    at: datetime
    key: str = ""
    digest: str = ""

    @property
    def scoped_key(self) -> str:
        """The key with its device: two devices may use the same key for different requests."""
        assert ":" not in self.device, self.device
        return f"{self.device}:{self.key}"


def refuse_stale(version: int, expected: int | None, of: str = "") -> None:
    """Check that a stream is at the expected version, if one is given.

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
    def lines(self) -> tuple[int, ...]:
        """Lines that the acts of the requested stream take."""
        return tuple(
            p.line for p in self.placed if p.stream == self.main.id and isinstance(p.event, Act)
        )

    @property
    def spans(self) -> tuple[tuple[str, int, int], ...]:
        """First and last store version of each stream, in the order in which they come."""
        spans: dict[UUID, tuple[int, int]] = {}
        for p in self.placed:
            first, _ = spans.get(p.stream, (p.version, p.version))
            spans[p.stream] = (first, p.version)
        return tuple((stream.hex, first, last) for stream, (first, last) in spans.items())
