"""Roots and keys as two people compare them: the same form on acta, poster, pages and verifier."""

from __future__ import annotations

from typing import Final

_DIGITS: Final = 4


def grouped(value: bytes | str) -> str:
    """Bytes, or their hexadecimal digits, in groups of four digits.

    >>> grouped(bytes(range(8)))
    '0001 0203 0405 0607'
    """
    digits = value if isinstance(value, str) else value.hex()
    return " ".join(digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS))
