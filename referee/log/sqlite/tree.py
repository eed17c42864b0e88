"""The tree over the log, in the file of the log and in the transaction of each write."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, Protocol

from referee.log.merkle import StoredRow, Tree, grow

TREE_TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS leaves (
        idx INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL,
        leaf BLOB NOT NULL, UNIQUE (stream, version))""",
    """CREATE TABLE IF NOT EXISTS tree (
        one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, frontier BLOB NOT NULL)""",
    "INSERT OR IGNORE INTO tree VALUES (1, 0, x'')",
)
READ_TREE: Final = "SELECT size, frontier FROM tree"
READ_LEAVES: Final = (
    "SELECT idx, stream, version, leaf FROM leaves WHERE idx >= ? ORDER BY idx LIMIT ?"
)
LEAVES_OF: Final = "SELECT idx FROM leaves WHERE stream = ? ORDER BY version"
_WRITE_TREE: Final = "UPDATE tree SET size = ?, frontier = ?"
_INSERT: Final = "INSERT INTO leaves VALUES (?, ?, ?, ?)"
_EVENTS: Final = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events ORDER BY position"
)
_AT_ONCE: Final = 10_000


class Cursor(Protocol):
    """A database cursor."""

    def execute(self, statement: str, values: Any = (), /) -> Any:
        """Execute a statement."""

    def executemany(self, statement: str, values: Any, /) -> Any:
        """Execute a statement with each of the values."""

    def fetchone(self) -> Any:
        """The next row found."""


def grow_tree(c: Cursor, events: Sequence[StoredRow]) -> None:
    """Add the leaves of events; the caller holds the write lock and ends the transaction."""
    c.execute(READ_TREE)
    size, frontier = c.fetchone()
    tree, leaves = grow(Tree(size, frontier), events)
    if len(leaves) == 1:
        c.execute(_INSERT, leaves[0])
    else:
        c.executemany(_INSERT, leaves)
    c.execute(_WRITE_TREE, tree)


def grow_from_the_first(c: sqlite3.Connection) -> None:
    """Add the leaves of every event of a log that has none yet."""
    events = c.execute(_EVENTS)
    while page := events.fetchmany(_AT_ONCE):
        grow_tree(c.cursor(), page)
