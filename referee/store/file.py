"""A store in an SQLite file of its own. Deleted rows are overwritten."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from eventsourcing.persistence import IntegrityError

from referee.log.durable import (
    FilePlace,
    WriteQueue,
    connect,
    lock_file,
    make_private,
    rewrite_header,
)
from referee.log.ports import NewerData
from referee.release import RELEASE, number_of, release_of
from referee.store.ports import Layout, Statements, refuse_moved

_HOUSE: Final = "house"
"""Table of one row with the id of the house that a file belongs to."""


def house_of_file(path: Path) -> str:
    """Id of the house that a file belongs to, read only; empty if it noted none."""
    if not path.exists():
        return ""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        asked = "SELECT 1 FROM sqlite_schema WHERE name = ?"
        return _house(db) if db.execute(asked, (_HOUSE,)).fetchone() else ""


def _house(db: Statements) -> str:
    found = db.execute(f"SELECT id FROM {_HOUSE}").fetchone()  # noqa: S608 - a literal
    return str(found[0]) if found else ""


class FileDatabase:
    """One connection to the file; its threads take turns, and writers queue among processes."""

    def __init__(self, path: str | Path, layout: Layout) -> None:
        """Open the file, made if it is not there.

        A release whose tables an earlier one would misread writes its number into
        ``application_id``; none has had to yet.

        :raises NotDurable: a setting of the connection was not applied
        :raises NewerData: the tables are of a later release
        """
        self._path, self._turn = path, threading.RLock()
        self._queue = WriteQueue(lock_file(path))
        try:
            with self._queue.turn():
                make_private(path)
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
        """A turn of this thread."""
        with self._turn:
            yield self._db

    @contextmanager
    def transaction(self, *, though_moved: bool = False) -> Iterator[Statements]:
        """A transaction that locks out other processes.

        :raises IntegrityError: a key is there already
        :raises HouseMoved: the house was moved
        """
        with self._queue.turn(), self._turn:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if not though_moved:
                    refuse_moved(str(self._path), self.house(self._db))
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if isinstance(error, sqlite3.IntegrityError):
                    raise IntegrityError(str(error)) from error
                raise

    def state(self, db: Statements) -> int:
        """The number that the file keeps."""
        (state,) = db.execute("PRAGMA user_version").fetchone()
        return int(state)

    def set_state(self, db: Statements, state: int) -> None:
        """Keep another number."""
        db.execute(f"PRAGMA user_version = {int(state)}")

    def check(self) -> None:
        """Read, and commit a write to the disk that changes nothing.

        :raises FileMoved: the file is not at its path any more
        """
        self._place.check()
        with self.transaction():
            rewrite_header(self._db)

    def house(self, db: Statements) -> str:
        """Id of the house that the file belongs to."""
        return _house(db)

    def set_house(self, db: Statements, house: str) -> None:
        """Note the house."""
        db.execute("DELETE FROM house")
        db.execute("INSERT INTO house VALUES (?)", (house,))

    def sweep(self) -> bool:
        """Write the file anew and truncate its journal.

        Zeros over a row do not reach the copies that SQLite leaves when it moves rows between
        pages; a file written anew does.
        """
        with self._queue.turn(), self._turn:
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
    if number > number_of(RELEASE):
        raise NewerData(path, release_of(number))
