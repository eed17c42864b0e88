"""Who recorded what, when, on which device, and what was corrected since."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

import msgspec

from projections.runner.projection import FoldedBatch, Projection
from projections.runner.views import position_of
from referee.events import LogAmended
from referee.log.mapper import CODEC, LoggedEvent
from referee.log.ports import Row


class AuditTrailProjection(Projection):
    """One row for each line that an amendment changed."""

    name = "audit_trail"
    version = 1
    tables: Mapping[str, str] = {
        "audit_amended": "CREATE TABLE audit_amended (stream TEXT, line INTEGER,"
        " amendment INTEGER, PRIMARY KEY (stream, line, amendment)) WITHOUT ROWID",
    }

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write a row for each line that an amendment of the batch changed."""
        cursor.executemany(
            "INSERT OR REPLACE INTO audit_amended VALUES (?, ?, ?)",
            [row for logged in batch.events for row in amendment_rows_of_event(logged)],
        )


def amendment_rows_of_event(logged: LoggedEvent) -> list[tuple[str, int, int]]:
    """Stream, changed line and line of the amendment, for each line that an amendment changed."""
    event = logged.recorded.event
    if not isinstance(event, LogAmended):
        return []
    stream = str(logged.recorded.originator_id)
    return [
        (stream, change.line, logged.recorded.line)
        for change in event.changes
        if change.how != "insert"
    ]


Read: TypeAlias = Callable[[UUID, int, int, int], Sequence[Row]]
"""Rows of a stream after a version, up to a log position, with a limit: ``Log.trail``."""


class TrailEntry(msgspec.Struct, frozen=True):
    """One event of an audit trail.

    ``amended_by``: Lines of the amendments that changed the line of this event.

    ``behind_s``: seconds that the clock was known to be behind, below 0 ahead.
    """

    version: int
    line: int
    at: str
    by: str
    device: str
    name: str
    fact: msgspec.Raw
    position: int
    amended_by: tuple[int, ...]
    behind_s: int


def trail_page(
    read: Read, cursor: sqlite3.Cursor, stream: UUID, after: int = 0, limit: int = 1000
) -> tuple[TrailEntry, ...]:
    """A page of the audit trail of a stream.

    Its events after a version, oldest first, up to the log position of the views.
    """
    amended: dict[int, tuple[int, ...]] = defaultdict(tuple)
    for line, amendment in cursor.execute(
        "SELECT line, amendment FROM audit_amended WHERE stream = ? ORDER BY line, amendment",
        (str(stream),),
    ):
        amended[line] += (amendment,)
    upto = position_of(cursor)
    return tuple(_entry_of_row(row, stream, amended) for row in read(stream, after, upto, limit))


def trail_of_events(events: Sequence[LoggedEvent]) -> tuple[TrailEntry, ...]:
    """Audit trail of a whole stream, computed from its events alone."""
    amended: dict[int, tuple[int, ...]] = defaultdict(tuple)
    for line, amendment in sorted(
        row[1:] for one in events for row in amendment_rows_of_event(one)
    ):
        amended[line] += (amendment,)
    return tuple(_entry_of_event(one, amended) for one in events)


def _entry_of_row(row: Row, stream: UUID, amended: Mapping[int, tuple[int, ...]]) -> TrailEntry:
    position, _, version, name, state = row
    recorded = CODEC.decode_row(stream, version, name, state)
    return _entry_of_event(LoggedEvent(position, name, recorded), amended)


def _entry_of_event(logged: LoggedEvent, amended: Mapping[int, tuple[int, ...]]) -> TrailEntry:
    r = logged.recorded
    fact = msgspec.Raw(CODEC.encode_without_kind(r.event))
    fields = (r.originator_version, r.line, r.at, r.by, r.device, logged.name, fact)
    return TrailEntry(*fields, logged.position, amended.get(r.line, ()), r.behind_s)
