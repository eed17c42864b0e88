"""Seals of the rows that let somebody in: a keyed hash over the table and every value that counts.

Whoever can write the tables, and has not the key, can remove a row, but can neither
change one nor add one. A row with a wrong seal is as good as none.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from referee.store.ports import Statements

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
    """A row whose seal is wrong, with the id by which it is named, and its holder if it has one."""

    table: str
    id: str
    holder: str


class RowSeals:
    """The seals under one key."""

    def __init__(self, key: SealKey) -> None:
        self._key = cache(key)

    def genuine_rows(
        self, db: Statements, table: str, wanted: str, condition: str, values: Any
    ) -> list[Sequence[Any]]:
        """Columns of the rows of a condition, without those that this program did not write."""
        return [
            row
            for is_genuine, row in self._read(db, table, wanted, condition, values)
            if is_genuine
        ]

    def seal(self, db: Statements, table: str, condition: str, *values: object) -> int:
        """Seal the rows of a condition, which were just written; returns how many."""
        sealed = _SEALED[table]
        asked = f"SELECT {', '.join(sealed)} FROM {table} WHERE {condition}"  # noqa: S608 - ours
        rows = [(self._of(table, row), row[0]) for row in db.execute(asked, values).fetchall()]
        db.executemany(f"UPDATE {table} SET seal = ? WHERE {sealed[0]} = ?", rows)  # noqa: S608 - ours
        return len(rows)

    def seal_all(self, db: Statements) -> int:
        """Seal every row; returns how many."""
        return sum(self.seal(db, table, "1 = 1") for table in _SEALED)

    def wrong_rows(self, db: Statements) -> list[WrongRow]:
        """Every row that this program did not write as it is."""
        return [
            WrongRow(table, *found)
            for table, named_by in _NAMED_BY.items()
            for found in sorted(
                (_text(name), _text(holder))
                for is_genuine, (name, holder) in self._read(db, table, ", ".join(named_by))
                if not is_genuine
            )
        ]

    def _read(
        self, db: Statements, table: str, wanted: str, condition: str = "1 = 1", values: Any = ()
    ) -> list[tuple[bool, Sequence[Any]]]:
        """Whether each row of a condition is genuine, and what is wanted of it."""
        sealed = _SEALED[table]
        asked = f"SELECT {', '.join(sealed)}, seal, {wanted} FROM {table} WHERE {condition}"  # noqa: S608 - ours
        end = len(sealed)
        return [
            (row[end] == self._of(table, row[:end]), row[end + 1 :])
            for row in db.execute(asked, values).fetchall()
        ]

    def _of(self, table: str, values: Sequence[object]) -> bytes:
        return hmac.digest(self._key(), msgspec.msgpack.encode((table, *values)), sha256)


def _text(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
