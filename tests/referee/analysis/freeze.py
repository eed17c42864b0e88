"""Answers of blocks of endings, frozen: ``python -m tests.referee.analysis.freeze [FIRST [END]]``.

A line a block: its number, the digest of the answers by minimax, the digest of the answers and
nodes by the engine. With numbers of blocks the first digest is made anew, which takes minutes; without,
only the second, as a change of the engine's order of trial asks for.
"""

from __future__ import annotations

import sys

from referee.analysis.engine import Engine
from tests.support.analysis.endings import BLOCK, digest, ending
from tests.support.places import ROOT

FROZEN = ROOT / "tests" / "golden" / "analysis_endings.txt"


def frozen() -> dict[int, tuple[str, str]]:
    """Digests of each block: of the answers by minimax, of the engine's answers and nodes."""
    lines = FROZEN.read_text().splitlines() if FROZEN.exists() else []
    return {int(block): (tried, asked) for block, tried, asked in map(str.split, lines)}


def numbers(block: int) -> range:
    """Endings of a block."""
    return range(block * BLOCK, block * BLOCK + BLOCK)


def by_trying(block: int) -> str:
    """Digest of the answers by minimax."""
    return digest([ending(number).by_trying() for number in numbers(block)])


def with_nodes(block: int, engine: Engine) -> str:
    """Digest of the answers and nodes of the engine."""
    return digest([ending(number).with_nodes(engine) for number in numbers(block)])


def main(words: list[str]) -> None:
    kept, engine = frozen(), Engine()
    for block in range(*map(int, words)) if words else ():
        kept[block] = (by_trying(block), "")
        print(block, flush=True)
    for block, (tried, _) in kept.items():
        kept[block] = (tried, with_nodes(block, engine))
    FROZEN.write_text("".join(f"{block} {a} {b}\n" for block, (a, b) in sorted(kept.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
