"""Rows of a log in PostgreSQL: as readers follow them, and as an audit reads them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, LiteralString, cast
from uuid import UUID

from eventsourcing.persistence import DataError, InternalError, ProgrammingError
from psycopg import IsolationLevel

from referee.log.merkle import Tree
from referee.log.ports import Row, Unsound
from referee.log.postgres.connections import PostgresLogDatastore, prepare_to_follow
from referee.log.postgres.recorder import ALL_ROWS, EVENT, LAST, OF_STREAM

SLICE_S: Final = 0.1
"""Longest wait before the bell is checked; the notification of a commit ends it at once."""
POLL_S: Final = 1.0
"""Interval of polling, since a proxy may drop notifications."""


class PostgresRows:
    """One connection, opened on demand and reopened after it was lost."""

    def __init__(self, address: str) -> None:
        self._datastore = PostgresLogDatastore(address, prepare_to_follow, most=1)
        self._silence_s = 0.0

    def read_from(self, position: int, limit: int) -> Iterable[Row]:
        """At most ``limit`` rows from this position on, inclusive, in order."""
        return cast("list[Row]", self._datastore.query_rows(ALL_ROWS, (position, 2**62, limit)))

    def stream_rows_to_version(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Version, stored name and bytes of each event of a stream, up to a version."""
        return cast("list[Any]", self._datastore.query_rows(OF_STREAM, (stream.hex, 0, upto)))

    def last_position(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        return int(self._datastore.query_rows(LAST, ())[0][0] or 0)

    def last_write_marker(self) -> int:
        """The last position that was assigned: it changes with every write of events."""
        return int(self._datastore.query_rows("SELECT position FROM log_head", ())[0][0])

    def wait_for_write_or_bell(
        self, commits: int, bell: threading.Event, interval_s: float
    ) -> bool:
        """Wait a tenth of a second at most, until PostgreSQL notifies or the bell rings.

        Also poll, in case a notification is lost.
        """
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
        return self.last_write_marker() != commits

    def close(self) -> None:
        """Close the connection."""
        self._datastore.close()


_INDEXES: Final = {"stored_events": 2, "receipts": 1, "leaves": 2, "tree": 1, "log_head": 1}
"""Tables of a log, and the number of unique indexes of each."""

_TABLES: Final = """SELECT c.relname, (SELECT COUNT(*) FROM pg_index i WHERE i.indrelid = c.oid
        AND i.indisunique AND i.indisvalid AND i.indisready AND i.indpred IS NULL)
    FROM pg_class c WHERE c.relname = ANY(%s) AND c.relkind = 'r' AND pg_table_is_visible(c.oid)"""
_ACTING: Final = """SELECT what || ' ' || name FROM pg_class c JOIN (
        SELECT 'trigger' AS what, tgname::text AS name, tgrelid AS of FROM pg_trigger
        UNION ALL SELECT 'rule', rulename::text, ev_class FROM pg_rewrite
        UNION ALL SELECT 'policy', polname::text, polrelid FROM pg_policy
        UNION ALL SELECT 'child', inhrelid::regclass::text, inhparent FROM pg_inherits
    ) AS acting ON acting.of = c.oid
    WHERE c.relname = ANY(%s) AND pg_table_is_visible(c.oid)"""
_SCANS: Final[tuple[LiteralString, ...]] = (
    "enable_seqscan",
    "enable_indexscan",
    "enable_bitmapscan",
)
_COUNTS: Final[dict[str, LiteralString]] = {
    "stored_events": "SELECT COUNT(position) FROM stored_events WHERE position > %s",
    "leaves": "SELECT COUNT(idx) FROM leaves WHERE idx > %s",
}
_BEFORE_ALL: Final = -(2**62)
_LEAVES: Final = (
    "SELECT idx, stream, version, leaf FROM leaves WHERE idx >= %s ORDER BY idx LIMIT %s"
)
_LEAVES_OF: Final = "SELECT idx FROM leaves WHERE stream = %s ORDER BY version"


class PostgresAudited(PostgresRows):
    """Rows with the tree over them.

    :raises Unsound: the requested rows cannot be decoded
    """

    @contextmanager
    def hold_snapshot(self) -> Iterator[None]:
        """Context in which every read sees the log as it was at one moment."""
        with self._datastore.connection_for_thread() as c:
            before, c.isolation_level = c.isolation_level, IsolationLevel.REPEATABLE_READ
            try:
                with c.transaction():
                    yield
            finally:
                if not c.closed:
                    c.isolation_level = before

    def fault_texts(self) -> Iterable[str]:
        """Missing tables and indexes, rows missing in an index, triggers, rules, policies."""
        names = list(_INDEXES)
        found = dict(self._query(_TABLES, (names,)))
        faults = [
            f"table {name}" for name, indexes in _INDEXES.items() if found.get(name, -1) < indexes
        ]
        faults += [text for (text,) in self._query(_ACTING, (names,))]
        return faults or [f"index of {name}" for name in _COUNTS if self._has_index_fault(name)]

    def _has_index_fault(self, name: str) -> bool:
        """Whether a table has rows that its index lacks, or the reverse."""
        counts = []
        with self._datastore.connection_for_thread() as c, c.transaction():
            for by_index in (True, False):
                for scan in _SCANS:
                    value = "off" if by_index == (scan == "enable_seqscan") else "on"
                    c.execute("SELECT set_config(%s, %s, true)", (scan, value))
                counts.append(self._query(_COUNTS[name], (_BEFORE_ALL,))[0])
        return counts[0] != counts[1]

    def read_from(self, position: int, limit: int) -> Iterable[Row]:
        """At most ``limit`` rows from this position on, inclusive, in order."""
        return cast("list[Row]", self._query(ALL_ROWS, (position, 2**62, limit)))

    def stream_rows_to_version(self, stream: UUID, upto: int) -> Iterable[tuple[int, str, bytes]]:
        """Version, stored name and bytes of each event of a stream, up to a version."""
        return cast("list[Any]", self._query(OF_STREAM, (stream.hex, 0, upto)))

    def tree(self) -> Tree:
        """Size and frontier of the Merkle tree over the log, as they are stored."""
        found = self._query("SELECT size, frontier FROM tree", ())
        if len(found) != 1:
            raise TypeError(found)
        return Tree(*found[0])

    def log_version(self) -> int:
        """Version number of the log, which says from which release on it can be read."""
        return int(self._query("SELECT version FROM log_head", ())[0][0])

    def leaf_rows(self, first: int, limit: int) -> Iterable[tuple[int, str, int, bytes]]:
        """At most ``limit`` leaves of the Merkle tree from an index on, as rows.

        Index, hex id of the stream, version in it, hash.
        """
        return cast("list[Any]", self._query(_LEAVES, (first, limit)))

    def leaf_indices_of_stream(self, stream: UUID) -> Iterable[int]:
        """Indices of the leaves of a stream, in the order of its versions."""
        return [index for (index,) in self._query(_LEAVES_OF, (stream.hex,))]

    def row_by_stream_and_version(self, stream: str, version: int) -> Row | None:
        """Row of an event, by the hex id of its stream and its version there.

        None if it does not exist.
        """
        found = self._query(EVENT, (stream, version))
        return cast("Row", found[0]) if found else None

    def receipt_rows(self) -> Iterable[tuple[str, str, str]]:
        """Every receipt: key, digest, JSON of a ``Receipt``."""
        return cast("list[Any]", self._query("SELECT * FROM receipts ORDER BY key", ()))

    def _query(self, statement: LiteralString, values: Sequence[object]) -> list[tuple[Any, ...]]:
        try:
            return self._datastore.query_rows(statement, values)
        except (ProgrammingError, DataError, InternalError) as error:
            raise Unsound(str(error)) from None
