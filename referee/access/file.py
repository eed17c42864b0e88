"""The file of accounts and keys: its tables, and the turns of those who read and write it.

Deleted rows are overwritten. A file of an earlier version gets the columns that it lacks.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from referee.access.row_seals import (
    SEALED_TABLES,
    SealKey,
    WrongRow,
    install,
    seal,
    wrong_rows,
)
from referee.log.durable import opening

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS account
    (holder TEXT PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, password TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token
    (hash BLOB PRIMARY KEY, kind TEXT, holder TEXT, until REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS offer
    (hash BLOB PRIMARY KEY, kind TEXT, role TEXT, encuentro TEXT, by TEXT, until REAL)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notice
    (holder TEXT, what TEXT, PRIMARY KEY (holder, what)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS factor
    (holder TEXT, stage TEXT, wrapped BLOB, sealed BLOB, step INTEGER, until REAL,
     PRIMARY KEY (holder, stage)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS recovery
    (hash BLOB PRIMARY KEY, holder TEXT, seal BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waiting
    (hash BLOB PRIMARY KEY, holder TEXT, until REAL, seal BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known_browser
    (hash BLOB, holder TEXT, until REAL, PRIMARY KEY (hash, holder)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ended (hash BLOB PRIMARY KEY, until REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempt (booking TEXT, subject TEXT, at REAL);
CREATE INDEX IF NOT EXISTS attempt_of ON attempt (subject, at);
CREATE INDEX IF NOT EXISTS attempt_booking ON attempt (booking);
CREATE INDEX IF NOT EXISTS attempt_at ON attempt (at);
CREATE TABLE IF NOT EXISTS blocked (subject TEXT PRIMARY KEY, until REAL) WITHOUT ROWID;
DROP TABLE IF EXISTS failure;
"""
ADDED_COLUMNS: Final = (
    ("token", "id", "TEXT"),
    ("token", "mark", "TEXT NOT NULL DEFAULT ''"),
    ("token", "agent", "TEXT NOT NULL DEFAULT ''"),
    ("token", "since", "REAL"),
    ("token", "used", "REAL"),
    ("offer", "id", "TEXT"),
    *((table, "seal", "BLOB") for table in ("account", "token", "offer")),
)
"""Columns that files of an earlier version lack."""
OF_A_HOLDER: Final = (
    "account",
    "token",
    "notice",
    "factor",
    "recovery",
    "waiting",
    "known_browser",
)
"""Tables with rows of a holder, by the column ``holder``."""


class AccessFile:
    """A connection to the file. All processes share the file, all threads this connection."""

    def __init__(self, path: str | Path, key: SealKey = bytes) -> None:
        """Open the file, made if it is not there. ``key``: of the seals of its rows."""
        self._turn = threading.Lock()
        with opening(path) as self._db:
            install(self._db, key)
            self._db.execute("PRAGMA temp_store = MEMORY")  # VACUUM writes no file beside
            self._db.executescript(_TABLES)
            _add_columns(self._db)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A turn of this thread."""
        with self._turn:
            yield self._db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction that locks out other processes."""
        with self._turn:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    def seal_earlier(self) -> int:
        """Seal every row as it is, for a file of before there were seals; returns how many."""
        with self.writing() as db:
            return sum(seal(db, table, "true") for table in SEALED_TABLES)

    def wrong_rows(self) -> list[WrongRow]:
        """Rows that let somebody in, and were not written by this program as they are."""
        with self.reading() as db:
            return wrong_rows(db)

    def sweep(self) -> None:
        """Remove the bytes of deleted rows from the file and its journal.

        The file is written anew: zeros over a row do not reach the copies that SQLite leaves when
        it moves rows between pages. Readers of other processes are waited for.
        """
        with self._turn:
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _add_columns(db: sqlite3.Connection) -> None:
    for table, column, kind in ADDED_COLUMNS:
        there = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        if column not in there:
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        if column == "id":
            new = "lower(hex(randomblob(8)))"
            db.execute(f"UPDATE {table} SET id = {new} WHERE id IS NULL")  # noqa: S608 - literals
