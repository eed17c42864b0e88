"""Leagues: whole, one division, in a list."""

from __future__ import annotations

import sqlite3
from uuid import UUID

import msgspec

from projections.leagues.views import DivisionData, LeagueData, LeagueHeadData, LeagueShortData
from projections.runner.projection import find_view


def league_row(
    cursor: sqlite3.Cursor, league_id: UUID, division: int | None = None
) -> LeagueData | None:
    """A league: whole, or with the table and the matches of one division alone."""
    head: LeagueHeadData | None = find_view(
        cursor, "SELECT head FROM league WHERE id = ?", str(league_id)
    )
    if head is None:
        return None
    cursor.execute(
        "SELECT CASE WHEN coalesce(?, division) = division THEN view ELSE outline END"
        " FROM league_division WHERE league = ? ORDER BY division",
        (division, str(league_id)),
    )
    divisions: list[DivisionData] = [msgspec.json.decode(doc) for (doc,) in cursor]
    return {**head, "divisions": divisions}


def league_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, LeagueShortData]]:
    """Leagues in a list opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM league WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]
