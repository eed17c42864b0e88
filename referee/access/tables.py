"""The tables of accounts and keys, in a file or in PostgreSQL, and the seals of their rows."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from typing import Final

from referee.access.row_seals import RowSeals, SealKey, WrongRow
from referee.log.ports import Address
from referee.store.opening import open_database
from referee.store.ports import Layout, Statements

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


def _open_file(db: sqlite3.Connection) -> None:
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
    _open_file,
    (_SERVER, _RESETS, _MAIL_ADDRESSES, _OWNER_TOKEN, _WEBHOOKS),
)


class AccessTables:
    """The tables and the key of their seals. All processes share them, all threads this object."""

    def __init__(self, address: Address, key: SealKey = bytes) -> None:
        """Open them, made if they are not there. ``key``: of the seals of the rows."""
        self._database = open_database(address, ACCESS_LAYOUT)
        self.seals = RowSeals(key)
        if self._unswept():
            self.sweep()

    def close(self) -> None:
        """Close them."""
        self._database.close()

    def connection(self) -> AbstractContextManager[Statements]:
        """A turn to read."""
        return self._database.connection()

    def transaction(self) -> AbstractContextManager[Statements]:
        """A transaction that locks out every other writer of the accounts.

        :raises IntegrityError: a key is there already
        """
        return self._database.transaction()

    def check(self) -> None:
        """Read, and commit a write to the disk that changes nothing.

        :raises Exception: of the engine, which cannot read or write
        """
        self._database.check()

    def seal_earlier(self) -> int:
        """Seal every row as it is, for tables of before there were seals; returns how many."""
        with self.transaction() as db:
            return self.seals.seal_all(db)

    def wrong_rows(self) -> list[WrongRow]:
        """Rows that let somebody in, and were not written by this program as they are."""
        with self.connection() as db:
            return self.seals.wrong_rows(db)

    def note_unswept(self, db: Statements) -> None:
        """Note, in the transaction that deletes, that bytes of deleted rows are left."""
        self._database.set_state(db, self._database.state(db) + 1)

    def sweep(self) -> bool:
        """Remove the bytes of deleted rows; returns whether it is done.

        A reader may be in the way; then it is done after the next deletion, or at the next start.
        """
        unswept = self._unswept()
        is_done = self._database.sweep()
        if is_done:
            with self.transaction() as db:
                if self._database.state(db) == unswept:  # nothing was deleted meanwhile
                    self._database.set_state(db, 0)
        return is_done

    def _unswept(self) -> int:
        """Deletions since the tables were swept."""
        with self.connection() as db:
            return self._database.state(db)
