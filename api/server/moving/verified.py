"""Whether a copy of a house is what was copied."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, suppress
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from referee.audit.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from referee.audit.published import Published
from referee.log.merkle import Tree, grow
from referee.log.ports import Address, AuditedRows
from referee.log.stores import open_audited
from referee.store.copying import columns
from referee.store.ports import Layout, Statements

if TYPE_CHECKING:
    from api.server.wiring import Files

_AT_ONCE: Final = 10_000


class NotTheSame(Exception):  # noqa: N818 - it says what is the case
    """A copy differs from what was copied, or was not sound before; the text says in what."""


def assert_same_log(source: Files, target: Address) -> Tree:
    """Check that a copy of a log has its tree, worked out again from the events, and its receipts.

    The checkpoint in the folder must hold for the copy.

    :raises NotTheSame: something differs
    """
    with (
        closing(open_audited(source.log)) as ours,
        closing(open_audited(target)) as theirs,
        ours.moment(),
        theirs.moment(),
    ):
        tree = ours.tree()
        if _grown(theirs, _checkpoint(source)) != tree or theirs.tree() != tree:
            raise NotTheSame("the tree of the log")
        for one, other in zip_longest(ours.receipts(), theirs.receipts(), fillvalue=()):
            if tuple(one) != tuple(other):
                raise NotTheSame("receipts of the log")
    return tree


def _checkpoint(source: Files) -> Checkpoint | None:
    """The checkpoint that the notary has published, if there is one."""
    with (
        closing(Published(source.log, source.folder)) as published,
        suppress(OSError, UnicodeError, BadCheckpoint),
    ):
        note = published.note()
        return read_checkpoint(note.text) if note else None
    return None


def _grown(log: AuditedRows, signed: Checkpoint | None) -> Tree:
    """The tree over the events of a log; a checkpoint on the way must have its root.

    :raises NotTheSame: it has another
    """
    tree, position = Tree(), 0
    while rows := list(log.since(position + 1, _AT_ONCE)):
        if signed is not None and tree.size < signed.size <= tree.size + len(rows):
            part, _ = grow(tree, [row[1:] for row in rows[: signed.size - tree.size]])
            if part.root != signed.root:
                raise NotTheSame(f"the log under its checkpoint of {signed.size} events")
        tree, _ = grow(tree, [row[1:] for row in rows])
        position = rows[-1][0]
    return tree


def assert_same_rows(source: Statements, target: Statements, layout: Layout) -> None:
    """Check that every table of a store has the same rows.

    :raises NotTheSame: one has not
    """
    for table in layout.tables:
        listed = ", ".join(f'"{name}"' for name in columns(source, table))
        asked = f"SELECT {listed} FROM {table}"  # noqa: S608 - literals
        ours, theirs = (Counter(map(tuple, one.execute(asked))) for one in (source, target))
        if ours != theirs:
            raise NotTheSame(f"table {table} of {layout.name}")
