"""The schema of an SQLite file: what is in it, and what of that a program did not make.

A trigger, a view or an index on an expression runs SQL when somebody writes or reads; so does a
constraint. A file that comes from outside may therefore hold only what the program itself makes,
word for word.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from typing import Final, NamedTuple

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
        SchemaObject(kind, name, of, _plain(sql or "")) for kind, name, of, sql in rows
    )


def _plain(sql: str) -> str:
    """A statement without needless spaces: earlier versions wrote the same in other lines."""
    return _BESIDE_SIGN.sub(r"\1", _SPACE.sub(" ", sql))


def schema_made_by(statements: Iterable[str]) -> frozenset[SchemaObject]:
    """The schema that statements make in an empty database."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in statements:
            db.executescript(statement)
        return schema_of(db)


def foreign_objects(db: sqlite3.Connection, known: frozenset[SchemaObject]) -> list[str]:
    """Kind and name of everything in the schema that is not known, in order."""
    return sorted(f"{one.kind} {one.name}" for one in schema_of(db) - known)
