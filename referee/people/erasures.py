"""The register of erasures: ids of names and texts that were erased, never the texts.

Without it a row that somebody deleted could not be told from an erased one. Each id has a keyed
hash, so that nobody adds one to the file by hand.
"""

from __future__ import annotations

import hmac
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

PURPOSE: Final = "erasures"
"""Purpose of the key of the hashes."""
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS erased (id TEXT PRIMARY KEY, mark BLOB NOT NULL) WITHOUT ROWID"
)


class Erasures:
    """The register, in the file of the names. The caller holds the connection and the lock."""

    def __init__(self, db: sqlite3.Connection, key: bytes) -> None:
        self._db, self._key = db, key
        db.execute(_TABLE)

    def add(self, erased: Iterable[str]) -> None:
        """Note ids that were erased."""
        rows = [(one, self._mark(one)) for one in erased]
        self._db.executemany("INSERT OR REPLACE INTO erased VALUES (?, ?)", rows)

    def noted(self) -> dict[str, bool]:
        """Every id in the register, and whether this program noted it."""
        rows = self._db.execute("SELECT id, mark FROM erased").fetchall()
        return {one: mark == self._mark(one) for one, mark in rows}

    def _mark(self, one: str) -> bytes:
        return hmac.digest(self._key, one.encode(), sha256)
