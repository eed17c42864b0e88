"""Rankings: the version of one, and all of them in a list."""

from __future__ import annotations

import sqlite3
from uuid import UUID

from projections.rankings.views import RankingShortData


def ranking_version(cursor: sqlite3.Cursor, ranking_id: UUID) -> int | None:
    """Version of a ranking; None if it does not exist."""
    cursor.execute("SELECT version FROM ranking WHERE id = ?", (str(ranking_id),))
    found: tuple[int] | None = cursor.fetchone()
    return found and found[0]


def rankings_opened_before(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, RankingShortData]]:
    """Rankings opened before a log position, the latest first, each with its position."""
    cursor.execute(
        "SELECT opened, id, name, version, (SELECT count(*) FROM ranked_club"
        " WHERE ranking = ranking.id AND NOT dropped) FROM ranking"
        " WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [
        (opened, RankingShortData(id=key, name=name, version=version, clubs=clubs))
        for opened, key, name, version, clubs in cursor
    ]
