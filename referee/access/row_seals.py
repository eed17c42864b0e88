"""Seals of the rows that let somebody in: a keyed hash over the table and every value that counts.

Whoever can write the file, and has not the key, can remove a row, but can neither
change one nor add one. A row with a wrong seal is as good as none.
"""

from __future__ import annotations

import hmac
import sqlite3
from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

import msgspec

SealKey: TypeAlias = Callable[[], bytes]
"""The key of the seals, read at its first use."""

PURPOSE: Final = "accounts"
"""Purpose of the key."""
_HAS_FACTOR: Final = (
    "EXISTS (SELECT 1 FROM factor WHERE factor.holder = account.holder AND stage = 'active')"
)
_SEALED: Final = {
    "account": f"holder, name, password, {_HAS_FACTOR}",
    "token": "hash, kind, holder, until, id, mark",
    "offer": 'hash, kind, role, encuentro, "by", until, id',
    "recovery": "hash, holder",
    "waiting": "hash, holder, until",
}
"""What is sealed of each table. An account is sealed with whether it has a second factor."""
_NAMES: Final = {
    "account": "holder",
    "token": "id",
    "offer": "id",
    "recovery": "lower(hex(hash))",
    "waiting": "lower(hex(hash))",
}
SEALED_TABLES: Final = tuple(_SEALED)


class WrongRow(NamedTuple):
    """A row whose seal is wrong, with the id by which it is named, and its holder if it has one."""

    table: str
    id: str
    holder: str


def install(db: sqlite3.Connection, key: SealKey) -> None:
    """Give a connection the function of the seals."""
    kept: list[bytes] = []

    def row_seal(*values: object) -> bytes:
        if not kept:
            kept.append(key())
        return hmac.digest(kept[0], msgspec.msgpack.encode(values), sha256)

    db.create_function("row_seal", -1, row_seal, deterministic=True)


def genuine(table: str) -> str:
    """Condition of the rows of a table that this program wrote."""
    return f"{table}.seal = {_seal(table)}"


def seal(db: sqlite3.Connection, table: str, condition: str, *values: object) -> int:
    """Seal the rows of a condition, which were just written; returns how many."""
    sealed = f"UPDATE {table} SET seal = {_seal(table)} WHERE {condition}"  # noqa: S608 - ours
    return db.execute(sealed, values).rowcount


def wrong_rows(db: sqlite3.Connection) -> list[WrongRow]:
    """Every row that this program did not write as it is."""
    found: list[WrongRow] = []
    for table, name in _NAMES.items():
        holder = "''" if table == "offer" else "holder"
        asked = f"SELECT {name}, {holder} FROM {table} WHERE ({genuine(table)}) IS NOT 1 ORDER BY 1"  # noqa: S608 - ours
        found += [WrongRow(table, str(one), str(of)) for one, of in db.execute(asked)]
    return found


def _seal(table: str) -> str:
    return f"row_seal('{table}', {_SEALED[table]})"
