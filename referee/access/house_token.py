"""The owner's token of a house in PostgreSQL, shared by all its computers.

Only a keyed hash is stored.

It is beside the accounts, and neither in a backup nor in a move: a token that was replaced does not
become valid again. Whoever reads the table cannot sign in with it, and whoever writes it without
the master key cannot choose a token.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Final

from referee.access.tables import AccessTables, SealKey

PURPOSE: Final = "owner's token"
"""Purpose of the key of the hash."""
_PUT: Final = "INSERT INTO owner_token VALUES (1, ?) ON CONFLICT (one)"


class HouseToken:
    """Stored hash of the owner's token of a house, with which a token is compared.

    ``key``: of the hash, read at its first use. The tables are in PostgreSQL.
    """

    def __init__(self, tables: AccessTables, key: SealKey) -> None:
        self._tables, self._key = tables, key

    def read_hash_or_empty(self) -> bytes:
        """Stored keyed hash of the token; empty if none is stored."""
        with self._tables.connection() as db:
            found = db.execute("SELECT hash FROM owner_token").fetchone()
        return bytes(found[0]) if found else b""

    def hash_of(self, token: str) -> bytes:
        """Keyed hash of a given token."""
        return hmac.digest(self._key(), token.encode(), sha256)

    def store_hash_if_none(self, token: str) -> None:
        """Store the hash of a token, unless one is stored already."""
        with self._tables.transaction() as db:
            db.execute(f"{_PUT} DO NOTHING", (self.hash_of(token),))

    def store_hash(self, token: str) -> None:
        """Store the hash of a token in place of the one before."""
        with self._tables.transaction() as db:
            db.execute(f"{_PUT} DO UPDATE SET hash = excluded.hash", (self.hash_of(token),))

    def forget(self) -> None:
        """Forget the token: the next computer that starts notes its own."""
        with self._tables.transaction() as db:
            db.execute("DELETE FROM owner_token")
