"""The audit trail: every event with who, when, on which device, and what corrected it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from projections.log import Logged
from projections.views import History
from referee.events import LogAmended
from referee.store import CODEC


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One event of a trail. ``amended_by``: lines of the amendments that changed its line."""

    stream: str
    version: int
    line: int
    at: str
    by: str
    device: str
    name: str
    fact: msgspec.Raw
    position: int
    amended_by: tuple[int, ...]


class Audit:
    """One row an event, and one row for each line that an amendment changed."""

    name = "audit"
    version = 1
    tables: Mapping[str, str] = {
        "audit_event": "CREATE TABLE audit_event (stream TEXT, version INTEGER, line INTEGER,"
        " at TEXT, by TEXT, device TEXT, name TEXT, fact TEXT, position INTEGER,"
        " PRIMARY KEY (stream, version)) WITHOUT ROWID",
        "audit_amended": "CREATE TABLE audit_amended (stream TEXT, line INTEGER,"
        " amendment INTEGER, PRIMARY KEY (stream, line, amendment)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ()

    def attach(self, history: History) -> None:
        """Nothing earlier is needed."""

    def apply(self, batch: Sequence[Logged], cursor: sqlite3.Cursor) -> None:
        """Rows of a batch; an event has its own key, so none is touched twice."""
        cursor.executemany(
            "INSERT OR REPLACE INTO audit_event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            sorted(_row(logged) for logged in batch),
        )
        cursor.executemany(
            "INSERT OR REPLACE INTO audit_amended VALUES (?, ?, ?)",
            [row for logged in batch for row in _amended(logged)],
        )

    def forget(self) -> None:
        """Nothing is kept in memory."""


def trail(
    cursor: sqlite3.Cursor, stream: UUID, after: int = 0, limit: int = 1000
) -> tuple[Entry, ...]:
    """Events of a stream after a store version, oldest first."""
    rows = cursor.execute(
        "SELECT stream, version, line, at, by, device, name, fact, position, (SELECT"
        " json_group_array(amendment) FROM (SELECT amendment FROM audit_amended a"
        " WHERE a.stream = e.stream AND a.line = e.line ORDER BY amendment))"
        " FROM audit_event e WHERE stream = ? AND version > ? ORDER BY version LIMIT ?",
        (str(stream), after, limit),
    )
    return tuple(
        msgspec.convert(
            (*row[:7], msgspec.Raw(row[7].encode()), row[8], msgspec.json.decode(row[9])), Entry
        )
        for row in rows.fetchall()
    )


def _row(logged: Logged) -> tuple[object, ...]:
    r = logged.recorded
    fact = CODEC.body(r.event).decode()
    stream = str(r.originator_id)
    version = r.originator_version
    return (stream, version, r.line, r.at, r.by, r.device, logged.name, fact, logged.position)


def _amended(logged: Logged) -> list[tuple[str, int, int]]:
    event = logged.recorded.event
    if not isinstance(event, LogAmended):
        return []
    stream = str(logged.recorded.originator_id)
    return [
        (stream, change.line, logged.recorded.line)
        for change in event.changes
        if change.how != "insert"
    ]
