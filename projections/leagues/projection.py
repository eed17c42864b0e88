"""Rows of leagues: one for the league, one for each division."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from projections.leagues.data import division_data, league_head, league_short, outline
from projections.leagues.views import DivisionData, LeagueData, LeagueHeadData, LeagueShortData
from projections.runner.projection import Projection, as_json, find_view, replace_rows
from projections.runner.streams import FoldedBatch
from projections.views import widen
from referee.aggregates.league.state import TeamLeague


class LeaguesProjection(Projection):
    """Public views of leagues, division by division."""

    name = "leagues"
    version = 1
    tables: Mapping[str, str] = {
        "league": "CREATE TABLE league (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " head TEXT) WITHOUT ROWID",
        "league_division": "CREATE TABLE league_division (league TEXT, division INTEGER,"
        " outline TEXT, view TEXT, PRIMARY KEY (league, division)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX league_opened ON league (opened)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write each league that a batch changed once."""
        cursor.executemany(
            "INSERT OR REPLACE INTO league VALUES (?, ?, '', '')", batch.first_positions(TeamLeague)
        )
        rows: dict[str, list[tuple[str, int, str, str]]] = {}
        for key, state in batch.of(TeamLeague):
            docs = as_json(league_short(key, state)), as_json(league_head(key, state))
            cursor.execute("UPDATE league SET short = ?, head = ? WHERE id = ?", (*docs, key))
            rows[key] = [_row(key, state, at) for at in range(1, len(state.divisions) + 1)]
        replace_rows(cursor, "league_division", "league", rows)


def _row(key: str, state: TeamLeague, number: int) -> tuple[str, int, str, str]:
    """The row of a division."""
    docs = as_json(outline(state, number)), as_json(division_data(state, number))
    return key, number, *docs


def league_row(
    cursor: sqlite3.Cursor, league_id: UUID, division: int | None = None
) -> LeagueData | None:
    """A league: whole, or with the table and the matches of one division alone."""
    head = find_view(cursor, LeagueHeadData, "SELECT head FROM league WHERE id = ?", str(league_id))
    if head is None:
        return None
    cursor.execute(
        "SELECT CASE WHEN coalesce(?, division) = division THEN view ELSE outline END"
        " FROM league_division WHERE league = ? ORDER BY division",
        (division, str(league_id)),
    )
    divisions = [msgspec.json.decode(doc, type=DivisionData) for (doc,) in cursor]
    return widen(LeagueData, head, divisions=divisions)


def league_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, LeagueShortData]]:
    """Leagues in a list opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM league WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc, type=LeagueShortData)) for opened, doc in cursor]
