"""Tournaments: whole, in a list, and for the board of the hall."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice
from uuid import UUID

import msgspec

from projections.tournaments.view import (
    HallTournamentData,
    TournamentShortData,
)


def tournament_row(cursor: sqlite3.Cursor, tournament_id: UUID) -> dict[str, msgspec.Raw] | None:
    """The view of a tournament, each member as JSON; persons and texts by their ids."""
    found = cursor.execute("SELECT view FROM tournament WHERE id = ?", (str(tournament_id),))
    row = found.fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=dict[str, msgspec.Raw])


def tournament_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, TournamentShortData]]:
    """Short views of tournaments opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM tournament WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]


def calling_rows(cursor: sqlite3.Cursor, since: str, limit: int) -> list[HallTournamentData]:
    """Views for the hall of tournaments since a day or without one, the latest first."""
    cursor.execute("SELECT hall FROM tournament WHERE hall <> '' ORDER BY opened DESC")
    found: Iterator[HallTournamentData] = (msgspec.json.decode(doc) for (doc,) in cursor)
    return list(islice((one for one in found if not one["date"] or one["date"] >= since), limit))
