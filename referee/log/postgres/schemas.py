"""Schemas of a database, a house in each: made, measured, and removed with all that is in them.

An address names its schema as an option of the connection. Houses of a database share connections:
each is opened without a schema, and has that of one house at a time (``connections.Opener``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final
from urllib.parse import quote

from psycopg.sql import SQL, Identifier

from referee.log.postgres.connections import Connection, PostgresLogDatastore

_SIZE: Final = """SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0) FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'r'"""


def address_of_schema(database: str, schema: str) -> str:
    """Address of a schema, from the address of its database, which names no schema.

    >>> address_of_schema("postgresql://db/clubs", "club_1")
    'postgresql://db/clubs?options=-csearch_path%3Dclub_1'
    """
    joint = "&" if "?" in database else "?"
    return f"{database}{joint}options={quote(f'-csearch_path={schema}')}"


@contextmanager
def _hold_connection(address: str) -> Iterator[Connection]:
    """Context with a connection, whose errors are raised as those of a store."""
    with (
        closing(PostgresLogDatastore(address, most=1)) as datastore,
        datastore.connection() as c,
    ):
        yield c


def make_schema(database: str, schema: str) -> None:
    """Create an empty schema that only its owner may use."""
    with _hold_connection(database) as c:
        c.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))


def drop_schema(database: str, schema: str) -> None:
    """Remove a schema with everything in it, if it is there."""
    with _hold_connection(database) as c:
        c.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(schema)))


def size_of_schema(address: str) -> int:
    """Size in bytes of the tables and indexes in the schema that an address names."""
    with _hold_connection(address) as c:
        found = c.execute(_SIZE).fetchone()
    assert found is not None
    return int(found[0])
