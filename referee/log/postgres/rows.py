"""Rows of a log in PostgreSQL, with notifications of new ones."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import partial
from typing import Any, Final, cast
from uuid import UUID

from referee.log.ports import Row
from referee.log.postgres.connections import PostgresLogDatastore, connect_reader
from referee.log.postgres.recorder import ALL_ROWS, LAST, OF_STREAM

SLICE_S: Final = 0.1
"""Longest wait before the bell is checked; the notification of a commit ends it at once."""
POLL_S: Final = 1.0
"""Interval of polling, since a proxy may drop notifications."""


class PostgresRows:
    """One connection, opened on demand and reopened after it was lost."""

    def __init__(self, address: str) -> None:
        self._datastore = PostgresLogDatastore(partial(connect_reader, address), most=1)
        self._silence_s = 0.0

    def since(self, position: int, limit: int) -> Iterable[Row]:
        """Rows from this position on, inclusive."""
        return cast("list[Row]", self._datastore.rows(ALL_ROWS, (position, 2**62, limit)))

    def history(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Place, stored name and bytes of the events of a stream up to a place."""
        return cast("list[Any]", self._datastore.rows(OF_STREAM, (stream.hex, 0, upto)))

    def last(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        return int(self._datastore.rows(LAST, ())[0][0] or 0)

    def commits(self) -> int:
        """The last position that was assigned."""
        return int(self._datastore.rows("SELECT position FROM log_head", ())[0][0])

    def has_moved(self, commits: int, bell: threading.Event, interval_s: float) -> bool:
        """Wait for the notification of a commit, and poll in case none arrives."""
        del interval_s
        with self._datastore.connection() as c:
            notified = list(c.notifies(timeout=SLICE_S, stop_after=1))
        if notified or bell.is_set():
            self._silence_s = 0.0
            return True
        self._silence_s += SLICE_S
        if self._silence_s < POLL_S:
            return False
        self._silence_s = 0.0
        return self.commits() != commits

    def close(self) -> None:
        """Close the connection."""
        self._datastore.close()
