"""The log as the read side sees it: events in the order of their positions."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from uuid import UUID

import msgspec

from referee.store import CODEC, Codec, Recorded


class Logged(msgspec.Struct, frozen=True):
    """An event with its position in the whole log and its stored name."""

    position: int
    name: str
    recorded: Recorded


class LogReader:
    """One connection to a log, for one thread, which cannot write."""

    def __init__(self, path: str | Path, codec: Codec = CODEC) -> None:
        self._codec = codec
        self._db = sqlite3.connect(
            f"{Path(path).absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=10,
            isolation_level=None,
            check_same_thread=False,
        )
        self._db.execute("PRAGMA query_only = ON")

    def since(self, position: int, limit: int) -> list[Logged]:
        """Events from this position on, itself among them."""
        rows = self._db.execute(
            "SELECT position, originator_id, originator_version, topic, state"
            " FROM stored_events WHERE position >= ? ORDER BY position LIMIT ?",
            (position, limit),
        )
        decode = self._codec.decode
        return [
            Logged(place, name, decode(UUID(stream), version, name, state))
            for place, stream, version, name, state in rows
        ]

    def history(self, stream: UUID, upto: int) -> list[Recorded]:
        """Events of a stream up to a store version."""
        rows = self._db.execute(
            "SELECT originator_version, topic, state FROM stored_events"
            " WHERE originator_id = ? AND originator_version <= ? ORDER BY originator_version",
            (stream.hex, upto),
        )
        return [self._codec.decode(stream, version, name, state) for version, name, state in rows]

    def last(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        (position,) = self._db.execute("SELECT MAX(position) FROM stored_events").fetchone()
        return position or 0

    def commits(self) -> int:
        """A number that is another one after anybody has written to the log."""
        (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
