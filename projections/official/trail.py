"""The audit trail: every event with its author, time, device and corrections.

The events are read from the log and not copied. The rows of this view are the lines that amendments
changed.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

import msgspec

from projections.follower.views import EventsUpTo, position_of
from referee.events import LogAmended
from referee.log.mapper import CODEC, LoggedEvent
from referee.log.ports import Row

Read: TypeAlias = Callable[[UUID, int, int, int], Sequence[Row]]
"""Rows of a stream after a version, up to a log position, with a limit: ``Log.trail``."""


class TrailEntry(msgspec.Struct, frozen=True):
    """One event of a trail. ``amended_by``: lines of the amendments that changed its line."""

    version: int
    line: int
    at: str
    by: str
    device: str
    name: str
    fact: msgspec.Raw
    position: int
    amended_by: tuple[int, ...]


class TrailRows:
    """One row for each line that an amendment changed."""

    name = "audit"
    version = 2
    tables: Mapping[str, str] = {
        "audit_amended": "CREATE TABLE audit_amended (stream TEXT, line INTEGER,"
        " amendment INTEGER, PRIMARY KEY (stream, line, amendment)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ()

    def attach(self, history: EventsUpTo) -> None:
        """Does nothing: no earlier events are needed."""

    def apply(self, batch: Sequence[LoggedEvent], cursor: sqlite3.Cursor) -> None:
        """Rows of a batch; an amendment has its own key, so none is touched twice."""
        cursor.executemany(
            "INSERT OR REPLACE INTO audit_amended VALUES (?, ?, ?)",
            [row for logged in batch for row in _amended(logged)],
        )

    def forget(self) -> None:
        """Does nothing: there is no cache."""


def trail(
    read: Read, cursor: sqlite3.Cursor, stream: UUID, after: int = 0, limit: int = 1000
) -> tuple[TrailEntry, ...]:
    """Events of a stream after a store version, oldest first, up to the position of the views."""
    amended: dict[int, tuple[int, ...]] = defaultdict(tuple)
    for line, amendment in cursor.execute(
        "SELECT line, amendment FROM audit_amended WHERE stream = ? ORDER BY line, amendment",
        (str(stream),),
    ):
        amended[line] += (amendment,)
    upto = position_of(cursor)
    return tuple(_entry(row, stream, amended) for row in read(stream, after, upto, limit))


def whole_trail(events: Sequence[LoggedEvent]) -> tuple[TrailEntry, ...]:
    """Trail of a whole stream, computed from its events alone."""
    amended: dict[int, tuple[int, ...]] = defaultdict(tuple)
    for line, amendment in sorted(row[1:] for one in events for row in _amended(one)):
        amended[line] += (amendment,)
    return tuple(_entry_of(one, amended) for one in events)


def _entry(row: Row, stream: UUID, amended: Mapping[int, tuple[int, ...]]) -> TrailEntry:
    position, _, version, name, state = row
    recorded = CODEC.decode(stream, version, name, state)
    return _entry_of(LoggedEvent(position, name, recorded), amended)


def _entry_of(logged: LoggedEvent, amended: Mapping[int, tuple[int, ...]]) -> TrailEntry:
    r = logged.recorded
    fact = msgspec.Raw(CODEC.body(r.event))
    fields = (r.originator_version, r.line, r.at, r.by, r.device, logged.name, fact)
    return TrailEntry(*fields, logged.position, amended.get(r.line, ()))


def _amended(logged: LoggedEvent) -> list[tuple[str, int, int]]:
    event = logged.recorded.event
    if not isinstance(event, LogAmended):
        return []
    stream = str(logged.recorded.originator_id)
    return [
        (stream, change.line, logged.recorded.line)
        for change in event.changes
        if change.how != "insert"
    ]
