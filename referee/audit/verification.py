"""Verification of a log against its tree, and of its tree against what others kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec

from referee.audit.checkpoint import BadCheckpoint, Checkpoint, LogKey, verify_checkpoint
from referee.audit.differences import AuditDifference, AuditProgress
from referee.audit.walk import Events, Leaves, walk_events_and_leaves
from referee.events import Act
from referee.log.mapper import CODEC, RecordedEvent
from referee.log.merkle import LARGEST, Tree
from referee.log.ports import AuditedRows, Receipt, Unsound

_REPORTED_EVERY: Final = 1_000


class Verified(msgspec.Struct, frozen=True):
    """Result of a verification: the tree over the leaves, and the differences found."""

    tree: Tree
    differences: tuple[AuditDifference, ...]


def verify_notes(
    notes: Sequence[str], key: LogKey
) -> tuple[list[Checkpoint], list[AuditDifference]]:
    """Checkpoints that the key signed, and what is wrong with the other notes."""
    found: list[Checkpoint] = []
    wrong: list[AuditDifference] = []
    for note in notes:
        try:
            found.append(verify_checkpoint(note, key))
        except BadCheckpoint as bad:
            wrong.append(AuditDifference(bad.code))
    return found, wrong


def verify_log(
    log: AuditedRows, checkpoints: Sequence[Checkpoint] = (), progress: AuditProgress | None = None
) -> Verified:
    """Verify events, leaves, tree and receipts of a log at one moment.

    ``checkpoints``: Signed ones, kept elsewhere.

    :raises Unsound: the database is damaged; reading it may even never end
    """
    for fault in log.fault_texts():
        raise Unsound(fault)
    found: list[AuditDifference] = []
    stored = _read_stored_tree(log)
    events = Events(log, found.append)
    leaves = Leaves(log, found.append, {one.size for one in checkpoints})
    total = max(stored.size, 1)
    for done, _ in enumerate(walk_events_and_leaves(events, leaves, found.append), 1):
        if progress and not done % _REPORTED_EVERY:
            progress(min(done, total), total)
    if stored.size != leaves.size:
        found.append(AuditDifference("tree_size_differs", stored.size))
    elif stored != leaves.tree:
        found.append(AuditDifference("frontier_differs", stored.size))
    found += differences_of_write_receipts(log)
    found += _checkpoint_differences(checkpoints, leaves.roots)
    return Verified(leaves.tree, tuple(found))


def _read_stored_tree(log: AuditedRows) -> Tree:
    """The tree as it is stored; of size -1 if there is none."""
    try:
        tree = log.tree()
    except TypeError:
        return Tree(-1)
    is_tree = isinstance(tree.size, int) and isinstance(tree.frontier, bytes)
    return tree if is_tree else Tree(-1)


def _checkpoint_differences(
    checkpoints: Sequence[Checkpoint], roots: Mapping[int, bytes]
) -> Iterator[AuditDifference]:
    """Differences of signed checkpoints whose root is not that of this tree at their size."""
    for one in checkpoints:
        if one.size not in roots:
            yield AuditDifference("log_shorter", one.size)
        elif one.root != roots[one.size]:
            yield AuditDifference("root_differs", one.size)


def differences_of_write_receipts(log: AuditedRows) -> Iterator[AuditDifference]:
    """Differences of receipts: their events are missing, or their answer does not fit their events.

    Nothing can verify the key and the digest of a receipt: they are of a request, and no request is
    on the log. But no two of them are of one write.
    """
    seen: dict[int, int] = {}
    for _, digest, result in log.receipt_rows():
        try:
            receipt = msgspec.json.decode(result, type=Receipt)
        except (msgspec.MsgspecError, TypeError):
            yield AuditDifference("receipt_astray")
            continue
        found = [*_differences_of_write_receipt(log, receipt)]
        yield from found
        if not found and _mark_and_tell_if_repeated(seen, receipt.position):
            yield AuditDifference(
                "receipt_twice", None, receipt.streams[0][0], receipt.streams[0][2]
            )
        if receipt.digest != digest:
            yield AuditDifference("receipt_astray")


def _mark_and_tell_if_repeated(seen: dict[int, int], position: int) -> bool:
    """Whether a position was seen before; it counts as seen from now on.

    ``seen``: Bits in words of 64.
    """
    word, bit = divmod(position, 64)
    was = seen.get(word, 0)
    seen[word] = was | 1 << bit
    return bool(was >> bit & 1)


def _differences_of_write_receipt(log: AuditedRows, receipt: Receipt) -> Iterator[AuditDifference]:
    positions: list[int] = []
    astray = [AuditDifference("receipt_astray")] if not receipt.streams else []
    for stream, first, last in receipt.streams:
        row = log.row_by_stream_and_version(stream, last) if 1 <= first <= last <= LARGEST else None
        if row is None:
            astray.append(AuditDifference("receipt_astray", None, stream, last))
        else:
            positions.append(row[0])
    yield from astray
    if not astray and not _does_receipt_fit_events(log, receipt, max(positions)):
        stream, _, last = receipt.streams[0]
        yield AuditDifference("receipt_differs", None, stream, last)


def _does_receipt_fit_events(log: AuditedRows, receipt: Receipt, position: int) -> bool:
    """Whether position, version and lines of a receipt are those of its events."""
    stream, first, last = receipt.streams[0]
    try:
        events = [
            _read_event_at_version(log, stream, version) for version in range(first, last + 1)
        ]
    except Exception:  # noqa: BLE001 - an unreadable event is a difference of its own
        return True
    lines = tuple(one.line for one in events if isinstance(one.event, Act))
    return (receipt.position, receipt.version, receipt.lines) == (position, events[-1].line, lines)


def _read_event_at_version(log: AuditedRows, stream: str, version: int) -> RecordedEvent:
    row = log.row_by_stream_and_version(stream, version)
    if row is None:
        raise LookupError(version)
    _, _, _, name, state = row
    return CODEC.decode_row(UUID(stream), version, name, state)
