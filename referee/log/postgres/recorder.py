"""The log in PostgreSQL: one writer at a time, every row with its position.

Writers wait for an advisory lock in order, and keep it until their commit is visible: so a reader
that sees a position can also see every position before it. Positions are counted in a row, since a
sequence leaves gaps. The receipt that answers an idempotency key is in the same transaction as the
events it answers for.

The database functions of the library are not used, since they do not take the lock. A write is not
retried here: a commit whose answer was lost may be on the disk, and only a receipt shows that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from typing import Any, Final, LiteralString, TypeAlias, cast
from uuid import UUID

import msgspec
import psycopg
from eventsourcing.persistence import IntegrityError, Notification, StoredEvent, Subscription
from eventsourcing.postgres import PostgresRecorder

from referee.log.mapper import assert_version_writable, log_version_for_rows
from referee.log.merkle import StoredRow, Tree, tree_and_leaves_after_events
from referee.log.ports import MOVED, Log, Receipt, Row
from referee.log.postgres.connections import (
    CHANNEL,
    Connection,
    PostgresLogDatastore,
    assert_tables_version,
    require_log_and_mark_in_use,
    tables_version,
)
from referee.log.sqlite.schema import SCHEMA_VERSION

_TABLES: Final = (
    """CREATE TABLE stored_events (
        position bigint PRIMARY KEY,
        originator_id text COLLATE "C" NOT NULL, originator_version bigint NOT NULL,
        topic text NOT NULL, state bytea NOT NULL,
        UNIQUE (originator_id, originator_version))""",
    """CREATE TABLE receipts (
        key text COLLATE "C" PRIMARY KEY, digest text NOT NULL, result text NOT NULL)""",
    """CREATE TABLE leaves (
        idx bigint PRIMARY KEY, stream text COLLATE "C" NOT NULL, version bigint NOT NULL,
        leaf bytea NOT NULL, UNIQUE (stream, version))""",
    """CREATE TABLE tree (
        one integer PRIMARY KEY CHECK (one = 1),
        size bigint NOT NULL, frontier bytea NOT NULL) WITH (fillfactor = 50)""",
    "INSERT INTO tree VALUES (1, 0, '')",
    """CREATE TABLE log_head (
        one boolean PRIMARY KEY CHECK (one),
        version integer NOT NULL, position bigint NOT NULL) WITH (fillfactor = 50)""",
    f"INSERT INTO log_head VALUES (true, {SCHEMA_VERSION}, 0)",  # noqa: S608 - a literal
)

Cursor: TypeAlias = psycopg.Cursor[Any]

CREATING: Final = "SELECT pg_advisory_xact_lock(hashtext('guinote'), hashtext(current_schema()))"

_LOCK: Final = "pg_advisory_{}('stored_events'::regclass::oid::bigint)"
_WAIT: Final = "SELECT " + _LOCK.format("xact_lock")
_HOLD: Final = "SELECT " + _LOCK.format("lock")
_FREE: Final = "SELECT " + _LOCK.format("unlock")

_COUNT_UP: Final = (
    "UPDATE log_head SET position = position + %s, version = GREATEST(version, %s) FROM tree"
    " RETURNING version, position, tree.size, tree.frontier"
)
_SET_MOVED: Final = "UPDATE log_head SET version = version %% %s + %s"
_LENGTH: Final = "SELECT MAX(originator_version) FROM stored_events WHERE originator_id = %s"
_RECEIPT: Final = "INSERT INTO receipts SELECT %s, %s, %s"
_APPEND: Final = """WITH events AS (INSERT INTO stored_events SELECT * FROM
        unnest(%s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::bytea[])),
    leaves AS (INSERT INTO leaves SELECT * FROM
        unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bytea[])){more}
    UPDATE tree SET size = %s, frontier = %s RETURNING pg_notify({channel}, '')"""
_WITHOUT_RECEIPT: Final = _APPEND.format(channel=CHANNEL, more="")
_WITH_RECEIPT: Final = _APPEND.format(channel=CHANNEL, more=f", receipt AS ({_RECEIPT})")
"""Inserts events, their leaves, the receipt and the tree, and notifies the listeners."""
OF_STREAM: Final = (
    "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = %s"
    " AND originator_version > %s AND originator_version <= %s ORDER BY originator_version"
)
_FORWARDS: Final = OF_STREAM + " ASC LIMIT %s"
_BACKWARDS: Final = OF_STREAM + " DESC LIMIT %s"
_ROWS: Final = (
    "SELECT position, originator_id, originator_version, topic, state FROM stored_events WHERE"
)
_TRAIL: Final = (
    f"{_ROWS} originator_id = %s AND originator_version > %s AND position <= %s"
    " ORDER BY originator_version LIMIT %s"
)
EVENT: Final = f"{_ROWS} originator_id = %s AND originator_version = %s"
LAST: Final = "SELECT MAX(position) FROM stored_events"
ALL_ROWS: Final = f"{_ROWS} position >= %s AND position <= %s ORDER BY position LIMIT %s"


def create_tables(address: str) -> None:
    """Make the tables if they are not there; safe to call from many processes.

    They are made where ``search_path`` points. Once they exist, a user who may only read and write
    is enough.
    """
    with (
        closing(PostgresLogDatastore(address)) as datastore,
        datastore.connection() as c,
    ):
        version = tables_version(c)
        if not version:
            with c.transaction():
                c.execute(CREATING)
                version = tables_version(c)
                if not version:
                    for statement in _TABLES:
                        c.execute(statement)
                    return
        assert_tables_version(c)


def open_log(address: str) -> PostgresLogRecorder:
    """Recorder that reads and writes the log of a database, which must have its tables.

    :raises NoTables: the tables are not there
    :raises NotDurable: the server is not durable
    """
    datastore = PostgresLogDatastore(address, require_log_and_mark_in_use)
    try:
        with datastore.connection():
            return PostgresLogRecorder(datastore)
    except BaseException:
        datastore.close()
        raise


def _reserve_positions_with_tree(c: Connection, events: Sequence[StoredEvent]) -> tuple[int, Tree]:
    """Reserve log positions for new events.

    Returns the last of them, and the Merkle tree before these events.

    :raises NewerData: a later release has written to the log
    :raises HouseMoved: the house is elsewhere
    """
    needed = log_version_for_rows(events)
    found = c.execute(_COUNT_UP, (len(events), needed), binary=True).fetchone()
    assert found is not None
    version, last, *tree = found
    assert_version_writable(f"database {c.info.dbname}", version)
    return last, Tree(*tree)


def _stream_length(c: Connection, stream: UUID) -> int:
    found = c.execute(_LENGTH, (stream.hex,)).fetchone()
    return (found and found[0]) or 0


def _row_of_receipt(key: str, receipt: Receipt | None, positions: Sequence[int]) -> tuple[str, ...]:
    """Values of the row of a receipt; empty if there is no receipt."""
    if receipt is None:
        return ()
    kept = msgspec.structs.replace(receipt, position=max(positions, default=0))
    return key, kept.digest, msgspec.json.encode(kept).decode()


def _event_row(event: StoredEvent) -> StoredRow:
    stream = event.originator_id
    assert isinstance(stream, UUID), stream
    return stream.hex, event.originator_version, event.topic, event.state


def _transpose(rows: Sequence[tuple[object, ...]]) -> list[list[object]]:
    """Rows turned into columns."""
    return [list(column) for column in zip(*rows, strict=True)]


class PostgresLogRecorder(PostgresRecorder, Log):
    """Rows of the log, with the receipt of a write and its guards in one transaction."""

    datastore: PostgresLogDatastore

    def __init__(self, datastore: PostgresLogDatastore) -> None:
        super().__init__(datastore)
        self._waiting: Callable[[], AbstractContextManager[object]] = nullcontext

    def insert_events(
        self,
        stored_events: Sequence[StoredEvent],
        *,
        key: str = "",
        receipt: Receipt | None = None,
        guards: Mapping[UUID, int] | None = None,
        **_: Any,
    ) -> Sequence[int]:
        """Insert events, their leaves and their receipt, and notify the listeners; all or none.

        ``guards``: store versions that other streams must still have.
        """
        rows = [_event_row(one) for one in stored_events]
        with self.datastore.connection() as c, c.transaction():
            self._await_turn(c, _WAIT)
            for stream, version in (guards or {}).items():
                if _stream_length(c, stream) != version:
                    raise IntegrityError(f"stream {stream} moved on")
            last, tree = _reserve_positions_with_tree(c, stored_events)
            positions = list(range(last - len(rows) + 1, last + 1))
            kept = _row_of_receipt(key, receipt, positions)
            if rows:
                grown_tree, leaves = tree_and_leaves_after_events(tree, rows)
                values = (positions, *_transpose(rows), *_transpose(leaves), *kept, *grown_tree)
                c.execute(_WITH_RECEIPT if kept else _WITHOUT_RECEIPT, values)
            elif kept:
                c.execute(_RECEIPT, kept)
        return positions

    def check_by_writing(self) -> None:
        """Test that the log can be read and written.

        Read, and commit a write that counts no events.
        """
        with self.datastore.connection() as c, c.transaction():
            c.execute(_WAIT)
            _reserve_positions_with_tree(c, ())

    def set_waiting_context(self, waiting: Callable[[], AbstractContextManager[object]]) -> None:
        """Set the context that is entered whenever a writer waits for its turn."""
        self._waiting = waiting

    def _await_turn(self, c: Connection, lock: LiteralString) -> None:
        with self._waiting():
            c.execute(lock)

    def set_closed_by_move(self, *, is_moved: bool) -> None:
        """Close the log for writing because the house moved, or open it again.

        The caller must hold the write lock.
        """
        with self.datastore.connection() as c:  # that of the turn: a lost lock is an error
            c.execute(_SET_MOVED, (MOVED, MOVED * is_moved))

    @contextmanager
    def hold_write_lock(self) -> Iterator[None]:
        """Context that holds the write lock of the log among all processes.

        It may be entered again inside itself.

        This thread uses the connection that has the lock for everything in this context.
        """
        with self.datastore.connection_for_thread() as c:
            self._await_turn(c, _HOLD)
            try:
                yield
            finally:
                try:
                    c.execute(_FREE)
                except psycopg.Error:
                    c.close()  # the lock ends with the connection

    def receipt_by_keys_or_none(self, *keys: str) -> Receipt | None:
        """Receipt of a write by any of the keys it may have been recorded under, or None."""
        rows = self.datastore.query_rows(
            "SELECT result FROM receipts WHERE key = ANY(%s)", (list(keys),)
        )
        return msgspec.json.decode(rows[0][0], type=Receipt) if rows else None

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        """Rows of a stream."""
        assert isinstance(originator_id, UUID), originator_id
        rows = self.datastore.query_rows(
            _BACKWARDS if desc else _FORWARDS,
            (originator_id.hex, 0 if gt is None else gt, 2**62 if lte is None else lte, limit),
        )
        return [StoredEvent(originator_id, *row) for row in rows]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Rows of the whole log, in the order in which they were recorded."""
        assert not topics, topics
        first = 0 if start is None else start if inclusive_of_start else start + 1
        rows = self.datastore.query_rows(ALL_ROWS, (first, 2**62 if stop is None else stop, limit))
        return [Notification(UUID(row[1]), row[2], row[3], row[4], id=row[0]) for row in rows]

    def rows_of_stream(self, stream: UUID, after: int, upto: int, limit: int) -> Sequence[Row]:
        """Rows of a stream after a stream version and up to a log position, in order."""
        return cast(
            "list[Row]", self.datastore.query_rows(_TRAIL, (stream.hex, after, upto, limit))
        )

    def max_notification_id(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        return self.datastore.query_rows(LAST, ())[0][0] or 0

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> Subscription[Any]:
        """Not supported: the read side polls the log itself."""
        raise NotImplementedError

    def close(self) -> None:
        """Close every connection; no thread may use one any more."""
        self.datastore.close()
