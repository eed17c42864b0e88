"""Rows of rankings: one public row each, and one for each person in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.rankings.data import ranking_rows
from projections.runner.projection import Projection, as_json, replace_rows
from projections.runner.streams import FoldedBatch
from referee.aggregates.ranking.state import Ranking


class RankingsProjection(Projection):
    """Rankings between clubs, computed from the publications that they took."""

    name = "rankings"
    version = 1
    tables: Mapping[str, str] = {
        "ranking": "CREATE TABLE ranking (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " view TEXT) WITHOUT ROWID",
        "ranked_person": "CREATE TABLE ranked_person (ranking TEXT, person TEXT, view TEXT,"
        " PRIMARY KEY (ranking, person)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX ranking_opened ON ranking (opened)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Compute each ranking that a batch changed once."""
        cursor.executemany(
            "INSERT OR REPLACE INTO ranking VALUES (?, ?, '', '')", batch.first_positions(Ranking)
        )
        for key, state in batch.of(Ranking):
            rows = ranking_rows(key, state)
            docs = as_json(rows.short), as_json(rows.whole)
            cursor.execute("UPDATE ranking SET short = ?, view = ? WHERE id = ?", (*docs, key))
            lines = [(key, person, as_json(view)) for person, view in sorted(rows.people.items())]
            replace_rows(cursor, "ranked_person", "ranking", {key: lines})
