"""The database of the views: one file with the rows of all projections and their log position.

The file can be rebuilt from the log, so commits need no ``fsync``. A view writes rows by natural
key, never ``+=``. Therefore the rows have the same bytes whatever the size of the batches.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from projections.runner.projection import Projection
from referee.log.durable import create_private_file_if_missing, lock_path
from referee.log.faults import StoreFault, store_fault_or_none
from referee.log.mapper import LoggedEvent
from referee.log.sqlite import schema
from referee.log.sqlite.schema import set_aside
from referee.system import ports

FOLLOWED: Final = "followed"
"""Table with the position of the views: who has it, and has it so, is a file of the views."""
_POSITION: Final = f"SELECT position, mark, fingerprint FROM {FOLLOWED}"  # noqa: S608 - a literal


def damage_of_views_file_or_empty(path: Path, *, wholly: bool = False) -> str:
    """Why a file is not a sound file of views, in one line; empty if it is sound or does not exist.

    ``wholly``: every page is read.
    """
    return schema.damage_of_file_or_empty(path, _POSITION, wholly=wholly)


BUSY_TIMEOUT_S: Final = 10.0
CACHE_KIB: Final = 2_000
REBUILD_CACHE_KIB: Final = 262_144
"""Page cache of a rebuild, which writes rows in the order of random ids."""
SHORTEST_NAP_S: Final = 0.001
LONGEST_NAP_S: Final = 0.01

_FOLLOWED: Final = (
    f"CREATE TABLE IF NOT EXISTS {FOLLOWED} (only INTEGER PRIMARY KEY CHECK (only = 1),"
    " position INTEGER NOT NULL, mark TEXT NOT NULL, fingerprint TEXT NOT NULL)"
)

BUILT_TABLE: Final = "built"
"""Table with the fingerprint of each projection whose rows are there."""
_BUILT: Final = (
    f"CREATE TABLE IF NOT EXISTS {BUILT_TABLE} (projection TEXT PRIMARY KEY,"
    " fingerprint TEXT NOT NULL) WITHOUT ROWID"
)
HOUSE_TABLE: Final = "house"
"""Table of one row with the id of the house whose log was read."""
MISSED_TABLE: Final = "missed"
"""Table with the furthest event that was read of a log which lost it, if one ever did."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ViewsPosition:
    """Log position of the views. ``mark`` is the salt of the event at the position."""

    position: int
    mark: str
    fingerprint: str


class ReadEvent(NamedTuple):
    """An event that the views have read: its log position and its salt."""

    position: int
    mark: str


class NotedHouse(NamedTuple):
    """What a file of views says before it is opened: its house, and the last events that it read.

    ``read``: the last of them, and the last of a log which has lost it.
    """

    position: int = 0
    house: str = ""
    read: tuple[ReadEvent, ...] = ()


class _Connection(sqlite3.Connection):
    """A connection that can be referred to weakly."""


class OutdatedViews(Exception):  # noqa: N818 - it says what the views are
    """Error: the rows are of another version or missing, until they are rebuilt."""


class Views:
    """Database file of the views, with many readers and one writer at a time.

    A file that is damaged, or of another program, is set aside at any time, with a line in the log;
    the rows are then outdated until they are rebuilt.
    """

    def __init__(self, path: str | Path, projections: Sequence[Projection]) -> None:
        self.path = Path(path)
        self.projections = tuple(projections)
        self.fingerprint = _fingerprint(self.projections)
        self._mine = threading.local()
        self._every = WeakSet[_Connection]()
        self._moved = threading.Condition()
        self._was_open = False
        self._connection()

    # --- reading -------------------------------------------------------------------------------

    @contextmanager
    def reading(self, *, of_any_version: bool = False) -> Iterator[sqlite3.Cursor]:
        """Context with a cursor that sees one snapshot of all views.

        Nested contexts share the snapshot.

        :raises OutdatedViews: the rows are of another version, and that was not asked for; or the
        file turned out to be damaged
        """
        connection = self._connection()
        is_inner = connection.in_transaction
        with self._set_aside_on_damage(), closing(connection.cursor()) as cursor:
            if not is_inner:
                cursor.execute("BEGIN")
            try:
                if not (of_any_version or self._has_present_version(cursor)):
                    raise OutdatedViews
                yield cursor
            finally:
                if not is_inner:
                    connection.rollback()

    def position(self) -> int:
        """Log position up to which the rows are computed.

        :raises OutdatedViews: the file turned out to be damaged
        """
        connection = self._connection()
        with self._set_aside_on_damage():
            return position_of(connection.cursor())

    def wait(self, position: int, timeout_s: float) -> bool:
        """Wait until the views have reached a log position; returns whether they did in time."""
        end, nap = time.monotonic() + timeout_s, SHORTEST_NAP_S
        with self._moved:
            while self.position() < position:
                left = end - time.monotonic()
                if left <= 0:
                    return False
                if not self._moved.wait(min(nap, left)):
                    nap = min(nap * 1.5, LONGEST_NAP_S)
        return True

    def dump(self) -> bytes:
        """Bytes of all rows in a fixed order, to compare two files of views."""
        lines: list[str] = []
        with self.reading() as cursor:
            for one in self.projections:
                for table in sorted(one.tables):
                    lines += _dump_table(cursor, table)
        return "".join(lines).encode()

    # --- writing -------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Cursor]:
        """Context with a cursor that alone may write.

        All its writes are committed together, or none.

        :raises OutdatedViews: the file turned out to be damaged
        """
        connection = self._connection()
        with self._set_aside_on_damage(), closing(connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    @contextmanager
    def rewriting(self) -> Iterator[sqlite3.Cursor]:
        """Context with a cursor that alone may write, for a rebuild of all rows: a larger cache."""
        mine = self._connection()
        mine.execute(f"PRAGMA cache_size = -{REBUILD_CACHE_KIB}")
        try:
            with self.writing() as cursor:
                yield cursor
        finally:
            if getattr(self._mine, "connection", None) is mine:  # else the file was set aside
                mine.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def read_position(self, cursor: sqlite3.Cursor) -> ViewsPosition:
        """Log position of the rows, with salt of the event there and version of the views."""
        cursor.execute("SELECT position, mark, fingerprint FROM followed")
        return ViewsPosition(*cursor.fetchone())

    def record_position_of_event(self, cursor: sqlite3.Cursor, at: LoggedEvent | None) -> None:
        """Store the log position of the rows: that of this event, or 0 for None."""
        position, mark = (0, "") if at is None else (at.position, at.recorded.salt)
        cursor.execute(
            "UPDATE followed SET position = ?, mark = ?, fingerprint = ?",
            (position, mark, self.fingerprint),
        )

    def note_last_event_as_lost(self, cursor: sqlite3.Cursor) -> None:
        """Record that the log has lost the event which the views read last."""
        cursor.execute(
            f"CREATE TABLE IF NOT EXISTS {MISSED_TABLE} (position INTEGER NOT NULL, mark TEXT)"
        )
        cursor.execute(
            f"INSERT INTO {MISSED_TABLE} SELECT position, mark FROM {FOLLOWED}"  # noqa: S608 - literals
        )

    def position_of_lost_event_or_zero(self) -> int:
        """Position of the latest event that was read and that the log has lost.

        0 if there is none.
        """
        with self.reading(of_any_version=True) as cursor:
            return max((one.position for one in _find_lost_events(cursor)), default=0)

    def forget_lost_events(self) -> None:
        """Delete the record of lost events, because the log was checked and has them again."""
        if self.position_of_lost_event_or_zero():
            with self.writing() as cursor:
                cursor.execute(f"DROP TABLE {MISSED_TABLE}")

    def find_outdated_projections(self, cursor: sqlite3.Cursor) -> list[Projection]:
        """Projections whose rows are missing or of another version."""
        cursor.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (BUILT_TABLE,))
        built: dict[str, str] = {}
        if cursor.fetchone() is not None:
            built = dict(cursor.execute(f"SELECT projection, fingerprint FROM {BUILT_TABLE}"))  # noqa: S608 - a literal
        return [one for one in self.projections if built.get(one.name) != one.fingerprint]

    def recreate_tables(self, cursor: sqlite3.Cursor, chosen: Sequence[Projection]) -> None:
        """Drop and create the tables of some projections; those of removed ones are dropped too."""
        kept = {FOLLOWED, HOUSE_TABLE, BUILT_TABLE, MISSED_TABLE}
        kept.update(table for one in self.projections if one not in chosen for table in one.tables)
        every = cursor.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (table,) in every:
            if table not in kept:
                cursor.execute(f'DROP TABLE "{table}"')
        _create_tables(cursor, chosen)

    def record_built_versions(self, cursor: sqlite3.Cursor) -> None:
        """Record that the rows of every projection are of the present version."""
        cursor.execute(_BUILT)
        cursor.execute(f"DELETE FROM {BUILT_TABLE}")  # noqa: S608 - a literal
        cursor.executemany(
            f"INSERT INTO {BUILT_TABLE} VALUES (?, ?)",  # noqa: S608 - a literal
            [(one.name, one.fingerprint) for one in self.projections],
        )
        cursor.execute("UPDATE followed SET fingerprint = ?", (self.fingerprint,))

    def note_house(self, house: str) -> None:
        """Store the id of the house whose log the views read."""
        with self.writing() as cursor:
            cursor.execute(f"CREATE TABLE IF NOT EXISTS {HOUSE_TABLE} (id TEXT NOT NULL)")
            cursor.execute(f"DELETE FROM {HOUSE_TABLE}")  # noqa: S608 - a literal
            cursor.execute(f"INSERT INTO {HOUSE_TABLE} VALUES (?)", (house,))  # noqa: S608 - a literal

    def wake_waiters(self) -> None:
        """Wake the threads of this process that wait for a position."""
        with self._moved:
            self._moved.notify_all()

    def clear_caches(self) -> None:
        """Clear the memory caches of every projection."""
        for one in self.projections:
            one.clear_cache()

    def close(self) -> None:
        """Close the connection of this thread."""
        mine: sqlite3.Connection | None = getattr(self._mine, "connection", None)
        if mine is not None:
            mine.close()
            del self._mine.connection

    def close_all(self) -> None:
        """Close the connections of all threads, none of which reads any more."""
        for one in list(self._every):
            one.close()

    def is_replaced(self) -> bool:
        """Whether another file is in the place of the one that this thread has open."""
        return bool(self._mine.identity != ports.file_identity_or_none(self.path))

    def has_rows_of_this_version(self) -> bool:
        """Whether the rows are of the present version.

        Not so between an upgrade and the rebuild.
        """
        with self.reading(of_any_version=True) as cursor:
            return self._has_present_version(cursor)

    # --- inside --------------------------------------------------------------------------------

    def _has_present_version(self, cursor: sqlite3.Cursor) -> bool:
        return self.read_position(cursor).fingerprint == self.fingerprint

    @contextmanager
    def _set_aside_on_damage(self) -> Iterator[None]:
        """Context that renames the file if SQLite finds it damaged, so that it is rebuilt.

        The error may be about another file, which was read inside this context.
        """
        try:
            yield
        except sqlite3.DatabaseError as error:
            if store_fault_or_none(error) is not StoreFault.DAMAGED:
                raise
            with _views_file_lock(self.path):
                if ports.file_identity_or_none(self.path) == self._mine.identity:
                    why = damage_of_views_file_or_empty(self.path, wholly=True)
                    if not why:
                        raise
                    self._set_aside(why)
            self.close()
            raise OutdatedViews from error

    def _set_aside(self, why: str) -> None:
        aside = set_aside(self.path)
        _log.warning("%s: %s; it is now %s, and the views are rebuilt", self.path, why, aside.name)

    def _connection(self) -> sqlite3.Connection:
        """Connection of this thread to the file that is there now; a damaged one is set aside."""
        mine: sqlite3.Connection | None = getattr(self._mine, "connection", None)
        if mine is not None and self._mine.identity == ports.file_identity_or_none(self.path):
            return mine
        self.close()
        with _views_file_lock(self.path):
            if why := damage_of_views_file_or_empty(self.path):
                self._set_aside(why)
            create_private_file_if_missing(self.path)
            mine = _connect(self.path)
            self._every.add(mine)
            try:
                # in the place of another file it has no rows that a reader may be shown
                self._make_tables(mine, "" if why or self._was_open else self.fingerprint)
            except BaseException:
                mine.close()
                raise
            self._mine.connection, self._mine.identity = (
                mine,
                ports.file_identity_or_none(self.path),
            )
            self._was_open = True
        return mine

    def _make_tables(self, connection: sqlite3.Connection, fingerprint: str) -> None:
        """Make the tables of a new file."""
        if _has_tables(connection):
            return
        with closing(connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute(_FOLLOWED)
            _create_tables(cursor, self.projections)
            cursor.execute("INSERT INTO followed VALUES (1, 0, '', ?)", (fingerprint,))
            if fingerprint:
                self.record_built_versions(cursor)
            connection.commit()


def _connect(path: Path) -> _Connection:
    found = sqlite3.connect(
        path,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        factory=_Connection,
    )
    found.execute("PRAGMA journal_mode = WAL")
    found.execute("PRAGMA synchronous = NORMAL")
    return found


def _has_tables(connection: sqlite3.Connection) -> bool:
    asked = f"SELECT 1 FROM sqlite_schema WHERE name = '{FOLLOWED}'"  # noqa: S608 - a literal
    return connection.execute(asked).fetchone() is not None


def read_house_note(path: Path) -> NotedHouse:
    """House and last events that a file of views has stored; empty if it is missing or damaged."""
    if damage_of_views_file_or_empty(path) or not path.exists():
        return NotedHouse()
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
        if FOLLOWED not in names:
            return NotedHouse()
        asked = f"SELECT position, mark FROM {FOLLOWED} WHERE position > 0"  # noqa: S608 - a literal
        last = [ReadEvent(*row) for row in db.execute(asked)]
        read = (*last, *_find_lost_events(db.cursor()))
        position = last[0].position if last else 0
        if HOUSE_TABLE not in names:
            return NotedHouse(position, read=read)
        found = db.execute(f"SELECT id FROM {HOUSE_TABLE}").fetchone()  # noqa: S608 - a literal
        return NotedHouse(position, str(found[0]) if found else "", read)


def _find_lost_events(cursor: sqlite3.Cursor) -> list[ReadEvent]:
    """Events that the views read and that the log has lost."""
    cursor.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (MISSED_TABLE,))
    if cursor.fetchone() is None:
        return []
    asked = f"SELECT position, mark FROM {MISSED_TABLE}"  # noqa: S608 - a literal
    return [ReadEvent(*row) for row in cursor.execute(asked)]


def position_of(cursor: sqlite3.Cursor) -> int:
    """Log position of the rows that this cursor sees."""
    return int(cursor.execute("SELECT position FROM followed").fetchone()[0])


@contextmanager
def _views_file_lock(path: Path) -> Iterator[None]:
    """Context that holds the lock file of the views among all processes."""
    lock = lock_path(path)
    create_private_file_if_missing(lock)
    with lock.open("a") as file:
        ports.lock(file.fileno())
        yield


def _create_tables(cursor: sqlite3.Cursor, projections: Sequence[Projection]) -> None:
    for one in projections:
        for statement in (*one.tables.values(), *one.indexes):
            cursor.execute(statement)


def _fingerprint(projections: Sequence[Projection]) -> str:
    """Hash of the tables and versions of these projections."""
    return hashlib.sha256("".join(one.fingerprint for one in projections).encode()).hexdigest()


def _dump_table(cursor: sqlite3.Cursor, table: str) -> list[str]:
    cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - the name of a table of a view
    rows: list[Any] = [
        [value.hex() if isinstance(value, bytes) else value for value in row]
        for row in cursor.fetchall()
    ]
    return sorted(json.dumps([table, *row], ensure_ascii=False) + "\n" for row in rows)
