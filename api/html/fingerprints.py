"""Roots and keys as two people compare them: the same form on acta, poster, pages and verifier."""

from __future__ import annotations

from typing import Final

_DIGITS: Final = 4
_OF_A_LINE: Final = 16


def grouped(value: bytes | str) -> str:
    r"""Bytes, or their hexadecimal digits, in groups of four digits, four groups in a line.

    >>> grouped(bytes(range(10)))
    '0001 0203 0405 0607\n0809'
    """
    digits = value if isinstance(value, str) else value.hex()
    lines = (digits[at : at + _OF_A_LINE] for at in range(0, len(digits), _OF_A_LINE))
    return "\n".join(
        " ".join(line[at : at + _DIGITS] for at in range(0, len(line), _DIGITS)) for line in lines
    )
