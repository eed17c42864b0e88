"""What a store of tables offers, independent of where they are.

A statement is written once for both engines: ``?`` or ``:name`` stands for a value, and what only
one engine understands (``REPLACE``, ``COLLATE NOCASE``, ``randomblob``) is not used. Numbers with a
point are doubles, bytes are ``bytes``, truth is 0 or 1.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, Protocol

from referee.log.ports import HouseMoved

MOVED_TO: Final = "moved to "
"""With a place behind it, what a store notes for its house when the house was moved there."""


def refuse_moved_house(what: str, house: str) -> None:
    """Raise if the id of the house, as a store holds it, says that it was moved.

    :raises HouseMoved: it was
    """
    if house.startswith(MOVED_TO):
        raise HouseMoved(f"{what}: the house was {house}")


class Found(Protocol):
    """Result of a statement: rows, or the number of rows that it changed."""

    @property
    def rowcount(self) -> int:
        """Number of rows that were changed."""
        ...

    @property
    def description(self) -> Any:
        """A sequence for each column, which begins with its name."""
        ...

    def fetchone(self) -> Any:
        """The next row, None after the last."""
        ...

    def fetchall(self) -> list[Any]:
        """Every row that is left."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """The rows."""
        ...


class Statements(Protocol):
    """Runs SQL statements for one thread, inside a ``connection`` or ``transaction``."""

    def execute(self, statement: str, values: Any = (), /) -> Found:
        """Run a statement. ``values``: a sequence for ``?``, a mapping for ``:name``."""
        ...

    def executemany(self, statement: str, rows: Iterable[Any], /) -> object:
        """Run a statement once for each row of values."""
        ...


class Database(Protocol):
    """Interface of a store: its database tables, shared by all processes and threads.

    Errors of the engine are those of ``eventsourcing.persistence``, or ``sqlite3.OperationalError``
    of a file; ``IntegrityError`` of a key that is there already is always of the former.
    """

    def connection(self) -> AbstractContextManager[Statements]:
        """Context for reading the store."""
        ...

    def transaction(self, *, though_moved: bool = False) -> AbstractContextManager[Statements]:
        """A transaction, all or nothing, that locks out every other writer of the store.

        ``though_moved``: also if the house was moved, which nobody but a move needs.

        :raises HouseMoved: the house was moved
        """
        ...

    def store_state_number(self, db: Statements) -> int:
        """Number that the store keeps for the owner of its tables; 0 at first."""
        ...

    def set_store_state_number(self, db: Statements, state: int) -> None:
        """Store another number for the owner of the tables, in this transaction."""
        ...

    def check_by_writing(self) -> None:
        """Test that the store can be read and written.

        Read, and commit a write that changes nothing.

        :raises Exception: of the engine, which cannot read or write
        """
        ...

    def house_id(self, db: Statements) -> str:
        """Id of the house that the store belongs to; empty if none was noted.

        Of a store that was moved it is ``MOVED_TO`` and the place where it is now.
        """
        ...

    def set_house_id(self, db: Statements, house: str) -> None:
        """Store the id of the house that the store belongs to, in this transaction."""
        ...

    def erase_deleted_bytes(self) -> bool:
        """Rewrite the tables without the bytes of deleted rows.

        Returns whether it is done: a reader of another process may be in the way.
        """
        ...

    def close(self) -> None:
        """Close the store; no thread may use it any more."""
        ...


class Layout(NamedTuple):
    """Definition of the database tables of a store, for each engine.

    ``open_file`` makes them in a file, or mends those of an earlier version. ``versions`` are the
    statements of each version for PostgreSQL, the first of an empty schema, each of the others on
    top of the one before. ``tables``: names of all of them.
    """

    name: str
    tables: tuple[str, ...]
    open_file: Callable[[sqlite3.Connection], None]
    versions: tuple[tuple[str, ...], ...]
