"""A projection: rows that answer one question, computed from the events of the log."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar, get_args
from uuid import UUID

import msgspec

from referee.aggregates.case import Case
from referee.aggregates.club import Club
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.league.state import TeamLeague
from referee.aggregates.partida import Partida
from referee.aggregates.road import Road
from referee.aggregates.season import Season
from referee.aggregates.session import Session
from referee.aggregates.tournament.state import Tournament
from referee.events import Event
from referee.events.rankings import RankingAct
from referee.kinds import (
    ACCESS,
    CASE,
    CLUB,
    ENCUENTRO,
    HOUSE,
    LEAGUE,
    PARTIDA,
    PUBLICATION,
    ROAD,
    RULES,
    SEASON,
    SESSION,
    SETTINGS,
    TOURNAMENT,
    WEBHOOKS,
)
from referee.log.mapper import LoggedEvent, RecordedEvent
from referee.log.streams import StreamKind

StreamState: TypeAlias = (
    Partida | Encuentro | Case | Season | Session | Tournament | TeamLeague | Road | Club
)
AnyState = TypeVar("AnyState", bound=StreamState)
EventsUpTo: TypeAlias = Callable[[UUID, int], Iterable[RecordedEvent]]
"""Events of a stream up to a store version."""
KEPT: Final = 512
_EVERY_VERSION: Final = 2**62
_FOLDED: Final = (
    PARTIDA,
    ENCUENTRO,
    CASE,
    SEASON,
    SESSION,
    TOURNAMENT,
    LEAGUE,
    ROAD,
    CLUB,
)
"""Kinds of which a projection needs the state."""


def _first_event_types(kind: StreamKind[Any]) -> Iterable[type[object]]:
    """Types of the events that may begin a stream of a kind."""
    return get_args(kind.first) or (kind.first,)


_FIRST: Final[Mapping[type[object], StreamState]] = {
    event: kind.initial for kind in _FOLDED for event in _first_event_types(kind)
}
"""State before an event that may begin a stream."""
_NOT_FOLDED: Final = frozenset(
    event
    for kind in (ACCESS, RULES, SETTINGS, PUBLICATION, WEBHOOKS, HOUSE)
    for event in _first_event_types(kind)
) | frozenset(get_args(RankingAct))
"""Events of streams of which no projection needs the state."""
_EVOLVE: Final[Mapping[type[object], Callable[[Any, Any], StreamState]]] = {
    type(kind.initial): kind.evolve for kind in _FOLDED
}


@dataclass(frozen=True, slots=True)
class FoldedBatch:
    """A batch of events, and the new state of each stream that they changed.

    ``opened``: log position of the first event of each stream that begins in the batch.
    """

    events: Sequence[LoggedEvent]
    states: Mapping[UUID, StreamState]
    opened: Mapping[UUID, int]
    streams: Streams

    def states_of_kind(self, kind: type[AnyState]) -> list[tuple[str, AnyState]]:
        """Id and new state of each changed stream of a kind, sorted by id."""
        found = [(str(one), state) for one, state in self.states.items() if type(state) is kind]
        return sorted(found, key=lambda one: one[0])

    def positions_of_new_streams(self, kind: type[StreamState]) -> list[tuple[str, int]]:
        """Id and first log position of each stream of a kind that begins in the batch."""
        return [
            (str(one), at) for one, at in self.opened.items() if type(self.states.get(one)) is kind
        ]

    def state(self, stream: UUID, kind: type[AnyState]) -> AnyState:
        """State of a stream of this kind, whether the batch changed it or not."""
        state = self.states.get(stream) or self.streams.state(stream)
        assert isinstance(state, kind), f"{stream} is no {kind.__name__}"
        return state


class Streams:
    """Cache of the states of the streams that changed last.

    ``history``: Reads earlier events of a stream.
    """

    def __init__(self, history: EventsUpTo) -> None:
        self.history = history
        self._states: OrderedDict[UUID, StreamState] = OrderedDict()

    def fold_batch(self, events: Sequence[LoggedEvent]) -> FoldedBatch:
        """Fold a batch of events into the states of their streams."""
        states: dict[UUID, StreamState] = {}
        opened: dict[UUID, int] = {}
        for logged in events:
            recorded = logged.recorded
            stream = recorded.originator_id
            if recorded.originator_version == 1:
                opened[stream] = logged.position
            before = states.get(stream) or self._state_before_event(recorded)
            if before is not None:
                states[stream] = _evolve(before, recorded.event)
        for stream, state in states.items():
            self._keep_state(stream, state)
        return FoldedBatch(events, states, opened, self)

    def state(self, stream: UUID) -> StreamState | None:
        """Latest state of a stream; None if it has no events."""
        return self._states.get(stream) or self._fold_from_log(stream, _EVERY_VERSION)

    def forget(self) -> None:
        """Clear the cache of states."""
        self._states.clear()

    def _state_before_event(self, recorded: RecordedEvent) -> StreamState | None:
        """State of a stream before an event; None for kinds that are not folded."""
        kind = type(recorded.event)
        if kind in _NOT_FOLDED:
            return None
        stream, version = recorded.originator_id, recorded.originator_version
        if version == 1:
            return _FIRST[kind]
        if stream in self._states:
            return self._states[stream]
        return self._fold_from_log(stream, version - 1)

    def _fold_from_log(self, stream: UUID, upto: int) -> StreamState | None:
        """State of a stream at a store version, from the log."""
        state: StreamState | None = None
        for earlier in self.history(stream, upto):
            before = _FIRST[type(earlier.event)] if state is None else state
            state = _evolve(before, earlier.event)
        return state

    def _keep_state(self, stream: UUID, state: StreamState) -> None:
        self._states[stream] = state
        self._states.move_to_end(stream)
        if len(self._states) > KEPT:
            self._states.popitem(last=False)


def _evolve(state: StreamState, event: Event) -> StreamState:
    return _EVOLVE[type(state)](state, event)


StoredT = TypeVar("StoredT")


class Projection(ABC):
    """Base class of projections.

    Tables of rows that answer one question, and how events change them.

    A new ``version`` means that the same events give other rows: those of this projection are then
    rebuilt. ``tables`` are ``CREATE`` statements by name, ``indexes`` further statements. What it
    writes depends on the events alone, not on how they are cut into batches: a row is written by
    its natural key, never ``+=``.
    """

    name: str
    version: int
    tables: Mapping[str, str]
    indexes: Sequence[str] = ()

    @abstractmethod
    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the rows that a batch changes, each key once."""

    def clear_cache(self) -> None:  # noqa: B027 - most keep nothing
        """Clear what is kept in memory, after the rows were changed from elsewhere."""

    @property
    def fingerprint(self) -> str:
        """Hash of version and table definitions; when it changes the rows are rebuilt."""
        about = (self.name, self.version, sorted(self.tables.items()), list(self.indexes))
        return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def as_json(view: object) -> str:
    """JSON of a view as it is stored; equal views give equal text."""
    return msgspec.json.encode(view, order="deterministic").decode()


def decode_first_row_or_none(
    cursor: sqlite3.Cursor, kind: type[StoredT], sql: str, *key: object
) -> StoredT | None:
    """View decoded from the first row of a query; None if there is no row."""
    row = cursor.execute(sql, key).fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=kind)


def replace_rows(
    cursor: sqlite3.Cursor,
    table: str,
    key: str,
    rows_of: Mapping[str, Iterable[Sequence[object]]],
) -> None:
    """Replace the rows of some streams in a table.

    ``key``: the column with the id of the stream.
    """
    gone = f"DELETE FROM {table} WHERE {key} = ?"  # noqa: S608 - names of ours
    cursor.executemany(gone, [(stream,) for stream in rows_of])
    rows = [tuple(row) for found in rows_of.values() for row in found]
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - names of ours
