"""The audit trail: every event with its author, time, device and corrections."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

import msgspec

from projections.audit_trail.projection import lines_of_amendments
from projections.runner.views import position_of
from referee.log.mapper import CODEC, LoggedEvent
from referee.log.ports import Row

Read: TypeAlias = Callable[[UUID, int, int, int], Sequence[Row]]
"""Rows of a stream after a version, up to a log position, with a limit: ``Log.trail``."""


class TrailEntry(msgspec.Struct, frozen=True):
    """One event of a trail. ``amended_by``: lines of the amendments that changed its line.

    ``behind_s``: seconds that the clock was known to be behind, below 0 ahead.
    """

    version: int
    line: int
    at: str
    by: str
    device: str
    name: str
    fact: msgspec.Raw
    position: int
    amended_by: tuple[int, ...]
    behind_s: int


def trail(
    read: Read, cursor: sqlite3.Cursor, stream: UUID, after: int = 0, limit: int = 1000
) -> tuple[TrailEntry, ...]:
    """Events of a stream after a store version, oldest first, up to the position of the views."""
    amended: dict[int, tuple[int, ...]] = defaultdict(tuple)
    for line, amendment in cursor.execute(
        "SELECT line, amendment FROM audit_amended WHERE stream = ? ORDER BY line, amendment",
        (str(stream),),
    ):
        amended[line] += (amendment,)
    upto = position_of(cursor)
    return tuple(_entry(row, stream, amended) for row in read(stream, after, upto, limit))


def trail_of_events(events: Sequence[LoggedEvent]) -> tuple[TrailEntry, ...]:
    """Trail of a whole stream, computed from its events alone."""
    amended: dict[int, tuple[int, ...]] = defaultdict(tuple)
    for line, amendment in sorted(row[1:] for one in events for row in lines_of_amendments(one)):
        amended[line] += (amendment,)
    return tuple(_entry_of(one, amended) for one in events)


def _entry(row: Row, stream: UUID, amended: Mapping[int, tuple[int, ...]]) -> TrailEntry:
    position, _, version, name, state = row
    recorded = CODEC.decode(stream, version, name, state)
    return _entry_of(LoggedEvent(position, name, recorded), amended)


def _entry_of(logged: LoggedEvent, amended: Mapping[int, tuple[int, ...]]) -> TrailEntry:
    r = logged.recorded
    fact = msgspec.Raw(CODEC.body(r.event))
    fields = (r.originator_version, r.line, r.at, r.by, r.device, logged.name, fact)
    return TrailEntry(*fields, logged.position, amended.get(r.line, ()), r.behind_s)
