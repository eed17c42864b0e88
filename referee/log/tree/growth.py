"""How the tree grows with the log, whatever holds both: old tree and new events in, leaves out.

A store calls ``grown`` inside the transaction that records the events, alone among all writers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from referee.log.tree.entry import leaf_of
from referee.log.tree.tree import Frontier, appended, packed, root_of, unpacked

StoredRow: TypeAlias = tuple[str, int, str, bytes]
"""Hex id of the stream, place in the stream, stored name, stored bytes."""


class Tree(NamedTuple):
    """The tree as it is stored: the number of its leaves, and its frontier packed into bytes."""

    size: int = 0
    frontier: bytes = b""

    @property
    def root(self) -> bytes:
        """Root of the tree."""
        return root_of(unpacked(self.frontier))


class Leaf(NamedTuple):
    """A leaf as it is stored: its number from 0 without a gap, its event, and its hash."""

    number: int
    stream: str
    version: int
    hash: bytes


def grown(tree: Tree, events: Iterable[StoredRow]) -> tuple[Tree, list[Leaf]]:
    """The tree with more events, in the order in which they are recorded, and their leaves.

    :raises Unreadable: a state is none of ours
    """
    frontier: Frontier = unpacked(tree.frontier)
    leaves: list[Leaf] = []
    for number, (stream, version, name, state) in enumerate(events, tree.size):
        leaf = Leaf(number, stream, version, leaf_of(stream, version, name, state))
        frontier = appended(frontier, number, leaf.hash)
        leaves.append(leaf)
    return Tree(tree.size + len(leaves), packed(frontier)), leaves
