"""Browsers that have signed in to an account before, so that nobody can lock their user out.

Limits on guessing by account and by address do not hold for them: they have a counter of their own.
A browser has a cookie with 256 random bits, kept as its SHA-256. Each sign-in replaces it, so that
a cookie that somebody else planted is worth nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from referee.access.keys import in_lower_case
from referee.access.tables import AccessTables
from referee.events import HolderId

KNOWN_S: Final = 365 * 86_400.0
_COOKIE_BYTES: Final = 32
_REMEMBERED: Final = (
    "INSERT INTO known_browser (hash, holder, until) VALUES (?, ?, ?)"
    " ON CONFLICT (hash, holder) DO UPDATE SET until = excluded.until"
)


class KnownBrowsers:
    """Cookies of known browsers. ``clock``: seconds since 1970, UTC."""

    def __init__(
        self, tables: AccessTables, clock: Callable[[], float], random: Callable[[int], bytes]
    ) -> None:
        self._tables, self._clock, self._random = tables, clock, random

    def knows(self, cookie: str, name: str) -> bool:
        """Whether the browser with this cookie has signed in to the account of this name."""
        with self._tables.connection() as db:
            found = db.execute(
                "SELECT 1 FROM known_browser JOIN account USING (holder)"
                " WHERE hash = ? AND until >= ? AND lower(name) = ?",
                (_hash(cookie), self._clock(), in_lower_case(name)),
            ).fetchone()
        return found is not None

    def remember(self, cookie: str, holder: HolderId) -> str:
        """The new cookie of a browser that has signed in; its earlier accounts stay known."""
        made, now = self._random(_COOKIE_BYTES).hex(), self._clock()
        old, new = _hash(cookie), _hash(made)
        with self._tables.transaction() as db:
            db.execute("DELETE FROM known_browser WHERE until < ?", (now,))
            db.execute("UPDATE known_browser SET hash = ? WHERE hash = ?", (new, old))
            row = (new, holder, now + KNOWN_S)
            db.execute(_REMEMBERED, row)
        return made


def _hash(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode()).digest()
