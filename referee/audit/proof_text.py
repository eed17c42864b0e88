"""The text of a proof: JSON that all verifiers read in the same way, or else refuse.

JSON parsers differ about duplicate keys, large numbers, lone surrogates and depth.
"""

from __future__ import annotations

import json
from typing import Any, Final

from referee.log.merkle import LARGEST, Unreadable, refuse_fraction

DEEPEST: Final = 100


def value_in(text: bytes) -> Any:
    """The value of a JSON text in UTF-8 that has whole numbers only.

    :raises Unreadable: it is none, or one that two readers could read in two ways
    """
    try:
        value = json.loads(
            text.decode(),
            object_pairs_hook=_once,
            parse_int=_int_of,
            parse_float=refuse_fraction,
            parse_constant=refuse_fraction,
        )
        json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate is not UTF-8
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None
    if _is_too_deep(value):
        raise Unreadable("too deep")
    return value


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) < len(members):
        raise Unreadable("a key twice")
    return found


def _int_of(digits: str) -> int:
    number = int(digits)
    if abs(number) > LARGEST:
        raise Unreadable(digits)
    return number


def _is_too_deep(value: Any) -> bool:
    """Whether objects and lists are nested too deeply."""
    level = [value]
    for _ in range(DEEPEST + 1):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner += one.values()
            elif isinstance(one, list):
                inner += one
        level = inner
    return bool(level)
