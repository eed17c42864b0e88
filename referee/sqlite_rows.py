"""Rows of a log in an SQLite file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from referee.log import Row


class SQLiteRows:
    """One connection to the file."""

    def __init__(self, path: str | Path) -> None:
        self._db = sqlite3.connect(
            f"{Path(path).absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=10,
            isolation_level=None,
            check_same_thread=False,
        )
        self._db.execute("PRAGMA query_only = ON")

    def since(self, position: int, limit: int) -> Iterable[Row]:
        """Rows from this position on, itself among them."""
        return self._db.execute(
            "SELECT position, originator_id, originator_version, topic, state"
            " FROM stored_events WHERE position >= ? ORDER BY position LIMIT ?",
            (position, limit),
        )

    def history(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Place, stored name and bytes of the events of a stream up to a place."""
        return self._db.execute(
            "SELECT originator_version, topic, state FROM stored_events"
            " WHERE originator_id = ? AND originator_version <= ? ORDER BY originator_version",
            (stream.hex, upto),
        )

    def last(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        (position,) = self._db.execute("SELECT MAX(position) FROM stored_events").fetchone()
        return position or 0

    def commits(self) -> int:
        """SQLite's own count of the commits of others."""
        (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    def has_moved(self, commits: int, bell: threading.Event, interval_s: float) -> bool:
        """Wait for the bell, and then look: another process can tell nobody."""
        return bell.wait(interval_s) or self.commits() != commits

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
