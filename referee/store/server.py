"""A store in PostgreSQL, in the schema in which the log is.

One row of ``stores`` a store has the version of its tables, the number that the store keeps for
itself, and the release that made its tables as they are. Writers of a store wait for each other as
those of a file do, so that what holds for one engine holds for the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from typing import Any, Final, cast

import psycopg
from psycopg import errors
from psycopg.sql import SQL, Composed, Identifier, Literal

from referee.log.ports import NewerData
from referee.log.postgres.connections import (
    Connection,
    PostgresLogDatastore,
    log_connection_limit,
)
from referee.log.postgres.recorder import CREATING
from referee.release import RELEASE
from referee.store.ports import Found, Layout, Statements, refuse_moved_house

MOST: Final = 8
"""Most connections of one store of one process; most of the time one is enough."""
SWEEP_WAITS: Final = "1s"
"""How long a sweep waits for readers."""
_STORES: Final = (
    "CREATE TABLE IF NOT EXISTS stores"
    ' (store text COLLATE "C" PRIMARY KEY, version integer NOT NULL, state integer NOT NULL,'
    " release text NOT NULL, house text NOT NULL DEFAULT '')"
)
_IS_OWNER: Final = """SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class
    WHERE relname = ANY(%s) AND relkind = 'r' AND pg_table_is_visible(oid)"""
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext(?), hashtext(current_schema()))"
_PLACE: Final = re.compile(r"%|\?|(?<!:):([a-z_]+)")


class ServerStatements:
    """Statements over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Any = ()) -> Found:
        """Run an SQL statement, with its marks for values in the form of the driver."""
        return cast("Found", self._connection.execute(driver_statement(statement), values))

    def executemany(self, statement: str, rows: Iterable[Any]) -> None:
        """Run a statement once for each row."""
        with self._connection.cursor() as cursor:
            cursor.executemany(driver_statement(statement), rows)


class ServerDatabase:
    """A store in PostgreSQL, through a few connections."""

    def __init__(self, address: str, layout: Layout) -> None:
        """Open the store; its tables are made, or those of an earlier version are changed.

        :raises NewerData: the tables are of a later release
        :raises NotDurable: the server is not durable
        """
        self._layout = layout
        self._pool = PostgresLogDatastore(address, most=min(MOST, log_connection_limit()))
        try:
            self._open_tables()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def connection(self) -> Iterator[Statements]:
        """A connection; each statement is a transaction of its own."""
        with self._pool.connection() as c:
            yield ServerStatements(c)

    @contextmanager
    def transaction(self, *, though_moved: bool = False) -> Iterator[Statements]:
        """A transaction that locks out other writers of the store.

        :raises IntegrityError: a key is there already
        :raises HouseMoved: the house was moved
        """
        with self._pool.connection() as c, c.transaction():
            db = ServerStatements(c)
            db.execute(_LOCK, (f"guinote {self._layout.name}",))
            if not though_moved:
                refuse_moved_house(self._layout.name, self.house_id(db))
            yield db

    def store_state_number(self, db: Statements) -> int:
        """Number that the store keeps for the owner of its tables."""
        asked = "SELECT state FROM stores WHERE store = ?"
        (state,) = db.execute(asked, (self._layout.name,)).fetchone()
        return int(state)

    def set_store_state_number(self, db: Statements, state: int) -> None:
        """Store another number for the owner of the tables."""
        changed = "UPDATE stores SET state = ? WHERE store = ?"
        db.execute(changed, (state, self._layout.name))

    def check_by_writing(self) -> None:
        """Test that the store can be read and written.

        Read, and commit a write that changes nothing.
        """
        with self.transaction() as db:
            self.set_store_state_number(db, self.store_state_number(db))

    def house_id(self, db: Statements) -> str:
        """Id of the house that the store belongs to."""
        asked = "SELECT house FROM stores WHERE store = ?"
        (house,) = db.execute(asked, (self._layout.name,)).fetchone()
        return str(house)

    def set_house_id(self, db: Statements, house: str) -> None:
        """Store the id of the house that the store belongs to."""
        changed = "UPDATE stores SET house = ? WHERE store = ?"
        db.execute(changed, (house, self._layout.name))

    def erase_deleted_bytes(self) -> bool:
        """Rewrite the tables without the bytes of deleted rows.

        The server removes old bytes of its own journal itself.

        Only the owner of a table may; the server says nothing to anybody else.
        """
        with self._pool.connection() as c:
            if c.execute(_IS_OWNER, (list(self._layout.tables),)).fetchone() != (True,):
                return False
        tables = SQL(", ").join(map(Identifier, self._layout.tables))
        try:
            with self._pool.connection() as c, closing(c):  # nobody else is to have its timeout
                c.execute(SQL("SET lock_timeout = {}").format(Literal(SWEEP_WAITS)))
                c.execute(SQL("VACUUM (FULL) {}").format(tables))
        except Exception as error:
            if isinstance(error.__cause__ or error, errors.LockNotAvailable):
                return False
            raise
        return True

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def _open_tables(self) -> None:
        with self._pool.connection() as c:
            if self._version_and_release(c)[0] == len(self._layout.versions):
                return
            with c.transaction():
                c.execute(CREATING)
                c.execute(_STORES)
                found, release = self._version_and_release(c)
                if found > len(self._layout.versions):
                    raise NewerData(f"{self._layout.name} in database {c.info.dbname}", release)
                for statements in self._layout.versions[found:]:
                    for statement in statements:
                        c.execute(cast("Any", statement))
                c.execute(
                    "INSERT INTO stores VALUES (%s, %s, 0, %s, '') ON CONFLICT (store)"
                    " DO UPDATE SET version = excluded.version, release = excluded.release",
                    (self._layout.name, len(self._layout.versions), RELEASE),
                )

    def _version_and_release(self, c: Connection) -> tuple[int, str]:
        """Version of the tables, 0 if there are none, and the release that made them."""
        try:
            found = c.execute(
                "SELECT version, release FROM stores WHERE store = %s", (self._layout.name,)
            ).fetchone()
        except psycopg.errors.UndefinedTable:
            found = None
        return (int(found[0]), str(found[1])) if found else (0, RELEASE)


@cache
def driver_statement(statement: str) -> Composed:
    """SQL statement with the marks for values that the PostgreSQL driver uses.

    >>> driver_statement("SELECT holder FROM token WHERE hash = ? AND until > ?").as_string(None)
    'SELECT holder FROM token WHERE hash = %s AND until > %s'
    >>> driver_statement("SELECT kind FROM token WHERE until > :now").as_string(None)
    'SELECT kind FROM token WHERE until > %(now)s'
    """

    def driver_mark(place: re.Match[str]) -> str:
        if place[0] == "%":
            return "%%"
        return f"%({place[1]})s" if place[1] else "%s"

    return Composed([SQL(cast("Any", _PLACE.sub(driver_mark, statement)))])
