"""The audit trail of a stream, with the texts that its facts refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec

from api.http.rows import await_row_or_not_found, parse_cursor
from api.http.services import current_services
from projections.audit_trail import TrailEntry, trail_page
from projections.facts import AnyEventData
from referee.events import TextId

_TEXT_FIELDS = frozenset(
    {"text", "place", "reason", "name", "venue", "article", "contact", "bar", "word_source"}
)
"""Fields of facts with a text that who reads the trail may see; the seed of a draw is sealed."""
_ID = re.compile("[0-9a-f]{32}")


class TrailEntryData(msgspec.Struct, frozen=True):
    """An event with its texts by their ids.

    ``behind_s``: seconds that the clock was known to be behind, below 0 ahead; else 0.
    """

    line: int
    at: str
    by: str
    device: str
    event: str
    fact: AnyEventData
    position: int
    amended_by: Sequence[int]
    behind_s: int
    texts: dict[TextId, str | None]


class TrailPageData(msgspec.Struct, frozen=True):
    """A page of a trail; ``next``: the cursor of the page after it."""

    items: list[TrailEntryData]
    next: str | None


def trail_entries_from_cursor(stream: UUID, cursor: str, limit: int) -> TrailPageData:
    """One page of the audit trail of a stream, oldest first.

    :raises NotFound: there is no such stream
    """
    after, read = parse_cursor(cursor) or 0, current_services().referee.rows_of_stream

    def entries_or_none(rows: Any) -> tuple[TrailEntry, ...] | None:
        return trail_page(read, rows, stream, after, limit + 1) or (() if after else None)

    found = await_row_or_not_found(entries_or_none, stream)
    more = str(found[limit - 1].version) if len(found) > limit else None
    return TrailPageData(items=[entry_with_texts(one) for one in found[:limit]], next=more)


def complete_trail(stream: UUID) -> list[TrailEntryData]:
    """All entries of the audit trail of a stream."""
    found: list[TrailEntryData] = []
    cursor: str | None = ""
    while cursor is not None:
        page = trail_entries_from_cursor(stream, cursor, 1000)
        found += page.items
        cursor = page.next
    return found


def entry_with_texts(entry: TrailEntry) -> TrailEntryData:
    """An entry with what people wrote, by the ids in its fact: places, reasons, notes."""
    fact = msgspec.json.decode(entry.fact)
    persons = current_services().persons
    return TrailEntryData(
        line=entry.line,
        at=entry.at,
        by=entry.by,
        device=entry.device,
        event=entry.name,
        fact=fact,
        position=entry.position,
        amended_by=entry.amended_by,
        behind_s=entry.behind_s,
        texts={one: persons.text_by_id(one) for one in _text_ids(fact)},
    )


def _text_ids(value: Any) -> Iterator[str]:
    """Ids of the texts that a fact, or an act within it, refers to."""
    if isinstance(value, list):
        for one in value:
            yield from _text_ids(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name in _TEXT_FIELDS and isinstance(one, str) and _ID.fullmatch(one):
                yield one
            else:
                yield from _text_ids(one)
