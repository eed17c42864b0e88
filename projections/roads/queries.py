"""Roads: whole, and in a list."""

from __future__ import annotations

import sqlite3
from uuid import UUID

import msgspec

from projections.roads.views import RoadData, RoadShortData
from projections.runner.projection import find_view


def road_row(cursor: sqlite3.Cursor, road_id: UUID) -> RoadData | None:
    """A whole road."""
    found: RoadData | None = find_view(cursor, "SELECT view FROM road WHERE id = ?", str(road_id))
    return found


def road_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, RoadShortData]]:
    """Roads in a list opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM road WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]
