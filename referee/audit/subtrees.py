"""Roots of parts of a tree in a file beside the log, so that a proof does not read every leaf.

Nobody has to trust the file: what is worked out from it must give the root that was signed. It can
be deleted at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.log.merkle import HASH_BYTES, SMALLEST, Subtrees, frontier_roots_by_leaf_range
from referee.log.ports import AuditedRows

SUBTREES: Final = "subtrees"
_PRIVATE: Final = 0o600
_FEW: Final = 1 << 17
"""Leaves that are read again at each start, in some 0.3 s, rather than the whole log once."""


class SubtreeFile:
    """The roots of the smallest whole subtrees, one after another. Any process may add to it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / SUBTREES
        self._written = 0

    def read(self) -> bytes:
        """Root hashes in the file, without an incomplete one at its end.

        Empty if the file cannot be read.
        """
        try:
            found = self._path.read_bytes()
        except OSError:
            found = b""
        found = found[: len(found) // HASH_BYTES * HASH_BYTES]
        self._written = len(found)
        return found

    def write(self, whole: bytes) -> None:
        """Append the root hashes that the file lacks.

        Processes write equal bytes at equal places, so none disturbs another.

        A file that cannot be written is done without: each process computes the roots itself.
        """
        if len(whole) <= self._written:
            return
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, _PRIVATE)
            with os.fdopen(descriptor, "wb") as file:
                file.seek(self._written)
                file.write(whole[self._written :])
            self._written = len(whole)

    def remove(self) -> None:
        """Remove the file, which is of another log."""
        self._written = 0
        with suppress(OSError):
            self._path.unlink()


def is_root_at(log: AuditedRows, size: int, root: bytes, kept: SubtreeFile) -> bool:
    """Whether the tree of a log had this root at a size that the log has reached.

    The subtrees that the tree still has are read from it, the others from ``kept``, except the last
    one, whose leaves are read: so a file of the tree that was signed does not stand for the log.
    Where both lack many, and before the root is said to differ, the leaves are read, as a proof
    would do it; ``kept`` then has what they give.
    """
    tree = log.tree()
    if size == tree.size:
        return tree.root == root

    def read_leaves(first: int, last: int) -> list[bytes]:
        return [leaf[3] for leaf in log.leaf_rows(first, last - first)]

    before_last = max(size - 1, 0) // SMALLEST
    whole = kept.read()[: before_last * HASH_BYTES]
    in_tree = max(
        (last for _, last in frontier_roots_by_leaf_range(tree) if last <= size), default=0
    )
    missing = size - max(in_tree, len(whole) // HASH_BYTES * SMALLEST)
    for one in dict.fromkeys((whole, b"")):
        subtrees = Subtrees(read_leaves, one, tree if missing <= _FEW else None)
        if subtrees(0, size) == root:
            if one != whole:
                kept.remove()  # it is of another log
            kept.write(subtrees.packed_smallest_roots)
            return True
    return False
