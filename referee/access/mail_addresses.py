"""Addresses of mail of accounts: their users may give one, for a password that they forget.

An address is sealed under a derived key, bound to its account, and goes with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.access.keys import in_lower_case
from referee.access.tables import AccessTables
from referee.events import HolderId
from referee.people.seals import Altered, Seal

_TABLE: Final = "mail_address"
_PUT: Final = (
    "INSERT INTO mail_address (holder, wrapped, sealed) VALUES (?, ?, ?)"
    " ON CONFLICT (holder) DO UPDATE SET wrapped = excluded.wrapped, sealed = excluded.sealed"
)


class MailAddresses:
    """Addresses beside the accounts. ``seal``: of the addresses, opened at its first use."""

    def __init__(self, tables: AccessTables, seal: Callable[[], Seal]) -> None:
        self._tables, self._seal = tables, seal

    def put(self, holder: HolderId, address: str) -> None:
        """Keep the address of an account, none if empty; no byte of an earlier one stays."""
        row = self._seal().close(_TABLE, holder, address) if address else None
        with self._tables.transaction() as db:
            if row is None:
                db.execute("DELETE FROM mail_address WHERE holder = ?", (holder,))
            else:
                db.execute(_PUT, (holder, *row))
            self._tables.note_unswept(db)
        self._tables.sweep()

    def of(self, holder: HolderId) -> str:
        """The address of an account; empty if it has none, or somebody else wrote it."""
        return self._every().get(holder, "")

    def accounts_named(self, text: str) -> dict[HolderId, str]:
        """Accounts that have a text as their name or their address, with their addresses.

        Every address is read, whatever the text is.
        """
        with self._tables.connection() as db:
            rows = db.execute("SELECT holder, name FROM account ORDER BY holder").fetchall()
        wanted = in_lower_case(text)
        found = self._every()
        return {
            holder: found[holder]
            for holder, name in rows
            if holder in found and wanted in (in_lower_case(name), in_lower_case(found[holder]))
        }

    def _every(self) -> dict[HolderId, str]:
        with self._tables.connection() as db:
            rows = db.execute("SELECT holder, wrapped, sealed FROM mail_address").fetchall()
        found = {holder: self._open(holder, *sealed) for holder, *sealed in rows}
        return {holder: address for holder, address in found.items() if address}

    def _open(self, holder: HolderId, wrapped: bytes, sealed: bytes) -> str:
        try:
            return self._seal().open(_TABLE, holder, wrapped, sealed)
        except Altered:
            return ""
