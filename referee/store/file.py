"""A store in an SQLite file of its own. Deleted rows are overwritten."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import IntegrityError as DuplicateKey

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
from referee.store.ports import Layout, Statements


class FileDatabase:
    """One connection to the file; its threads take turns, and writers queue among processes."""

    def __init__(self, path: str | Path, layout: Layout) -> None:
        """Open the file, made if it is not there.

        A release whose tables an earlier one would misread writes its number into
        ``application_id``; none has had to yet.

        :raises NotDurable: a setting of the connection was not applied
        :raises NewerData: the tables are of a later release
        """
        self._turn = threading.RLock()
        self._queue = WriteQueue(lock_file(path))
        try:
            with self._queue.turn():
                make_private(path)
                self._db = connect(path)
                self._db.execute("PRAGMA temp_store = MEMORY")  # VACUUM writes no file beside
                _refuse_newer(path, self._db)
                layout.open_file(self._db)
                self._place = FilePlace(path)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        """A turn of this thread."""
        with self._turn:
            yield self._db

    @contextmanager
    def writing(self) -> Iterator[Statements]:
        """A transaction that locks out other processes.

        :raises IntegrityError: a key is there already
        """
        with self._queue.turn(), self._turn:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if isinstance(error, DuplicateKey):
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
        with self.writing():
            rewrite_header(self._db)

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
