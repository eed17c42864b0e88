"""Tables of the names, for either engine, and those in plain text of the first versions.

The number that the store keeps is 0 until it is sealed, then odd while bytes of what was erased may
be left, and even when none are.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from referee.people.master_key import Seal
from referee.store.databases import FileDatabase
from referee.store.ports import Database, Layout, Statements

COLUMN: Final = {"persons": "name", "texts": "text"}
"""Tables of sealed rows, with the column in which the first versions had the plain text."""
_PLAIN: Final = "plain_"
_FILE: Final = """
CREATE TABLE IF NOT EXISTS master (wrapped BLOB NOT NULL, sealed BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS persons
    (id TEXT PRIMARY KEY, wrapped BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS texts
    (id TEXT PRIMARY KEY, wrapped BLOB NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS erased (id TEXT PRIMARY KEY, mark BLOB NOT NULL) WITHOUT ROWID;
"""
_FIRST: Final = (
    "CREATE TABLE master (wrapped bytea NOT NULL, sealed bytea NOT NULL)",
    """CREATE TABLE persons
        (id text COLLATE "C" PRIMARY KEY, wrapped bytea NOT NULL, sealed bytea NOT NULL)""",
    """CREATE TABLE texts
        (id text COLLATE "C" PRIMARY KEY, wrapped bytea NOT NULL, sealed bytea NOT NULL)""",
    """CREATE TABLE erased (id text COLLATE "C" PRIMARY KEY, mark bytea NOT NULL)""",
)


def _make_file_tables(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    for table, column in COLUMN.items():
        there = [name for (_, name, *_) in db.execute(f"PRAGMA table_info({table})")]
        if column in there:
            db.execute(f"ALTER TABLE {table} RENAME TO {_PLAIN}{table}")
    for statement in _FILE.split(";"):
        db.execute(statement)
    db.execute("COMMIT")


NAMES_LAYOUT: Final = Layout(
    "names", ("master", "persons", "texts", "erased"), _make_file_tables, (_FIRST,)
)


def plaintext_tables(database: Database) -> list[str]:
    """Tables of a file of the first versions whose names are still in plain text."""
    if not isinstance(database, FileDatabase):
        return []
    asked = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    with database.connection() as db:
        return [one for one in COLUMN if db.execute(asked, (_PLAIN + one,)).fetchone()]


def seal_and_drop_table(db: Statements, seal: Seal, table: str) -> None:
    """Encrypt the rows of a plain-text table, and drop that table."""
    plain = f"{_PLAIN}{table}"
    rows = db.execute(f"SELECT id, {COLUMN[table]} FROM {plain}").fetchall()  # noqa: S608 - literals
    sealed = [(one, *seal.seal_text_under_new_key(table, one, text)) for one, text in rows]
    db.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", sealed)  # noqa: S608 - two literals
    db.execute(f"DROP TABLE {plain}")
