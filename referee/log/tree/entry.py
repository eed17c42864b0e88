"""What the log holds of an event: a commitment to it, its stream and its version.

The salt inside the state keeps the commitment from telling anything, so entries may be public
while the hand is secret. To reveal an event is to show its state later.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any, Final, NoReturn

import msgspec
import rfc8785

from referee.log.tree.tree import leaf_hash


class Unreadable(ValueError):  # noqa: N818 - it says what the state is
    """A state that no event of ours has: no JSON, with a fraction, or too large a number."""


def refuse_fraction(text: str) -> NoReturn:
    """Refuse what JSON writes with a point or an exponent."""
    raise Unreadable(text)


LARGEST: Final = 2**53 - 1
"""Largest whole number that every reader of JSON reads exactly."""

_decode: Final = msgspec.json.Decoder(float_hook=refuse_fraction).decode
_encode: Final = msgspec.json.Encoder(order="sorted").encode
_MAY_BE_INEXACT: Final = re.compile(rb"[0-9]{16}").search


def value_of(text: bytes | str) -> Any:
    """The value of a JSON text of ours.

    :raises Unreadable: it is no JSON, or has a fraction in it
    """
    try:
        return _decode(text)
    except msgspec.MsgspecError as error:
        raise Unreadable(str(error)) from None
    except (RecursionError, UnicodeError) as error:
        raise Unreadable(type(error).__name__) from None


def canonical(value: Any) -> bytes:
    """RFC 8785 form of a JSON value without fractions.

    Plain ASCII has one sorted form, which is written the fast way.

    >>> canonical({"v": 1, "c": "ñ"}).decode()
    '{"c":"ñ","v":1}'

    :raises Unreadable: a whole number is beyond 2^53 - 1
    """
    quick = _encode(value)
    if quick.isascii() and not _MAY_BE_INEXACT(quick):
        return quick
    try:
        return rfc8785.dumps(value)
    except rfc8785.CanonicalizationError as error:
        raise Unreadable(str(error)) from None


def commitment(name: str, state: bytes) -> str:
    """Base64url without padding of the hash of a stored name and a state in canonical form."""
    whole = b'{"s":' + state + b',"t":' + canonical(name) + b"}"
    return base64.urlsafe_b64encode(hashlib.sha256(whole).digest())[:-1].decode()


def entry_of(stream: str, version: int, name: str, state: bytes) -> bytes:
    """Entry of an event. ``stream``: its id, 32 hex digits; ``state`` in canonical form."""
    return canonical({"c": commitment(name, state), "o": stream, "v": version})


def leaf_of(stream: str, version: int, name: str, state: bytes) -> bytes:
    """Leaf of a stored event.

    :raises Unreadable: the state is none of ours
    """
    return leaf_hash(entry_of(stream, version, name, canonical(value_of(state))))


def is_as_written(state: bytes, canonical_state: bytes) -> bool:
    """Whether stored bytes are a compact form of their value, whatever the order of its keys.

    A key that comes twice, a blank or an escape that is not needed would make them longer.
    """
    return len(state) == len(canonical_state)
