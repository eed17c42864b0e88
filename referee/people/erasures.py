"""The register of erasures: ids of names and texts that were erased, never the texts.

Without it a row that somebody deleted could not be told from an erased one. Each id has a keyed
hash, so that nobody adds one to the file by hand.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from referee.store.ports import Statements

PURPOSE: Final = "erasures"
"""Purpose of the key of the hashes."""


class Erasures:
    """The register, in the store of the names. ``key``: of its hashes."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def add(self, db: Statements, erased: Iterable[str]) -> None:
        """Note ids that were erased."""
        rows = [(one, self._mark(one)) for one in erased]
        db.executemany(
            "INSERT INTO erased VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET mark = excluded.mark",
            rows,
        )

    def register(self, db: Statements) -> dict[str, bool]:
        """Every id in the register, and whether this program noted it."""
        rows = db.execute("SELECT id, mark FROM erased").fetchall()
        return {one: mark == self._mark(one) for one, mark in rows}

    def _mark(self, one: str) -> bytes:
        return hmac.digest(self._key, one.encode(), sha256)
