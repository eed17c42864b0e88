"""Tables of accounts and keys, in a file or in PostgreSQL, with the seals of their rows."""

from __future__ import annotations

import hmac
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from referee.log.ports import Address
from referee.store.databases import open_database
from referee.store.ports import Layout, Statements

SealKey: TypeAlias = Callable[[], bytes]
"""The key of the seals, read at its first use."""

PURPOSE: Final = "accounts"
"""Purpose of the key."""
_HAS_FACTOR: Final = (
    "CASE WHEN EXISTS (SELECT 1 FROM factor WHERE factor.holder = account.holder"
    " AND stage = 'active') THEN 1 ELSE 0 END"
)
_SEALED: Final[dict[str, tuple[str, ...]]] = {
    "account": ("holder", "name", "password", _HAS_FACTOR),
    "token": ("hash", "kind", "holder", "until", "id", "mark"),
    "offer": ("hash", "kind", "role", "encuentro", "by", "until", "id"),
    "recovery": ("hash", "holder"),
    "waiting": ("hash", "holder", "until"),
    "reset": ("hash", "holder", "by", "until"),
}
"""What is sealed of each table, its key first. An account is sealed with whether it has a second
factor."""
_NAMED_BY: Final = {
    "account": ("holder", "holder"),
    "token": ("id", "holder"),
    "offer": ("id", "''"),
    "recovery": ("hash", "holder"),
    "waiting": ("hash", "holder"),
    "reset": ("hash", "holder"),
}
"""What names a row of each table to its readers, and whose it is."""


class WrongRow(NamedTuple):
    """A row whose seal does not fit its values, by its id, and its holder if it has one."""

    table: str
    id: str
    holder: str


class RowSeals:
    """Computes and checks the seals of rows under one key."""

    def __init__(self, key: SealKey) -> None:
        self._key = cache(key)

    def select_genuine_rows(
        self, db: Statements, table: str, wanted: str, condition: str, values: Any
    ) -> list[Sequence[Any]]:
        """Wanted columns of the rows that fulfil a condition and have a right seal."""
        return [
            row
            for is_genuine, row in self._read_and_check_rows(db, table, wanted, condition, values)
            if is_genuine
        ]

    def write_seals(self, db: Statements, table: str, condition: str, *values: object) -> int:
        """Write the seals of rows that were just written; returns how many."""
        sealed = _SEALED[table]
        asked = f"SELECT {', '.join(sealed)} FROM {table} WHERE {condition}"  # noqa: S608 - ours
        rows = [
            (self._seal_of_row(table, row), row[0]) for row in db.execute(asked, values).fetchall()
        ]
        db.executemany(f"UPDATE {table} SET seal = ? WHERE {sealed[0]} = ?", rows)  # noqa: S608 - ours
        return len(rows)

    def seal_all(self, db: Statements) -> int:
        """Write the seal of every row; returns how many."""
        return sum(self.write_seals(db, table, "1 = 1") for table in _SEALED)

    def wrong_rows(self, db: Statements) -> list[WrongRow]:
        """Every row whose seal does not fit its values."""
        return [
            WrongRow(table, *found)
            for table, named_by in _NAMED_BY.items()
            for found in sorted(
                (_printable(name), _printable(holder))
                for is_genuine, (name, holder) in self._read_and_check_rows(
                    db, table, ", ".join(named_by)
                )
                if not is_genuine
            )
        ]

    def _read_and_check_rows(
        self, db: Statements, table: str, wanted: str, condition: str = "1 = 1", values: Any = ()
    ) -> list[tuple[bool, Sequence[Any]]]:
        """Wanted columns of rows that fulfil a condition, each with whether its seal is right."""
        sealed = _SEALED[table]
        asked = f"SELECT {', '.join(sealed)}, seal, {wanted} FROM {table} WHERE {condition}"  # noqa: S608 - ours
        end = len(sealed)
        return [
            (row[end] == self._seal_of_row(table, row[:end]), row[end + 1 :])
            for row in db.execute(asked, values).fetchall()
        ]

    def _seal_of_row(self, table: str, values: Sequence[object]) -> bytes:
        """Seal for the values of a row."""
        return hmac.digest(self._key(), msgspec.msgpack.encode((table, *values)), sha256)


def _printable(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


_FILE: Final = """
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
CREATE TABLE IF NOT EXISTS reset
    (hash BLOB PRIMARY KEY, holder TEXT, by TEXT, until REAL, seal BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mail_address
    (holder TEXT PRIMARY KEY, wrapped BLOB, sealed BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS known_browser
    (hash BLOB, holder TEXT, until REAL, PRIMARY KEY (hash, holder)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ended (hash BLOB PRIMARY KEY, until REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempt (booking TEXT, subject TEXT, at REAL);
CREATE INDEX IF NOT EXISTS attempt_of ON attempt (subject, at);
CREATE INDEX IF NOT EXISTS attempt_booking ON attempt (booking);
CREATE INDEX IF NOT EXISTS attempt_at ON attempt (at);
CREATE TABLE IF NOT EXISTS blocked (subject TEXT PRIMARY KEY, until REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhook
    (id TEXT PRIMARY KEY, wrapped BLOB, sealed BLOB, former_wrapped BLOB, former_sealed BLOB,
     former_until REAL, position INTEGER, mark TEXT, tries INTEGER, failing_since REAL,
     next_at REAL, stopped_at REAL, test TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhook_message
    (webhook TEXT, id TEXT, kind TEXT, position INTEGER, at REAL, tries INTEGER, answer TEXT,
     stage TEXT, PRIMARY KEY (webhook, id)) WITHOUT ROWID;
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
_SERVER: Final = (
    """CREATE TABLE account (holder text COLLATE "C" PRIMARY KEY, name text COLLATE "C",
    password text, seal bytea)""",
    "CREATE UNIQUE INDEX account_name ON account (lower(name))",
    """CREATE TABLE token (hash bytea PRIMARY KEY, kind text, holder text COLLATE "C",
    until double precision, id text COLLATE "C", mark text NOT NULL DEFAULT '',
    agent text NOT NULL DEFAULT '', since double precision, used double precision, seal bytea)""",
    """CREATE TABLE offer (hash bytea PRIMARY KEY, kind text, role text, encuentro text,
    by text COLLATE "C", until double precision, id text COLLATE "C", seal bytea)""",
    """CREATE TABLE notice (holder text COLLATE "C", what text COLLATE "C",
    PRIMARY KEY (holder, what))""",
    """CREATE TABLE factor (holder text COLLATE "C", stage text, wrapped bytea, sealed bytea,
    step bigint, until double precision, PRIMARY KEY (holder, stage))""",
    'CREATE TABLE recovery (hash bytea PRIMARY KEY, holder text COLLATE "C", seal bytea)',
    """CREATE TABLE waiting (hash bytea PRIMARY KEY, holder text COLLATE "C",
    until double precision, seal bytea)""",
    """CREATE TABLE known_browser (hash bytea, holder text COLLATE "C", until double precision,
    PRIMARY KEY (hash, holder))""",
    "CREATE TABLE ended (hash bytea PRIMARY KEY, until double precision)",
    """CREATE TABLE attempt (booking text COLLATE "C", subject text COLLATE "C",
    at double precision)""",
    "CREATE INDEX attempt_of ON attempt (subject, at)",
    "CREATE INDEX attempt_booking ON attempt (booking)",
    "CREATE INDEX attempt_at ON attempt (at)",
    'CREATE TABLE blocked (subject text COLLATE "C" PRIMARY KEY, until double precision)',
)
_RESETS: Final = (
    """CREATE TABLE reset (hash bytea PRIMARY KEY, holder text COLLATE "C", by text COLLATE "C",
    until double precision, seal bytea)""",
)
_MAIL_ADDRESSES: Final = (
    'CREATE TABLE mail_address (holder text COLLATE "C" PRIMARY KEY, wrapped bytea, sealed bytea)',
)
_OWNER_TOKEN: Final = (
    "CREATE TABLE owner_token (one integer PRIMARY KEY CHECK (one = 1), hash bytea NOT NULL)",
)
"""Of a house in PostgreSQL alone, and not copied with the other tables: see ``house_token``."""
_WEBHOOKS: Final = (
    """CREATE TABLE webhook (id text COLLATE "C" PRIMARY KEY, wrapped bytea, sealed bytea,
    former_wrapped bytea, former_sealed bytea, former_until double precision, position bigint,
    mark text, tries integer, failing_since double precision, next_at double precision,
    stopped_at double precision, test text)""",
    """CREATE TABLE webhook_message (webhook text COLLATE "C", id text COLLATE "C", kind text,
    position bigint, at double precision, tries integer, answer text, stage text,
    PRIMARY KEY (webhook, id))""",
)
OF_A_HOLDER: Final = (
    "account",
    "token",
    "notice",
    "factor",
    "recovery",
    "waiting",
    "reset",
    "mail_address",
    "known_browser",
)
"""Tables with rows of a holder, by the column ``holder``."""


def _create_file_tables(db: sqlite3.Connection) -> None:
    db.executescript(_FILE)
    for table, column, kind in ADDED_COLUMNS:
        there = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
        if column not in there:
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        if column == "id":
            new = "lower(hex(randomblob(8)))"
            db.execute(f"UPDATE {table} SET id = {new} WHERE id IS NULL")  # noqa: S608 - literals


ACCESS_LAYOUT: Final = Layout(
    "access",
    (*OF_A_HOLDER, "offer", "ended", "attempt", "blocked", "webhook", "webhook_message"),
    _create_file_tables,
    (_SERVER, _RESETS, _MAIL_ADDRESSES, _OWNER_TOKEN, _WEBHOOKS),
)


class AccessTables:
    """Database of accounts and keys, with the key of its row seals.

    Shared by all processes and threads.
    """

    def __init__(self, address: Address, key: SealKey = bytes) -> None:
        """Open them, made if they are not there. ``key``: of the seals of the rows."""
        self._database = open_database(address, ACCESS_LAYOUT)
        self.seals = RowSeals(key)
        if self._count_of_deletions_to_erase():
            self.erase_bytes_of_deleted_rows()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def connection(self) -> AbstractContextManager[Statements]:
        """Context for reading the database."""
        return self._database.connection()

    def transaction(self) -> AbstractContextManager[Statements]:
        """A transaction that locks out every other writer of the accounts.

        :raises IntegrityError: a key is there already
        """
        return self._database.transaction()

    def check_by_writing(self) -> None:
        """Test that the database can be read and written.

        Read, and commit a write that changes nothing.

        :raises Exception: of the engine, which cannot read or write
        """
        self._database.check_by_writing()

    def seal_every_row(self) -> int:
        """Write the seal of every row, for a database from before there were seals.

        Returns how many.
        """
        with self.transaction() as db:
            return self.seals.seal_all(db)

    def wrong_rows(self) -> list[WrongRow]:
        """Every row that grants access and whose seal does not fit its values."""
        with self.connection() as db:
            return self.seals.wrong_rows(db)

    def note_bytes_to_erase(self, db: Statements) -> None:
        """Note, in the transaction that deletes, that bytes of deleted rows are left."""
        self._database.set_store_state_number(db, self._database.store_state_number(db) + 1)

    def erase_bytes_of_deleted_rows(self) -> bool:
        """Remove the bytes of deleted rows from the file; returns whether that was possible now.

        A reader may be in the way; then it is done after the next deletion, or at the next start.
        """
        unswept = self._count_of_deletions_to_erase()
        is_done = self._database.erase_deleted_bytes()
        if is_done:
            with self.transaction() as db:
                if (
                    self._database.store_state_number(db) == unswept
                ):  # nothing was deleted meanwhile
                    self._database.set_store_state_number(db, 0)
        return is_done

    def _count_of_deletions_to_erase(self) -> int:
        """Number of deletions whose bytes were not removed yet."""
        with self.connection() as db:
            return self._database.store_state_number(db)
