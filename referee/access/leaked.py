"""Passwords of leaks: a table of their hashes, so that none of them is taken.

The table has what others published of leaks, as far as it is long enough to be a password here. It
is asked on this computer: nothing about a password leaves it.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final

_KEPT: Final = 5
"""Bytes kept of each hash: of 25 million other passwords, one is taken for a leaked one."""


def is_leaked(password: str) -> bool:
    """Whether a password is in the table; A to Z do not differ from a to z.

    >>> is_leaked("Mailcreated5240"), is_leaked("la sota que siempre sale")
    (True, False)
    """
    return is_in(read_leaks(), password)


@cache
def read_leaks() -> bytes:
    """The table that comes with the program."""
    return resources.files("referee.access").joinpath("leaked.bin").read_bytes()


def is_in(table: bytes, password: str) -> bool:
    """Whether a table of :func:`leaked_table` has a password."""
    wanted = _hash(password)
    places = range(len(table) // _KEPT)
    at = bisect_left(places, wanted, key=lambda place: _row(table, place))
    return at < len(places) and _row(table, at) == wanted


def table_of_leaks(passwords: Iterable[str]) -> bytes:
    """Table of passwords: the beginnings of their SHA-256, in order, each once."""
    return b"".join(sorted({_hash(one) for one in passwords}))


def _row(table: bytes, place: int) -> bytes:
    return table[place * _KEPT : (place + 1) * _KEPT]


def _hash(password: str) -> bytes:
    return hashlib.sha256(password.casefold().encode()).digest()[:_KEPT]
