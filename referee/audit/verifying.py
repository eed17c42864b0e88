"""Verification of a log against its tree, and of its tree against what others kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from referee.audit.checkpoint import BadCheckpoint, Checkpoint, LogKey, open_checkpoint
from referee.audit.differences import AuditDifference, AuditProgress
from referee.audit.receipts import receipt_differences
from referee.audit.walk import Events, Leaves, walk
from referee.log.merkle import Tree
from referee.log.ports import AuditedRows, Unsound

_REPORTED_EVERY: Final = 1_000


class Verified(msgspec.Struct, frozen=True):
    """Result of a verification: the tree over the leaves, and the differences found."""

    tree: Tree
    differences: tuple[AuditDifference, ...]


def open_checkpoints(
    notes: Sequence[str], key: LogKey
) -> tuple[list[Checkpoint], list[AuditDifference]]:
    """Checkpoints that the key signed, and what is wrong with the other notes."""
    found: list[Checkpoint] = []
    wrong: list[AuditDifference] = []
    for note in notes:
        try:
            found.append(open_checkpoint(note, key))
        except BadCheckpoint as bad:
            wrong.append(AuditDifference(bad.code))
    return found, wrong


def verify_log(
    log: AuditedRows, checkpoints: Sequence[Checkpoint] = (), progress: AuditProgress | None = None
) -> Verified:
    """A log, read in one of its moments. ``checkpoints``: signed ones, kept elsewhere.

    :raises Unsound: the database is damaged; reading it may even never end
    """
    for fault in log.faults():
        raise Unsound(fault)
    found: list[AuditDifference] = []
    stored = _read_tree(log)
    events = Events(log, found.append)
    leaves = Leaves(log, found.append, {one.size for one in checkpoints})
    total = max(stored.size, 1)
    for done, _ in enumerate(walk(events, leaves, found.append), 1):
        if progress and not done % _REPORTED_EVERY:
            progress(min(done, total), total)
    if stored.size != leaves.size:
        found.append(AuditDifference("tree_size_differs", stored.size))
    elif stored != leaves.tree:
        found.append(AuditDifference("frontier_differs", stored.size))
    found += receipt_differences(log)
    found += _not_prefixes(checkpoints, leaves.roots)
    return Verified(leaves.tree, tuple(found))


def _read_tree(log: AuditedRows) -> Tree:
    """The tree as it is stored; of size -1 if there is none."""
    try:
        tree = log.tree()
    except TypeError:
        return Tree(-1)
    is_tree = isinstance(tree.size, int) and isinstance(tree.frontier, bytes)
    return tree if is_tree else Tree(-1)


def _not_prefixes(
    checkpoints: Sequence[Checkpoint], roots: Mapping[int, bytes]
) -> Iterator[AuditDifference]:
    """Each checkpoint that is not of this tree when it had its size."""
    for one in checkpoints:
        if one.size not in roots:
            yield AuditDifference("log_shorter", one.size)
        elif one.root != roots[one.size]:
            yield AuditDifference("root_differs", one.size)
