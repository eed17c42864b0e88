"""What the notary publishes, for every computer of a house: the latest checkpoint and the key.

They are two files of the data folder, or with a log in PostgreSQL two rows of a table beside it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from referee.log.durable import write_file_atomically
from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.store.databases import open_database
from referee.store.ports import Database, Layout
from referee.system import ports

PUBLISHED_NOTE: Final = "log.checkpoint"
PUBLISHED_KEY: Final = "log.vkey"
IDLE: Final = "notary.idle"
"""File with the code why the notary of this computer does not sign; it counts while the process
that wrote it holds its lock, so that none which was killed is believed."""
_PUBLIC: Final = 0o644
_TABLE: Final = """CREATE TABLE published
    (name text COLLATE "C" PRIMARY KEY, content text NOT NULL, at double precision NOT NULL)"""
_NOW: Final = "extract(epoch FROM clock_timestamp())"
_PUT: Final = (
    f"INSERT INTO published VALUES (?, ?, {_NOW}) ON CONFLICT (name)"  # noqa: S608 - a literal
    " DO UPDATE SET content = excluded.content, at = excluded.at"
)


def _create_no_tables(db: sqlite3.Connection) -> None:
    del db  # a house in files publishes files


PUBLISHED_LAYOUT: Final = Layout("published", ("published",), _create_no_tables, ((_TABLE,),))


class PublishedText(NamedTuple):
    """A text, and when it was published last, in seconds since 1970."""

    text: str
    at: float


class Published:
    """Checkpoint and public key that the notary of one log published; any thread may use it."""

    def __init__(self, address: Address, folder: Path) -> None:
        """``folder``: the data folder of this computer."""
        self._address, self._folder = address, folder
        self._is_shared = is_postgres(address)
        self._lock = threading.Lock()
        self._opened: Database | None = None
        self._idle = -1
        """Descriptor of the note why this process does not sign, locked for as long as it lives."""

    def key(self) -> PublishedText | None:
        """The public key of the notary, in a line; None if there is none yet."""
        return self._read_text(PUBLISHED_KEY)

    def note(self) -> PublishedText | None:
        """Text and moment of the latest checkpoint; None if there is none yet."""
        return self._read_text(PUBLISHED_NOTE)

    def put(self, key: str, note: str | None) -> None:
        """Publish the key in a line and, if there is one, the latest checkpoint."""
        texts = {PUBLISHED_KEY: f"{key}\n", **({PUBLISHED_NOTE: note} if note else {})}
        if self._is_shared:
            with self._database().transaction() as db:
                db.executemany(_PUT, list(texts.items()))
            return
        for name, text in texts.items():
            write_file_atomically(self._folder / name, text, _PUBLIC)

    def idle_reason(self) -> str:
        """Why the notary on this computer does not sign.

        Empty if it signs or there is no notary.
        """
        with suppress(FileNotFoundError), (self._folder / IDLE).open(encoding="utf-8") as file:
            if ports.is_locked(file.fileno()):
                return file.read()
        return ""

    def put_idle_reason(self, code: str) -> None:
        """Note why the notary on this computer does not sign; an empty code removes the note."""
        file = self._folder / IDLE
        self._release_idle_file()
        if not code:
            file.unlink(missing_ok=True)
            return
        write_file_atomically(file, code, _PUBLIC)
        self._idle = os.open(file, os.O_RDONLY)
        ports.lock(self._idle)

    def _release_idle_file(self) -> None:
        if self._idle >= 0:
            os.close(self._idle)
            self._idle = -1

    def close(self) -> None:
        """Close the connections."""
        self._release_idle_file()
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _database(self) -> Database:
        """The shared table, opened at its first use: a server may be away before that."""
        with self._lock:
            if self._opened is None:
                self._opened = open_database(self._address, PUBLISHED_LAYOUT)
            return self._opened

    def _read_text(self, name: str) -> PublishedText | None:
        """A published text from the shared table.

        If it is not there, from a file that an earlier release wrote.
        """
        if self._is_shared:
            with self._database().connection() as db:
                asked = "SELECT content, at FROM published WHERE name = ?"
                if found := db.execute(asked, (name,)).fetchone():
                    return PublishedText(*found)
        with suppress(FileNotFoundError):
            file = self._folder / name
            return PublishedText(file.read_text("utf-8"), file.stat().st_mtime)
        return None
