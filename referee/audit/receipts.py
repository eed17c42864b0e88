"""Receipts against the log: what a repeated request is answered must be what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import msgspec

from referee.audit.differences import AuditDifference
from referee.events import Act
from referee.log.mapper import CODEC, RecordedEvent
from referee.log.merkle import LARGEST
from referee.log.ports import AuditedRows, Receipt


def receipt_differences(log: AuditedRows) -> Iterator[AuditDifference]:
    """Each receipt of events that are not there, or whose answer is not that of its events.

    Nothing can verify the key and the digest of a receipt: they are of a request, and no request is
    on the log. But no two of them are of one write.
    """
    seen: dict[int, int] = {}
    for _, digest, result in log.receipts():
        try:
            receipt = msgspec.json.decode(result, type=Receipt)
        except (msgspec.MsgspecError, TypeError):
            yield AuditDifference("receipt_astray")
            continue
        found = [*_differences(log, receipt)]
        yield from found
        if not found and _was_seen(seen, receipt.position):
            yield AuditDifference(
                "receipt_twice", None, receipt.streams[0][0], receipt.streams[0][2]
            )
        if receipt.digest != digest:
            yield AuditDifference("receipt_astray")


def _was_seen(seen: dict[int, int], position: int) -> bool:
    """Whether a position was seen before, a bit for each in words of 64; from now on it was."""
    word, bit = divmod(position, 64)
    was = seen.get(word, 0)
    seen[word] = was | 1 << bit
    return bool(was >> bit & 1)


def _differences(log: AuditedRows, receipt: Receipt) -> Iterator[AuditDifference]:
    positions: list[int] = []
    astray = [AuditDifference("receipt_astray")] if not receipt.streams else []
    for stream, first, last in receipt.streams:
        row = log.event(stream, last) if 1 <= first <= last <= LARGEST else None
        if row is None:
            astray.append(AuditDifference("receipt_astray", None, stream, last))
        else:
            positions.append(row[0])
    yield from astray
    if not astray and not _is_answer(log, receipt, max(positions)):
        stream, _, last = receipt.streams[0]
        yield AuditDifference("receipt_differs", None, stream, last)


def _is_answer(log: AuditedRows, receipt: Receipt, position: int) -> bool:
    """Whether position, version and lines are those of the events."""
    stream, first, last = receipt.streams[0]
    try:
        events = [_event(log, stream, version) for version in range(first, last + 1)]
    except Exception:  # noqa: BLE001 - an unreadable event is a difference of its own
        return True
    lines = tuple(one.line for one in events if isinstance(one.event, Act))
    return (receipt.position, receipt.version, receipt.lines) == (position, events[-1].line, lines)


def _event(log: AuditedRows, stream: str, version: int) -> RecordedEvent:
    row = log.event(stream, version)
    if row is None:
        raise LookupError(version)
    _, _, _, name, state = row
    return CODEC.decode(UUID(stream), version, name, state)
