"""Names of persons and free texts: the only things that can be erased.

They live in a file of their own, never in the log, which knows them by random ids. What is erased
is overwritten in the file, not only unlinked.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from referee.durable import FILE_MODE, WriteQueue, connect, lock_file
from referee.events import PersonId, TextId

LONGEST_NAME: Final = 200
LONGEST_TEXT: Final = 4_000
ID_BYTES: Final = 16

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS persons (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS texts (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
)


class TooLong(Exception):  # noqa: N818 - it says what the text is
    """A name or a text beyond its bound, or an empty one."""


class Persons:
    """Names and texts by random id."""

    def __init__(self, path: str | Path, *, random: Callable[[int], bytes]) -> None:
        """Open the file, making it if it is not there. ``random``: so many unguessable bytes."""
        self._random = random
        self._queue = WriteQueue(lock_file(path))
        self._turn = threading.Lock()
        with self._queue.turn():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))
            self._db = connect(path)
            for statement in _TABLES:
                self._db.execute(statement)
        self.sweep()

    def add_person(self, name: str) -> PersonId:
        """A person with a name, under a new id."""
        return self._add("INSERT INTO persons VALUES (?, ?)", _bounded(name, LONGEST_NAME))

    def put_text(self, text: str) -> TextId:
        """A text under a new id."""
        return self._add("INSERT INTO texts VALUES (?, ?)", _bounded(text, LONGEST_TEXT))

    def name(self, person: PersonId) -> str | None:
        """Name of a person; None if erased or never known."""
        return self._one("SELECT name FROM persons WHERE id = ?", person)

    def text(self, text: TextId) -> str | None:
        """A text; None if erased or never known."""
        return self._one("SELECT text FROM texts WHERE id = ?", text)

    def erase(self, erased: PersonId | TextId) -> bool:
        """Whether a name or text was there; it is no longer, nor are its bytes in the files.

        :raises TimeoutError: gone from the tables, but a reader holds the old bytes: sweep later
        """
        with self._queue.turn(), self._turn:
            found = 0
            for table in ("persons", "texts"):
                statement = f"DELETE FROM {table} WHERE id = ?"  # noqa: S608 - two literals
                found += self._db.execute(statement, (erased,)).rowcount
        if not self.sweep():
            raise TimeoutError(erased)
        return found > 0

    def sweep(self) -> bool:
        """Whether the journal could be emptied, so that nothing erased is left in it."""
        with self._queue.turn(), self._turn:
            (busy, _, _) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Close the file."""
        with self._turn:
            self._db.close()
        self._queue.close()

    def _add(self, statement: str, value: str) -> str:
        new = self._random(ID_BYTES).hex()
        with self._queue.turn(), self._turn:
            self._db.execute(statement, (new, value))
        return new

    def _one(self, statement: str, key: str) -> str | None:
        with self._turn, closing(self._db.execute(statement, (key,))) as rows:
            row: tuple[str] | None = rows.fetchone()
        return row[0] if row else None


def _bounded(text: str, longest: int) -> str:
    if not 0 < len(text) <= longest:
        raise TooLong(f"{len(text)} characters, 1 to {longest} allowed")
    return text
