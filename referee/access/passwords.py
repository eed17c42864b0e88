"""Rules for good passwords: long enough and not known from leaks.

No kinds of characters are demanded.

A password is refused for its length, if it is common or easily guessed (zxcvbn: lists of common
passwords and words, repeats, sequences, keyboard patterns, dates), if little is left of it without
the words of the account and the club, or if it is known from a leak.
"""

from __future__ import annotations

import hashlib
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final, Literal, TypeAlias

from zxcvbn import zxcvbn

PasswordFault: TypeAlias = Literal["length", "common", "leaked"]

SHORTEST_PASSWORD: Final = 12
LONGEST_PASSWORD: Final = 200
_LOOKED_AT: Final = 72
"""Signs that are examined: more take long, and no longer password is guessed by its beginning."""
_LEAST_SCORE: Final = 3
"""Of zxcvbn: at least a hundred million guesses."""
_LEAST_OWN: Final = 8
"""Letters and digits that are left without the words that everybody would try."""
_SHORTEST_WORD: Final = 3
WORDS_OF_THE_CLUB: Final = (
    *("guinote", "guinyot", "guignote", "club", "casa", "cartas", "baraja", "torneo"),
    *("admin", "administrador", "director", "direccion", "arbitro", "arbitre", "arbiter"),
    *("contrasena", "contrasenya", "motdepasse", "password", "clave", "secreto"),
)
"""Words of the game, the club and its roles. The page on access has them too."""
_KEPT: Final = 5
"""Bytes kept of each hash: of 25 million other passwords, one is taken for a leaked one."""


class BadPassword(Exception):  # noqa: N818 - the name states the condition
    """A password that is not good enough: its ``fault``."""

    def __init__(self, fault: PasswordFault) -> None:
        super().__init__(fault)
        self.fault = fault


def password_fault(password: str, name: str) -> PasswordFault | None:
    """Why a password is not good enough for the account with this name; None if it is good.

    >>> password_fault("la sota que siempre sale", "Pilar")
    >>> password_fault("qwerty123456", "Pilar"), password_fault("Pilar-guiñote-1", "Pilar")
    ('common', 'common')
    """
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        return "length"
    words = [
        *WORDS_OF_THE_CLUB,
        *(word for word in _fold_text(name).split() if len(word) >= _SHORTEST_WORD),
    ]
    own = "".join(filter(str.isalnum, _fold_text(password)))
    for word in sorted(words, key=len, reverse=True):
        own = own.replace(word, "")
    found = zxcvbn(password[:_LOOKED_AT], user_inputs=words)
    if len(own) < _LEAST_OWN or found["score"] < _LEAST_SCORE:
        return "common"
    return "leaked" if is_leaked(password) else None


def _fold_text(text: str) -> str:
    """A text without case and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one))


def is_leaked(password: str) -> bool:
    """Whether a password is in the table of leaked passwords; A to Z do not differ from a to z.

    >>> is_leaked("Mailcreated5240"), is_leaked("la sota que siempre sale")
    (True, False)
    """
    return is_in_leak_table(read_leaks(), password)


@cache
def read_leaks() -> bytes:
    """Bytes of the table of leaked passwords that comes with the program."""
    return resources.files("referee.access").joinpath("leaked.bin").read_bytes()


def is_in_leak_table(table: bytes, password: str) -> bool:
    """Whether a password is in a packed table of leaked passwords."""
    wanted = _hash(password)
    places = range(len(table) // _KEPT)
    at = bisect_left(places, wanted, key=lambda place: _leak_at(table, place))
    return at < len(places) and _leak_at(table, at) == wanted


def pack_leaked_passwords(passwords: Iterable[str]) -> bytes:
    """Packed table of leaked passwords: first bytes of their SHA-256 hashes, sorted, each once."""
    return b"".join(sorted({_hash(one) for one in passwords}))


def _leak_at(table: bytes, place: int) -> bytes:
    return table[place * _KEPT : (place + 1) * _KEPT]


def _hash(password: str) -> bytes:
    return hashlib.sha256(password.casefold().encode()).digest()[:_KEPT]
