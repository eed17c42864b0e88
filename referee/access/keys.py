"""Credentials of people and devices: passwords, tokens and codes, all of them hashed.

They are in a file of their own, apart from the log. The log says who may do what; this file only
identifies the caller. Deleted rows are overwritten. Nobody can sign in with what the file holds: a
token has 256 bits and is kept as its SHA-256, a password as scrypt.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from werkzeug.security import check_password_hash, generate_password_hash

from referee.events import HolderId, Role
from referee.log.durable import opening

TokenKind: TypeAlias = Literal["session", "device"]
OfferKind: TypeAlias = Literal["invitation", "pairing"]

DAY_S: Final = 86_400.0
LASTS_S: Final[dict[TokenKind | OfferKind, float]] = {
    "session": 30 * DAY_S,
    "device": 90 * DAY_S,
    "invitation": 7 * DAY_S,
    "pairing": 300.0,
}
SYMBOLS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of a code; those that are easily confused with others are left out."""
CODE_LENGTH: Final = 6
SHORTEST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
LONGEST_NAME: Final = 80
MOST_FAILURES: Final = 5
WINDOW_S: Final = 60.0
_TOKEN_BYTES: Final = 32
_HOLDER_BYTES: Final = 8
_METHOD: Final = "scrypt:32768:8:1"
_NOBODY: Final = f"{_METHOD}$nobody${'0' * 128}"
"""Hash that no password has. It is checked for unknown names, so that they take the same time."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS account
    (holder TEXT PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, password TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token
    (hash BLOB PRIMARY KEY, kind TEXT, holder TEXT, until REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS offer
    (hash BLOB PRIMARY KEY, kind TEXT, role TEXT, encuentro TEXT, by TEXT, until REAL)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failure (place TEXT, at REAL);
CREATE INDEX IF NOT EXISTS failure_of ON failure (place, at);
"""


class NameTaken(Exception):  # noqa: N818 - it says what the name is
    """Another account has this name."""


class BadPassword(Exception):  # noqa: N818 - the name states the condition
    """A password that is too short or too long."""


class Offer(NamedTuple):
    """The role that a code or a link gives to whoever takes it. ``by``: who offered it."""

    role: Role
    encuentro: str
    by: str


class Keys:
    """Accounts, tokens, offers and recent failed attempts. All processes share the file."""

    def __init__(
        self, path: str | Path, *, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        """Open the file, made if it is not there. ``clock``: seconds since 1970, UTC."""
        self._clock, self._random = clock, random
        self._turn = threading.Lock()
        with opening(path) as self._db:
            self._db.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # --- accounts ----------------------------------------------------------------------------

    def open_account(self, name: str, password: str) -> HolderId:
        """A new account; it may do nothing until a role is granted to it.

        :raises NameTaken: another account has the name
        :raises BadPassword: its length is out of bounds
        """
        hashed = _hashed(password)
        holder = self.new_holder()
        try:
            with self._writing() as db:
                db.execute("INSERT INTO account VALUES (?, ?, ?)", (holder, name, hashed))
        except sqlite3.IntegrityError:
            raise NameTaken(name) from None
        return holder

    def signed_in(self, name: str, password: str) -> HolderId | None:
        """The account with this name and password. An unknown name takes as long as a known one."""
        with self._turn:
            row = self._db.execute(
                "SELECT holder, password FROM account WHERE name = ?", (name,)
            ).fetchone()
        is_right = check_password_hash(row[1] if row else _NOBODY, password[:LONGEST_PASSWORD])
        return str(row[0]) if row and is_right else None

    def change_password(self, holder: HolderId, password: str) -> None:
        """Another password; whoever had signed in with the old one has to do so again.

        :raises BadPassword: its length is out of bounds
        """
        hashed = _hashed(password)
        with self._writing() as db:
            db.execute("UPDATE account SET password = ? WHERE holder = ?", (hashed, holder))
            db.execute("DELETE FROM token WHERE holder = ?", (holder,))

    def names(self) -> dict[HolderId, str]:
        """Name of every account."""
        with self._turn:
            return dict(self._db.execute("SELECT holder, name FROM account ORDER BY name"))

    def forget(self, holder: HolderId) -> None:
        """Delete the account and all tokens of a holder."""
        with self._writing() as db:
            for table in ("account", "token"):
                db.execute(f"DELETE FROM {table} WHERE holder = ?", (holder,))  # noqa: S608 - two literals

    def new_holder(self) -> HolderId:
        """A new id for a holder."""
        return self._random(_HOLDER_BYTES).hex()

    # --- tokens ------------------------------------------------------------------------------

    def give(self, kind: TokenKind, holder: HolderId) -> str:
        """A new token of a holder; it is valid for as long as its kind lasts."""
        token, now = self._secret(), self._clock()
        with self._writing() as db:
            db.execute("DELETE FROM token WHERE until < ?", (now,))
            row = (_hash(token), kind, holder, now + LASTS_S[kind])
            db.execute("INSERT INTO token VALUES (?, ?, ?, ?)", row)
        return token

    def holder(self, token: str) -> HolderId | None:
        """The holder of a token; None if the token is unknown or has expired."""
        with self._turn:
            row = self._db.execute(
                "SELECT holder FROM token WHERE hash = ? AND until >= ?",
                (_hash(token), self._clock()),
            ).fetchone()
        return str(row[0]) if row else None

    def take_back(self, token: str) -> None:
        """Revoke a token."""
        with self._writing() as db:
            db.execute("DELETE FROM token WHERE hash = ?", (_hash(token),))

    # --- offers ------------------------------------------------------------------------------

    def offer(self, kind: OfferKind, offered: Offer) -> str:
        """The secret of an offer that can be taken once: a link's token, or a code to type."""
        secret, now = self._secret() if kind == "invitation" else self._code(), self._clock()
        with self._writing() as db:
            db.execute("DELETE FROM offer WHERE until < ?", (now,))
            row = (_hash(secret), kind, *offered, now + LASTS_S[kind])
            db.execute("INSERT INTO offer VALUES (?, ?, ?, ?, ?, ?)", row)
        return secret

    def offered(self, kind: OfferKind, secret: str) -> Offer | None:
        """What is offered under a secret, without taking it; None if unknown, taken or expired."""
        with self._turn:
            return self._offered(kind, secret)

    def take(self, kind: OfferKind, secret: str) -> Offer | None:
        """Take an offer, which nobody can take again; None if it is unknown, taken or expired."""
        with self._writing() as db:
            found = self._offered(kind, secret)
            db.execute("DELETE FROM offer WHERE hash = ? AND kind = ?", (_hash(secret), kind))
        return found

    def _offered(self, kind: OfferKind, secret: str) -> Offer | None:
        row = self._db.execute(
            "SELECT role, encuentro, by FROM offer WHERE hash = ? AND kind = ? AND until >= ?",
            (_hash(secret), kind, self._clock()),
        ).fetchone()
        return Offer(*row) if row else None

    # --- failures ----------------------------------------------------------------------------

    def failed_too_often(self, place: str) -> bool:
        """Whether an address failed so often within a minute that it has to wait."""
        with self._turn:
            (number,) = self._db.execute(
                "SELECT COUNT(*) FROM failure WHERE place = ? AND at > ?",
                (place, self._clock() - WINDOW_S),
            ).fetchone()
        return int(number) >= MOST_FAILURES

    def note_failure(self, place: str) -> None:
        """Remember one failure; those of more than a minute ago are forgotten."""
        now = self._clock()
        with self._writing() as db:
            db.execute("DELETE FROM failure WHERE at <= ?", (now - WINDOW_S,))
            db.execute("INSERT INTO failure VALUES (?, ?)", (place, now))

    # --- inside ------------------------------------------------------------------------------

    def _secret(self) -> str:
        return self._random(_TOKEN_BYTES).hex()

    def _code(self) -> str:
        number = int.from_bytes(self._random(_HOLDER_BYTES), "big")
        symbols = [
            SYMBOLS[number // len(SYMBOLS) ** at % len(SYMBOLS)] for at in range(CODE_LENGTH)
        ]
        return "".join(symbols)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction that locks out other processes."""
        with self._turn:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _hashed(password: str) -> str:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadPassword
    return generate_password_hash(password, _METHOD)
