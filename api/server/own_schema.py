"""What a database of a backup may hold: what this program and its earlier versions made."""

from __future__ import annotations

import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from referee.access.keys import Keys
from referee.access.security_log import SecurityLog
from referee.access.tables import ADDED_COLUMNS
from referee.log.sqlite.recorder import create_tables
from referee.log.sqlite.schema import SchemaObject, foreign_objects, schema_of, schema_of_statements
from referee.people.persons import Persons

LOG: Final = "log.sqlite"
PERSONS: Final = "persons.sqlite"
KEYS: Final = "access.sqlite"
SECURITY: Final = "security.sqlite"


def _create_persons_database(path: Path) -> None:
    Persons(path, random=secrets.token_bytes).close()


def _create_accounts_database(path: Path) -> None:
    Keys(path, clock=time.time, random=secrets.token_bytes).close()


def _create_security_database(path: Path) -> None:
    SecurityLog(path, clock=time.time).close()


_OPENED: Final[dict[str, Callable[[Path], None]]] = {
    LOG: create_tables,
    PERSONS: _create_persons_database,
    KEYS: _create_accounts_database,
    SECURITY: _create_security_database,
}
_EARLIER: Final[dict[str, tuple[str, ...]]] = {
    LOG: (),  # a log without a tree has two of the tables of today
    PERSONS: (
        "CREATE TABLE persons (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE texts (id TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
    ),
    KEYS: (
        """CREATE TABLE account (holder TEXT PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE,
        password TEXT) WITHOUT ROWID""",
        """CREATE TABLE token (hash BLOB PRIMARY KEY, kind TEXT, holder TEXT, until REAL)
        WITHOUT ROWID""",
        """CREATE TABLE offer (hash BLOB PRIMARY KEY, kind TEXT, role TEXT, encuentro TEXT,
        by TEXT, until REAL) WITHOUT ROWID""",
        "CREATE TABLE failure (place TEXT, at REAL)",
        "CREATE INDEX failure_of ON failure (place, at)",
    ),
    SECURITY: (),
}
"""Tables as earlier versions made them. When the tables of a store change, add what it was."""
_ADDED: Final = {
    KEYS: [
        f"ALTER TABLE {table} ADD COLUMN {column} {kind}" for table, column, kind in ADDED_COLUMNS
    ]
}
"""Columns that later versions added one after another."""


@cache
def own_schema_objects(name: str) -> frozenset[SchemaObject]:
    """Set of all that may be in the schema of the database with this name in a backup.

    A database of an earlier version may have been opened by a later one, which changed its tables;
    so an earlier schema counts as it was, and as this program leaves it.
    """
    known: frozenset[SchemaObject] = frozenset()
    for count in range(len(_ADDED.get(name, ())) + 1):
        known |= schema_of_statements([*_EARLIER[name], *_ADDED.get(name, ())[:count]])
    for earlier in ((), _EARLIER[name]):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            with closing(sqlite3.connect(path)) as db:
                db.executescript(";".join(earlier))
            _OPENED[name](path)
            with closing(sqlite3.connect(path)) as db:
                known |= schema_of(db)
    return known


def foreign_objects_in(name: str, database: Path) -> list[str]:
    """Kind and name of each schema object in a database that this program never makes."""
    with closing(sqlite3.connect(database)) as db:
        return foreign_objects(db, own_schema_objects(name))
