"""Repeatable random order: the same seed gives the same order on every machine.

``docs/law/duties.md`` gives the algorithm. The seal states the purpose of the order, so that one
seed gives different numbers to each draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

WORD = 1 << 32


def shuffle_by_seed(seal: bytes, seed: str, things: Iterable[T]) -> tuple[T, ...]:
    r"""Things in the order that a seed and a seal determine.

    >>> shuffle_by_seed(b"example-1\n", "Calamocha", "abc")
    ('b', 'c', 'a')
    """
    found = list(things)
    words = random_numbers(seal + seed.encode())
    for last in range(len(found) - 1, 0, -1):
        other = random_below(last + 1, words)
        found[last], found[other] = found[other], found[last]
    return tuple(found)


def random_numbers(content: bytes) -> Iterator[int]:
    """Endless 32-bit numbers that a content determines: SHA-256 in counter mode."""
    counter = 0
    while True:
        block = hashlib.sha256(counter.to_bytes(8, "big") + content).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, len(block), 4))
        counter += 1


def random_below(bound: int, words: Iterator[int]) -> int:
    """Number from 0 up to below the bound, each equally likely: surplus words are skipped."""
    limit = WORD - WORD % bound
    return next(word for word in words if word < limit) % bound
