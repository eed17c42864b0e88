"""Rankings: whole, in a list, and the line of a person."""

from __future__ import annotations

import sqlite3
from uuid import UUID

import msgspec

from projections.rankings.views import RankedPersonData, RankingData, RankingShortData
from projections.runner.projection import find_view


def ranking_row(cursor: sqlite3.Cursor, ranking_id: UUID) -> RankingData | None:
    """A whole ranking."""
    found: RankingData | None = find_view(
        cursor, "SELECT view FROM ranking WHERE id = ?", str(ranking_id)
    )
    return found


def ranking_rows_before(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, RankingShortData]]:
    """Rankings in a list opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM ranking WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]


def person_row(cursor: sqlite3.Cursor, ranking_id: UUID, person: str) -> RankedPersonData | None:
    """The line of a person."""
    found: RankedPersonData | None = find_view(
        cursor,
        "SELECT view FROM ranked_person WHERE ranking = ? AND person = ?",
        str(ranking_id),
        person,
    )
    return found
