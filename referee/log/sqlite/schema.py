"""The schema of an SQLite file: its objects, and those that this program did not make.

A trigger, a view or an index on an expression runs SQL when somebody writes or reads; so does a
constraint. A file that comes from outside may therefore hold only what the program itself makes,
word for word.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from referee.log.faults import StoreFault, error_in_one_line, store_fault_or_none

ANY_TABLE: Final = "SELECT 1 FROM sqlite_schema"
"""A mark of every database that is not new, whoever made it."""
_TIMEOUT_S: Final = 10.0
_JOURNALS: Final = ("", "-wal", "-shm")


def damage_of_file_or_empty(path: Path, mark: str, *, wholly: bool) -> str:
    """Why a file is not a sound file of a store, in one line.

    Empty if it is sound or does not exist.

    ``mark``: a statement that finds a row in every file of the store, unless it is a new one.
    ``wholly``: every page is read.
    """
    if not path.exists():
        return ""
    if not path.is_file():
        return "no file"
    uri = f"{path.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_S)) as db:
            return _damage_in(db, mark, wholly=wholly)
    except sqlite3.DatabaseError as error:
        if store_fault_or_none(error) in (
            StoreFault.DAMAGED,
            None,
        ):  # None: it lacks a table or a column
            return error_in_one_line(error)
        raise


def _damage_in(db: sqlite3.Connection, mark: str, *, wholly: bool) -> str:
    if db.execute(ANY_TABLE).fetchone() is None:  # a new file
        return ""
    if db.execute(mark).fetchone() is None:
        return "a database of another program"
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0] if wholly else "ok"
    return "" if found == "ok" else " ".join(found.split())


def set_aside(path: Path) -> Path:
    """Rename a file and its journal; the new name has the time in UTC.

    Whoever has the file open goes on with what was renamed.
    """
    aside = path.with_name(f"{path.name}.aside-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}")
    for end in _JOURNALS:
        journal = Path(f"{path}{end}")
        if journal.exists():
            journal.rename(f"{aside}{end}")
    return aside


SCHEMA_VERSION: Final = 2

TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS stored_events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,
        topic TEXT NOT NULL, state BLOB NOT NULL,
        UNIQUE (originator_id, originator_version))""",
    """CREATE TABLE IF NOT EXISTS receipts (
        key TEXT PRIMARY KEY, digest TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS leaves (
        idx INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL,
        leaf BLOB NOT NULL, UNIQUE (stream, version))""",
    """CREATE TABLE IF NOT EXISTS tree (
        one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, frontier BLOB NOT NULL)""",
    "INSERT OR IGNORE INTO tree VALUES (1, 0, x'')",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
"""Statements that make a log. An earlier log has the first two tables only."""

_SPACE: Final = re.compile(r"\s+")
_BESIDE_SIGN: Final = re.compile(r" ?([(),]) ?")


class SchemaObject(NamedTuple):
    """A row of the schema. ``sql`` has no needless spaces; it is empty for an implicit index."""

    kind: str
    name: str
    table: str
    sql: str


def schema_of(db: sqlite3.Connection) -> frozenset[SchemaObject]:
    """Everything in the schema of a file; nothing of the schema is run."""
    db.execute("PRAGMA trusted_schema = OFF")
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    return frozenset(
        SchemaObject(kind, name, of, _squeeze_spaces(sql or "")) for kind, name, of, sql in rows
    )


def _squeeze_spaces(sql: str) -> str:
    """A statement with its spaces reduced, so that its earlier layouts are equal to it."""
    return _BESIDE_SIGN.sub(r"\1", _SPACE.sub(" ", sql))


def schema_of_statements(statements: Iterable[str]) -> frozenset[SchemaObject]:
    """Schema of an empty database after these statements."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in statements:
            db.executescript(statement)
        return schema_of(db)


def foreign_objects(db: sqlite3.Connection, known: frozenset[SchemaObject]) -> list[str]:
    """Kind and name of every object in the schema that is not among the known ones, sorted."""
    return sorted(f"{one.kind} {one.name}" for one in schema_of(db) - known)
