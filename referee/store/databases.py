"""A store in an SQLite file of its own. Deleted rows are overwritten."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from eventsourcing.persistence import IntegrityError

from referee.log.durable import (
    FilePlace,
    WriteQueue,
    connect,
    create_private_file_if_missing,
    lock_path,
    rewrite_database_header,
)
from referee.log.ports import Address, NewerData
from referee.log.stores import is_postgres, is_there
from referee.release import RELEASE, release_as_number, release_from_number
from referee.store.ports import MOVED_TO, Database, Layout, Statements, refuse_moved_house

_HOUSE: Final = "house"
"""Table of one row with the id of the house that a file belongs to."""


def house_id_of_file_or_empty(path: Path) -> str:
    """Id of the house that a store file belongs to; empty if none is stored in it."""
    if not path.exists():
        return ""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        asked = "SELECT 1 FROM sqlite_schema WHERE name = ?"
        return _read_house_id(db) if db.execute(asked, (_HOUSE,)).fetchone() else ""


def _read_house_id(db: Statements) -> str:
    found = db.execute(f"SELECT id FROM {_HOUSE}").fetchone()  # noqa: S608 - a literal
    return str(found[0]) if found else ""


class FileDatabase:
    """A store in one SQLite file, through one connection.

    Threads take turns, processes queue to write.
    """

    def __init__(self, path: str | Path, layout: Layout) -> None:
        """Open the file, made if it is not there.

        A release whose tables an earlier one would misread writes its number into
        ``application_id``; none has had to yet.

        :raises NotDurable: a setting of the connection was not applied
        :raises NewerData: the tables are of a later release
        """
        self._path, self._turn = path, threading.RLock()
        self._queue = WriteQueue(lock_path(path))
        try:
            with self._queue.hold_write_lock():
                create_private_file_if_missing(path)
                self._db = connect(path)
                self._db.execute("PRAGMA temp_store = MEMORY")  # VACUUM writes no file beside
                _refuse_newer(path, self._db)
                self._db.execute("CREATE TABLE IF NOT EXISTS house (id TEXT NOT NULL)")
                layout.open_file(self._db)
                self._place = FilePlace(path)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def connection(self) -> Iterator[Statements]:
        """Context in which this thread alone uses the connection."""
        with self._turn:
            yield self._db

    @contextmanager
    def transaction(self, *, though_moved: bool = False) -> Iterator[Statements]:
        """A transaction that locks out other processes.

        :raises IntegrityError: a key is there already
        :raises HouseMoved: the house was moved
        """
        with self._queue.hold_write_lock(), self._turn:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if not though_moved:
                    refuse_moved_house(str(self._path), self.house_id(self._db))
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.IntegrityError):
                    raise IntegrityError(str(error)) from error
                raise

    def store_state_number(self, db: Statements) -> int:
        """Number that the file stores for the owner of its tables."""
        (state,) = db.execute("PRAGMA user_version").fetchone()
        return int(state)

    def set_store_state_number(self, db: Statements, state: int) -> None:
        """Store another number for the owner of the tables."""
        db.execute(f"PRAGMA user_version = {int(state)}")

    def check_by_writing(self) -> None:
        """Test that the file can be read and written.

        Read, and commit a write that changes nothing.

        :raises FileMoved: the file is not at its path any more
        """
        self._place.refuse_moved_file()
        with self.transaction():
            rewrite_database_header(self._db)

    def house_id(self, db: Statements) -> str:
        """Id of the house that the file belongs to."""
        return _read_house_id(db)

    def set_house_id(self, db: Statements, house: str) -> None:
        """Store the id of the house that the file belongs to."""
        db.execute("DELETE FROM house")
        db.execute("INSERT INTO house VALUES (?)", (house,))

    def erase_deleted_bytes(self) -> bool:
        """Rewrite the file without the bytes of deleted rows.

        Returns whether that was possible now.

        Zeros over a row do not reach the copies that SQLite leaves when it moves rows between
        pages; a file written anew does.
        """
        with self._queue.hold_write_lock(), self._turn:
            self._db.execute("VACUUM")
            (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            if hasattr(self, "_db"):
                self._db.close()
        self._queue.close()


def _refuse_newer(path: str | Path, db: sqlite3.Connection) -> None:
    (number,) = db.execute("PRAGMA application_id").fetchone()
    if number > release_as_number(RELEASE):
        raise NewerData(path, release_from_number(number))


def open_database(address: Address, layout: Layout) -> Database:
    """The tables of a store in an SQLite file, or in the PostgreSQL of a ``postgresql://`` URL.

    :raises NewerData: they are of a later release
    :raises NotDurable: the engine is not durable
    """
    if not is_postgres(address):
        return FileDatabase(address, layout)
    from referee.store.server import ServerDatabase  # noqa: PLC0415 - only PostgreSQL needs it

    return ServerDatabase(str(address), layout)


def house_id_of_address_or_empty(address: Address, layout: Layout) -> str:
    """Id of the house that a store belongs to; empty if none is stored in it, or it does not exist.

    A file is only read, since it may be of another house.
    """
    if not is_postgres(address):
        return house_id_of_file_or_empty(Path(address))
    with closing(open_database(address, layout)) as database, database.connection() as db:
        return database.house_id(db)


def note_house(address: Address, layout: Layout, house: str) -> None:
    """Store the id of the house in an existing store, unless it is there."""
    if house_id_of_address_or_empty(address, layout) == house or not is_there(address):
        return
    with closing(open_database(address, layout)) as database, database.transaction() as db:
        database.set_house_id(db, house)


class HasRows(Exception):  # noqa: N818 - it says what is the case
    """Error: a store that should be filled has rows already."""


def copy_tables(source: Database, target: Database, layout: Layout, *, over: bool = False) -> int:
    """Copy all rows of a store into another, all or nothing; returns how many.

    ``over``: Replace the rows there.

    Both are opened, so both have the tables of today. ``over``: replace the rows of the target.

    :raises HasRows: the target has rows, and they are not to be replaced
    """
    with source.transaction() as rows:  # a writer would tear the copy
        return copy_tables_in_transaction(
            rows,
            target,
            layout,
            (source.store_state_number(rows), source.house_id(rows)),
            over=over,
        )


def copy_tables_in_transaction(
    rows: Statements, target: Database, layout: Layout, noted: tuple[int, str], *, over: bool
) -> int:
    """Copy all rows, read in an open transaction of the source; returns how many.

    ``noted``: Number and house to store in the target.

    :raises HasRows: the target has rows, and they are not to be replaced
    """
    with target.transaction(though_moved=over) as db:
        for table in layout.tables:
            if over:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal
            elif db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608 - a literal
                raise HasRows(layout.name)
        copied = sum(_copy_table(rows, db, table) for table in layout.tables)
        state, house = noted
        target.set_store_state_number(db, state)
        target.set_house_id(db, house)
    return copied


def move_into_database(file: Path, address: Address, layout: Layout) -> int | None:
    """Move a store from a file of an earlier version into the database that the house uses now.

    Afterwards the file is called ``….moved``. Returns the number of rows; None if there is no file,
    or the store stays in one, or was moved by ``guinote move``.
    Any number of processes may call it at once.

    :raises HasRows: the database has such rows already; the file stays as it is
    """
    if not is_postgres(address) or not file.exists():
        return None
    moved = Path(f"{file}.moved")
    with ExitStack() as stack:
        queue = WriteQueue(lock_path(moved))
        stack.callback(queue.close)
        stack.enter_context(queue.hold_write_lock())
        if not file.exists() or has_moved(file):  # read in turn: another process may rename it
            return None
        with (
            closing(open_database(file, layout)) as source,
            closing(open_database(address, layout)) as target,
        ):
            copied = copy_tables(source, target, layout)
        for end in ("-wal", ""):  # a process of before may have the file open, and so its journal
            if Path(f"{file}{end}").exists():
                Path(f"{file}{end}").rename(f"{moved}{end}")
    return copied


def has_moved(file: Path) -> bool:
    """Whether the store was moved to another place, so that this file is an old copy."""
    return house_id_of_file_or_empty(file).startswith(MOVED_TO)


def column_names(db: Statements, table: str) -> list[str]:
    """Names of the columns of a database table."""
    return [one[0] for one in db.execute(f"SELECT * FROM {table} WHERE 1 = 0").description]  # noqa: S608 - a literal


def _copy_table(source: Statements, target: Statements, table: str) -> int:
    names = [f'"{name}"' for name in column_names(source, table)]
    listed, marks = ", ".join(names), ", ".join("?" * len(names))
    rows = source.execute(f"SELECT {listed} FROM {table}").fetchall()  # noqa: S608 - literals
    target.executemany(f"INSERT INTO {table} ({listed}) VALUES ({marks})", rows)  # noqa: S608 - literals
    return len(rows)
