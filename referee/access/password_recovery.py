"""Links by which a forgotten password is replaced: valid once, for a day, one for each account.

A link has 256 bits and is kept as its SHA-256. It changes a password and nothing else: a second
factor stays, and is asked for at the next sign-in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.access.keys import hash_of_secret, lower_ascii_letters
from referee.access.tables import AccessTables
from referee.events import HolderId
from referee.people.master_key import Altered, Seal

_TABLE: Final = "mail_address"
_PUT: Final = (
    "INSERT INTO mail_address (holder, wrapped, sealed) VALUES (?, ?, ?)"
    " ON CONFLICT (holder) DO UPDATE SET wrapped = excluded.wrapped, sealed = excluded.sealed"
)


class MailAddresses:
    """Encrypted mail addresses of accounts. ``seal`` opens their encryption at its first use."""

    def __init__(self, tables: AccessTables, seal: Callable[[], Seal]) -> None:
        self._tables, self._seal = tables, seal

    def put(self, holder: HolderId, address: str) -> None:
        """Store the mail address of an account, or delete it if empty.

        The bytes of the earlier one are removed.
        """
        row = self._seal().seal_text_under_new_key(_TABLE, holder, address) if address else None
        with self._tables.transaction() as db:
            if row is None:
                db.execute("DELETE FROM mail_address WHERE holder = ?", (holder,))
            else:
                db.execute(_PUT, (holder, *row))
            self._tables.note_bytes_to_erase(db)
        self._tables.erase_bytes_of_deleted_rows()

    def address_or_empty(self, holder: HolderId) -> str:
        """Mail address of an account; empty if it has none, or its row was tampered with."""
        return self._all_addresses().get(holder, "")

    def addresses_by_name_or_address(self, text: str) -> dict[HolderId, str]:
        """Mail address by account id, where the account's name or address is this text.

        Every address is read, whatever the text is.
        """
        with self._tables.connection() as db:
            rows = db.execute("SELECT holder, name FROM account ORDER BY holder").fetchall()
        wanted = lower_ascii_letters(text)
        found = self._all_addresses()
        return {
            holder: found[holder]
            for holder, name in rows
            if holder in found
            and wanted in (lower_ascii_letters(name), lower_ascii_letters(found[holder]))
        }

    def _all_addresses(self) -> dict[HolderId, str]:
        with self._tables.connection() as db:
            rows = db.execute("SELECT holder, wrapped, sealed FROM mail_address").fetchall()
        found = {holder: self._unseal_or_empty(holder, *sealed) for holder, *sealed in rows}
        return {holder: address for holder, address in found.items() if address}

    def _unseal_or_empty(self, holder: HolderId, wrapped: bytes, sealed: bytes) -> str:
        try:
            return self._seal().unseal_text(_TABLE, holder, wrapped, sealed)
        except Altered:
            return ""


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

    def make_reset_secret(self, reset: PasswordReset) -> str:
        """Make a link for a new password; returns its secret.

        An earlier link of the account becomes invalid.
        """
        secret, now = self._random(_TOKEN_BYTES).hex(), self._clock()
        with self._tables.transaction() as db:
            db.execute("DELETE FROM reset WHERE until < ? OR holder = ?", (now, reset.holder))
            row = (hash_of_secret(secret), *reset, now + RESET_S)
            db.execute("INSERT INTO reset (hash, holder, by, until) VALUES (?, ?, ?, ?)", row)
            self._tables.seals.write_seals(db, "reset", "hash = ?", row[0])
        return secret

    def find_by_secret(self, secret: str) -> PasswordReset | None:
        """The account and the maker of a link, which stays valid.

        None if it is unknown, used or expired.
        """
        with self._tables.connection() as db:
            found = self._tables.seals.select_genuine_rows(
                db,
                "reset",
                "holder, by",
                "hash = ? AND until >= ?",
                (hash_of_secret(secret), self._clock()),
            )
        return PasswordReset(*found[0]) if found else None

    def try_use_up_reset_link(self, secret: str) -> bool:
        """Delete a link, expired or not; returns whether it was still there."""
        with self._tables.transaction() as db:
            taken = db.execute("DELETE FROM reset WHERE hash = ?", (hash_of_secret(secret),))
            return taken.rowcount > 0
