"""Copies of a log from PostgreSQL to an SQLite file and back, as one snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, LiteralString, TypeAlias

from psycopg import IsolationLevel
from psycopg.sql import SQL

from referee.log.durable import connect as connect_file
from referee.log.ports import InUse
from referee.log.postgres.connections import (
    IN_USE,
    Connection,
    PostgresLogDatastore,
    require_log_and_mark_in_use,
)
from referee.log.postgres.recorder import create_tables
from referee.log.sqlite.recorder import assert_tables_version as assert_file
from referee.log.sqlite.recorder import create_tables as create_file

RowProgress: TypeAlias = Callable[[int], None]
"""Called with the rows that were copied since it was called last."""

TABLES: Final[tuple[tuple[LiteralString, LiteralString], ...]] = (
    ("stored_events", "position"),
    ("receipts", "key"),
    ("leaves", "idx"),
    ("tree", "one"),
)
"""Columns of each table that both stores have, and the key that orders its rows."""
_BATCH: Final = 1000


def count_log_rows(address: str) -> int:
    """Number of rows that a copy of a log has, over all its tables."""
    with closing(PostgresLogDatastore(address, require_log_and_mark_in_use)) as datastore:
        return sum(
            int(datastore.query_rows(SQL("SELECT COUNT(*) FROM {}").format(SQL(table)), ())[0][0])
            for table, _ in TABLES
        )


def copy_log_to_file(address: str, path: Path, progress: RowProgress) -> None:
    """Write a snapshot of a log into a new SQLite file, while others go on writing."""
    create_file(path)
    with (
        closing(PostgresLogDatastore(address, require_log_and_mark_in_use)) as datastore,
        datastore.connection() as c,
        closing(c),  # nobody else is to have its isolation
        closing(connect_file(path)) as file,
    ):
        c.isolation_level = IsolationLevel.REPEATABLE_READ
        file.execute("BEGIN IMMEDIATE")
        with c.transaction():
            for table, key in TABLES:
                _copy_rows_to_file(c, file, table, key, progress)
            head = c.execute("SELECT position, version FROM log_head").fetchone()
        assert head is not None
        reached, version = head
        file.execute(f"PRAGMA user_version = {int(version)}")
        file.execute("DELETE FROM sqlite_sequence")
        file.execute("INSERT INTO sqlite_sequence VALUES ('stored_events', ?)", (reached,))
        file.execute("COMMIT")
        file.execute("PRAGMA journal_mode = DELETE")


def _copy_rows_to_file(
    c: Connection,
    file: sqlite3.Connection,
    table: LiteralString,
    key: LiteralString,
    progress: RowProgress,
) -> None:
    """Copy every row of a table from PostgreSQL into the SQLite file."""
    file.execute(f"DELETE FROM {table}")  # noqa: S608 - a literal
    with c.cursor("copied", binary=True) as rows:
        rows.itersize = _BATCH
        rows.execute(SQL("SELECT * FROM {} ORDER BY {}").format(SQL(table), SQL(key)))
        while batch := rows.fetchmany(_BATCH):
            places = ", ".join("?" * len(batch[0]))
            file.executemany(f"INSERT INTO {table} VALUES ({places})", batch)  # noqa: S608 - a literal
            progress(len(batch))


def replace_log_by_file(path: Path, address: str) -> None:
    """Replace the rows of a log with those of an SQLite file, all or none.

    :raises InUse: a program has the log open
    :raises NoTables: the file has tables of another version
    """
    create_tables(address)
    with (
        closing(connect_file(path)) as file,
        closing(PostgresLogDatastore(address)) as datastore,
        datastore.connection() as c,
    ):
        assert_file(path)
        (version,) = file.execute("PRAGMA user_version").fetchone()
        with c.transaction():
            if c.execute(f"SELECT pg_try_advisory_xact_lock({IN_USE})").fetchone() != (True,):
                raise InUse(f"database {c.info.dbname} is in use")
            for table, key in TABLES:
                c.execute(SQL("TRUNCATE {}").format(SQL(table)))
                found = file.execute(f"SELECT * FROM {table} ORDER BY {key}")  # noqa: S608 - literals
                with c.cursor().copy(SQL("COPY {} FROM STDIN").format(SQL(table))) as copied:
                    for row in found:
                        copied.write_row(row)
            reached = file.execute("SELECT MAX(seq) FROM sqlite_sequence").fetchone()[0] or 0
            c.execute("UPDATE log_head SET position = %s, version = %s", (reached, version))
