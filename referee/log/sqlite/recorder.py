"""The log in an SQLite file: one writer at a time, every row with its position.

A position never changes and is never reused. The receipt that answers an idempotency key is
in the same transaction as the events it answers for.

The recorder of ``eventsourcing`` is extended, since it has neither receipts nor the tree of the
log, nor an order of writers. The connection used last is kept beside the pool of its datastore:
without that an act in the store takes 1.08 to 1.24 times as long (the page on performance).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import IntegrityError, Notification, OperationalError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
)

from referee.log.durable import (
    FilePlace,
    WriteQueue,
    connect,
    hold_lock_with_connection,
    lock_path,
    rewrite_database_header,
)
from referee.log.mapper import (
    assert_version_readable,
    assert_version_writable,
    log_version_for_rows,
)
from referee.log.merkle import StoredRow, Tree, tree_and_leaves_after_events
from referee.log.ports import MOVED, Log, NoTables, Receipt, Row, Unsound
from referee.log.sqlite.rows import READ_TREE, ROWS
from referee.log.sqlite.schema import TABLES

_WITHOUT_TREE: Final = 1
"""Version of a log without a tree; the tree is added."""

_OF_STREAM: Final = (
    "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ?"
    " AND originator_version > ? AND originator_version <= ? ORDER BY originator_version"
)
_TRAIL: Final = (
    f"{ROWS} originator_id = ? AND originator_version > ? AND position <= ?"
    " ORDER BY originator_version LIMIT ?"
)
_FORWARDS: Final = _OF_STREAM + " ASC LIMIT ?"
_BACKWARDS: Final = _OF_STREAM + " DESC LIMIT ?"
_EVERY: Final = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events ORDER BY position"
)
_EVENTS_AT_ONCE: Final = 10_000


def create_tables(path: str | Path) -> None:
    """Make the file and its tables if they are not there; safe to call from many processes."""
    with hold_lock_with_connection(path) as c, closing(c):
        (version,) = c.execute("PRAGMA user_version").fetchone()
        if version not in (0, _WITHOUT_TREE):
            assert_version_readable(path, version)
            return
        if not version and c.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise Unsound(f"{path} is a database of another program")
        c.execute("BEGIN IMMEDIATE")
        for statement in TABLES:
            c.execute(statement)
        if version == _WITHOUT_TREE:
            _build_tree_from_events(c)
        c.execute("COMMIT")


def _build_tree_from_events(c: sqlite3.Connection) -> None:
    """Build the Merkle tree of a log that has events and no leaves yet."""
    events = c.execute(_EVERY)
    while page := events.fetchmany(_EVENTS_AT_ONCE):
        grow_tree(c.cursor(), page)


def grow_tree(c: sqlite3.Cursor | SQLiteCursor, events: Sequence[StoredRow]) -> None:
    """Add the leaves of new events to the stored Merkle tree.

    The caller holds the write lock and ends the transaction.
    """
    c.execute(READ_TREE)
    size, frontier = c.fetchone()
    tree, leaves = tree_and_leaves_after_events(Tree(size, frontier), events)
    c.executemany("INSERT INTO leaves VALUES (?, ?, ?, ?)", leaves)
    c.execute("UPDATE tree SET size = ?, frontier = ?", tree)


def assert_tables_version(path: str | Path) -> None:
    """Raise an error unless the version of a log file can be read; nothing is written.

    :raises NoTables: it has none, or those of another version
    """
    if not Path(path).exists():
        raise NoTables(str(path))
    with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=rw", uri=True)) as c:
        (version,) = c.execute("PRAGMA user_version").fetchone()
    assert_version_readable(path, version)


class LogPool(SQLiteConnectionPool):
    """Connections to a log."""

    def _create_connection(self) -> SQLiteConnection:
        try:
            return SQLiteConnection(sqlite_conn=self._connect(), max_age=self.max_age)
        except sqlite3.Error as e:
            raise OperationalError(e) from e

    def _connect(self) -> sqlite3.Connection:
        if not Path(self.db_name).exists():
            raise NoTables(self.db_name)
        c = connect(self.db_name)
        c.row_factory = sqlite3.Row
        (version,) = c.execute("PRAGMA user_version").fetchone()
        try:
            assert_version_readable(self.db_name, version)
        except NoTables:
            c.close()
            raise
        return c


class SQLiteLogDatastore(SQLiteDatastore):
    """The file of a log, and the queue of its writers."""

    def __init__(self, db_name: str, *, readers: int = 16) -> None:
        super().__init__(db_name, pool_size=readers, max_overflow=readers)
        self.pool = LogPool(db_name=db_name, pool_size=readers, max_overflow=readers)
        self.queue = WriteQueue(lock_path(db_name))
        self.place = FilePlace(db_name)
        self._idle: list[SQLiteConnection] = []

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """A cursor in a transaction, which takes the write lock first if it will be committed."""
        if not commit:
            with super().transaction(commit=False) as cursor:
                yield cursor
            return
        with self.queue.hold_write_lock(), self.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            with _map_errors(), cursor:
                cursor.execute("BEGIN IMMEDIATE")
                try:
                    yield cursor
                    connection.commit()
                except BaseException:
                    connection.rollback()
                    raise

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """The connection that was used last, whose pages are still cached, or another one.

        An act takes a tenth to a fifth less of the processor than with the pool of the library.
        Only the queue orders writers: a lock of the pool would stay locked if opening failed.
        """
        del commit
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self.pool.get_connection()
        try:
            yield connection
        finally:
            self._idle.append(connection)

    def close(self) -> None:
        """Close every connection; no thread may use one any more."""
        while self._idle:
            self.pool.put_connection(self._idle.pop())
        super().close()
        self.queue.close()


@contextmanager
def _map_errors() -> Iterator[None]:
    """Context that raises errors of SQLite as errors of the event sourcing library."""
    try:
        yield
    except sqlite3.IntegrityError as e:
        raise IntegrityError(e) from e
    except sqlite3.Error as e:
        raise OperationalError(e) from e


class SQLiteLogRecorder(SQLiteApplicationRecorder, Log):
    """Rows of the log, with the receipt of a write and its guards in one transaction."""

    datastore: SQLiteLogDatastore

    def __init__(
        self, datastore: SQLiteLogDatastore, events_table_name: str = "stored_events"
    ) -> None:
        super().__init__(datastore, events_table_name)
        self._insert = (
            "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
            " VALUES (?, ?, ?, ?)"
        )

    def construct_create_table_statements(self) -> list[str]:
        """Tables as ``create_tables`` makes them."""
        return list(TABLES)

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        key: str = "",
        receipt: Receipt | None = None,
        guards: Mapping[UUID, int] | None = None,
        **_: Any,
    ) -> Sequence[int]:
        """Insert events, their leaves and their receipt.

        ``guards``: Versions that other streams must still have.
        """
        self._set_needed_log_version(c, stored_events)
        for stream, version in (guards or {}).items():
            if self._stream_length(c, stream) != version:
                raise IntegrityError(f"stream {stream} moved on")
        positions: list[int] = []
        rows: list[StoredRow] = []
        for s in stored_events:
            assert isinstance(s.originator_id, UUID), s.originator_id
            rows.append((s.originator_id.hex, s.originator_version, s.topic, s.state))
            c.execute(self._insert, rows[-1])
            positions.append(c.lastrowid)
        grow_tree(c, rows)
        if receipt is not None:
            kept = msgspec.structs.replace(receipt, position=max(positions, default=0))
            body = msgspec.json.encode(kept).decode()
            c.execute("INSERT INTO receipts VALUES (?, ?, ?)", (key, kept.digest, body))
        return positions

    def _set_needed_log_version(self, c: SQLiteCursor, events: Sequence[StoredEvent]) -> None:
        """Raise the version number of the log, if the new events need a later release."""
        c.execute("PRAGMA user_version")
        version = c.fetchone()[0]
        assert_version_writable(self.datastore.pool.db_name, version)
        needed = log_version_for_rows(events)
        if needed > version:
            c.execute(f"PRAGMA user_version = {needed}")

    def _stream_length(self, c: SQLiteCursor, stream: UUID) -> int:
        c.execute(
            "SELECT MAX(originator_version) AS length FROM stored_events WHERE originator_id = ?",
            (stream.hex,),
        )
        return c.fetchone()["length"] or 0

    def receipt_by_keys_or_none(self, *keys: str) -> Receipt | None:
        """Receipt of a write by any of the keys it may have been recorded under, or None."""
        places = ", ".join("?" * len(keys))
        rows = self._select(f"SELECT result FROM receipts WHERE key IN ({places})", keys)  # noqa: S608 - places
        return msgspec.json.decode(rows[0]["result"], type=Receipt) if rows else None

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
        rows = self._select(
            _BACKWARDS if desc else _FORWARDS,
            (
                originator_id.hex,
                0 if gt is None else gt,
                2**62 if lte is None else lte,
                -1 if limit is None else limit,
            ),
        )
        return [StoredEvent(originator_id, row[0], row[1], row[2]) for row in rows]

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
        rows = self._select(
            f"{ROWS} position >= ? AND position <= ? ORDER BY position LIMIT ?",
            (first, 2**62 if stop is None else stop, limit),
        )
        return [Notification(UUID(row[1]), row[2], row[3], row[4], id=row[0]) for row in rows]

    def rows_of_stream(self, stream: UUID, after: int, upto: int, limit: int) -> Sequence[Row]:
        """Rows of a stream after a stream version and up to a log position, in order."""
        return [tuple(row) for row in self._select(_TRAIL, (stream.hex, after, upto, limit))]

    def max_notification_id(self) -> int:
        """Position of the latest event; 0 of an empty log."""
        return self._select("SELECT MAX(position) FROM stored_events", ())[0][0] or 0

    def _select(self, statement: str, values: Sequence[object]) -> list[Any]:
        """Rows of one statement, which is its own transaction."""
        with (
            self.datastore.get_connection(commit=False) as connection,
            connection.cursor() as cursor,
        ):
            try:
                return cursor.execute(statement, values).fetchall()
            except sqlite3.Error as e:
                raise OperationalError(e) from e

    def check_by_writing(self) -> None:
        """Test that the log can be read and written: read, and commit a write that changes nothing.

        :raises FileMoved: the log is not at its path any more
        """
        self.datastore.place.refuse_moved_file()
        with self.datastore.transaction(commit=True) as cursor:
            rewrite_database_header(cursor.sqlite_cursor)

    def set_waiting_context(self, waiting: Callable[[], AbstractContextManager[object]]) -> None:
        """Set the context that is entered whenever a writer waits for its turn."""
        self.datastore.queue.waiting = waiting

    def set_closed_by_move(self, *, is_moved: bool) -> None:
        """Close the log for writing because the house moved, or open it again.

        The caller must hold the write lock.
        """
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("PRAGMA user_version")
            version = cursor.fetchone()[0] % MOVED + MOVED * is_moved
            cursor.execute(f"PRAGMA user_version = {version}")

    def hold_write_lock(self) -> AbstractContextManager[None]:
        """Context that holds the write lock of the log among all processes.

        It may be entered again inside itself.
        """
        return self.datastore.queue.hold_write_lock()

    def close(self) -> None:
        """Close every connection; no thread may use one any more."""
        self.datastore.close()
