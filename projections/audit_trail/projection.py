"""Rows of the audit trail: the lines that amendments changed.

The events themselves are read from the log and not copied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from projections.runner.projection import Projection
from projections.runner.streams import FoldedBatch
from referee.events import LogAmended
from referee.log.mapper import LoggedEvent


class AuditTrailProjection(Projection):
    """One row for each line that an amendment changed."""

    name = "audit_trail"
    version = 1
    tables: Mapping[str, str] = {
        "audit_amended": "CREATE TABLE audit_amended (stream TEXT, line INTEGER,"
        " amendment INTEGER, PRIMARY KEY (stream, line, amendment)) WITHOUT ROWID",
    }

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Rows of a batch; an amendment has its own key, so none is touched twice."""
        cursor.executemany(
            "INSERT OR REPLACE INTO audit_amended VALUES (?, ?, ?)",
            [row for logged in batch.events for row in lines_of_amendments(logged)],
        )


def lines_of_amendments(logged: LoggedEvent) -> list[tuple[str, int, int]]:
    """Stream, line and amendment of each line that an event changed."""
    event = logged.recorded.event
    if not isinstance(event, LogAmended):
        return []
    stream = str(logged.recorded.originator_id)
    return [
        (stream, change.line, logged.recorded.line)
        for change in event.changes
        if change.how != "insert"
    ]
