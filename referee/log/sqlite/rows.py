"""Rows of a log in an SQLite file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from uuid import UUID

from referee.log.mapper import refuse_newer_version
from referee.log.merkle import Tree
from referee.log.ports import Row
from referee.log.sqlite.schema import TABLES, foreign_objects, schema_of_statements

ROWS: Final = (
    "SELECT position, originator_id, originator_version, topic, state FROM stored_events WHERE"
)
READ_TREE: Final = "SELECT size, frontier FROM tree"
_LEAVES: Final = "SELECT idx, stream, version, leaf FROM leaves WHERE idx >= ? ORDER BY idx LIMIT ?"
_OURS: Final = schema_of_statements(TABLES)
_NAMES: Final = frozenset(f"{one.kind} {one.name}" for one in _OURS)
_EVENT: Final = f"{ROWS} originator_id = ? AND originator_version = ?"
_LEAVES_OF: Final = "SELECT idx FROM leaves WHERE stream = ? ORDER BY version"


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
        self._db.execute("PRAGMA trusted_schema = OFF")
        try:
            refuse_newer_version(path, self._db.execute("PRAGMA user_version").fetchone()[0])
        except BaseException:
            self._db.close()
            raise

    def read_from(self, position: int, limit: int) -> Iterable[Row]:
        """At most ``limit`` rows from this position on, inclusive, in order."""
        return self._db.execute(
            f"{ROWS} position >= ? ORDER BY position LIMIT ?", (position, limit)
        )

    def stream_rows_to_version(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Version, stored name and bytes of each event of a stream, up to a version."""
        return self._db.execute(
            "SELECT originator_version, topic, state FROM stored_events"
            " WHERE originator_id = ? AND originator_version <= ? ORDER BY originator_version",
            (stream.hex, upto),
        )

    def last_position(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        (position,) = self._db.execute("SELECT MAX(position) FROM stored_events").fetchone()
        return position or 0

    @contextmanager
    def hold_snapshot(self) -> Iterator[None]:
        """Context in which every read sees the log as it was at one moment."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def fault_texts(self) -> Iterable[str]:
        """Objects in the schema that are not of a log.

        If there are none, the damage that SQLite finds.

        A table of ours with other columns or bounds is no fault: its rows are judged one by one.
        """
        if foreign := [one for one in foreign_objects(self._db, _OURS) if one not in _NAMES]:
            return foreign
        faults: list[str] = []
        try:
            for (text,) in self._db.execute("PRAGMA integrity_check"):
                if text != "ok":
                    faults += text.splitlines()
        except sqlite3.DatabaseError:  # after what it names it may give up
            if not faults:
                raise
        return faults

    def tree(self) -> Tree:
        """Size and frontier of the Merkle tree over the log, as they are stored."""
        return Tree(*self._db.execute(READ_TREE).fetchone())

    def log_version(self) -> int:
        """Version number of the log, which says from which release on it can be read."""
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        return int(version)

    def leaf_rows(self, first: int, limit: int) -> Iterable[tuple[int, str, int, bytes]]:
        """At most ``limit`` leaves of the Merkle tree from an index on, as rows.

        Index, hex id of the stream, version in it, hash.
        """
        return self._db.execute(_LEAVES, (first, limit))

    def leaf_indices_of_stream(self, stream: UUID) -> Iterable[int]:
        """Indices of the leaves of a stream, in the order of its versions."""
        return (index for (index,) in self._db.execute(_LEAVES_OF, (stream.hex,)))

    def row_by_stream_and_version(self, stream: str, version: int) -> Row | None:
        """Row of an event, by the hex id of its stream and its version there.

        None if it does not exist.
        """
        found = self._db.execute(_EVENT, (stream, version))
        row: Row | None = found.fetchone()
        return row

    def receipt_rows(self) -> Iterable[tuple[str, str, str]]:
        """Every receipt: key, digest, JSON of a ``Receipt``."""
        return self._db.execute("SELECT key, digest, result FROM receipts ORDER BY key")

    def last_write_marker(self) -> int:
        """Number that changes with every commit of another connection to the file."""
        (number,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(number)

    def wait_for_write_or_bell(
        self, commits: int, bell: threading.Event, interval_s: float
    ) -> bool:
        """Wait for the bell for ``interval_s``; True if it rang or there is a new commit.

        SQLite cannot notify other processes.
        """
        return bell.wait(interval_s) or self.last_write_marker() != commits

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
