"""Rows of rankings: one for each ranking with its version, and one for each club in it.

The table is computed where it is asked for (``projections/rankings/tables.py``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import assert_never

from projections.runner.projection import FoldedBatch, Projection
from referee.events.rankings import (
    ClubAddressGiven,
    ClubAdmitted,
    ClubDropped,
    PublicationTaken,
    RankingAct,
    RankingOpened,
)


class RankingsProjection(Projection):
    """Rankings between clubs: what they are called, at which version, and with which clubs."""

    name = "rankings"
    version = 2
    tables: Mapping[str, str] = {
        "ranking": "CREATE TABLE ranking (id TEXT PRIMARY KEY, opened INTEGER, name TEXT,"
        " version INTEGER) WITHOUT ROWID",
        "ranked_club": "CREATE TABLE ranked_club (ranking TEXT, club TEXT, dropped INTEGER,"
        " PRIMARY KEY (ranking, club)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX ranking_opened ON ranking (opened)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write rankings and their clubs from each act; no table is computed."""
        for logged in batch.events:
            event, at = logged.recorded.event, logged.recorded
            if isinstance(event, RankingAct):
                _write_ranking_act(event, str(at.originator_id), logged.position, cursor)
                cursor.execute(
                    "UPDATE ranking SET version = ? WHERE id = ?",
                    (at.originator_version, str(at.originator_id)),
                )


def _write_ranking_act(
    event: RankingAct, ranking: str, position: int, cursor: sqlite3.Cursor
) -> None:
    match event:
        case RankingOpened(name):
            cursor.execute(
                "INSERT OR REPLACE INTO ranking VALUES (?, ?, ?, 0)", (ranking, position, name)
            )
        case ClubAdmitted():
            cursor.execute(
                "INSERT OR REPLACE INTO ranked_club VALUES (?, ?, 0)", (ranking, event.club)
            )
        case ClubDropped(club):
            cursor.execute("INSERT OR REPLACE INTO ranked_club VALUES (?, ?, 1)", (ranking, club))
        case ClubAddressGiven() | PublicationTaken():
            pass
        case _:
            assert_never(event)
