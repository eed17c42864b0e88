"""Links by which a forgotten password is replaced: valid once, for a day, one for each account.

A link has 256 bits and is kept as its SHA-256. It changes a password and nothing else: a second
factor stays, and is asked for at the next sign-in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, NamedTuple

from referee.access.tables import AccessTables
from referee.events import HolderId

RESET_S: Final = 86_400.0
_TOKEN_BYTES: Final = 32


class PasswordReset(NamedTuple):
    """Whose password a link replaces, and who made the link."""

    holder: HolderId
    by: HolderId


class PasswordResets:
    """Links for forgotten passwords, beside the accounts. ``clock``: seconds since 1970, UTC."""

    def __init__(
        self, tables: AccessTables, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        self._tables, self._clock, self._random = tables, clock, random

    def offer(self, reset: PasswordReset) -> str:
        """The secret of a new link; an earlier one of the account is worth nothing any more."""
        secret, now = self._random(_TOKEN_BYTES).hex(), self._clock()
        with self._tables.transaction() as db:
            db.execute("DELETE FROM reset WHERE until < ? OR holder = ?", (now, reset.holder))
            row = (_hash(secret), *reset, now + RESET_S)
            db.execute("INSERT INTO reset (hash, holder, by, until) VALUES (?, ?, ?, ?)", row)
            self._tables.seals.seal(db, "reset", "hash = ?", row[0])
        return secret

    def find(self, secret: str) -> PasswordReset | None:
        """What a link is for, without taking it; None if it is unknown, taken or expired."""
        with self._tables.connection() as db:
            found = self._tables.seals.genuine_rows(
                db, "reset", "holder, by", "hash = ? AND until >= ?", (_hash(secret), self._clock())
            )
        return PasswordReset(*found[0]) if found else None

    def take(self, secret: str) -> bool:
        """Take a link, which nobody can take again; returns whether it was still there."""
        with self._tables.transaction() as db:
            taken = db.execute("DELETE FROM reset WHERE hash = ?", (_hash(secret),))
            return taken.rowcount > 0


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
