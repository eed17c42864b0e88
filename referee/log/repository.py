"""States of streams, cached in memory and brought up to date from the log."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from eventsourcing.application import AggregateNotFoundError, LRUCache, Repository

from referee.errors import NotFound
from referee.log.streams import Kind, StateT, Stream


class FreshRepository(Repository[UUID]):
    """Current states of streams: a cached state is extended with new events, never changed."""

    def __init__(self, event_store: Any, size: int) -> None:
        super().__init__(event_store)
        self._kept: LRUCache[UUID, Any] = LRUCache(maxsize=size)
        self._first: dict[UUID, type[Any]] = {}

    def stream(self, kind: Kind[StateT], stream_id: UUID) -> Stream[StateT]:
        """A stream with everything recorded in it.

        :raises NotFound: nothing of this kind is recorded under the id
        """
        kept = self.kept(kind, stream_id)
        rows: Any = self.event_store.get(stream_id, gt=None if kept is None else kept.version)
        fresh = kind.fold(kept, rows)
        if fresh is None:
            raise NotFound(str(stream_id))
        if fresh is not kept:
            self.keep(fresh)
        return fresh

    def kept(self, kind: Kind[StateT], stream_id: UUID) -> Stream[StateT] | None:
        """A stream as it was cached, if it was; the log may have more events.

        :raises NotFound: it is a stream of another kind
        """
        try:
            kept: Stream[StateT] = self._kept.get(stream_id)
        except KeyError:
            return None
        if not isinstance(kept.state, type(kind.initial)):
            raise NotFound(str(stream_id))
        return kept

    def is_of(self, kind: Kind[Any], stream_id: UUID) -> bool:
        """Whether a stream is of this kind. The kind never changes, so it is cached."""
        first = self._first.get(stream_id)
        if first is None:
            found: Any = next(iter(self.event_store.get(stream_id, limit=1)), None)
            if found is None:
                return False
            first = self._first[stream_id] = type(found.event)
        return issubclass(first, kind.first)

    def get(self, aggregate_id: UUID, **_: Any) -> Any:
        """Not supported: the library's method does not name the kind of stream."""
        raise AggregateNotFoundError(aggregate_id)

    def keep(self, stream: Stream[Any]) -> None:
        """Cache a state that is in the log.

        A slower thread may put an older one, which does no harm.
        """
        self._kept.put(stream.id, stream)
