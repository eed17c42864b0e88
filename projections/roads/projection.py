"""Rows of roads: one public row each."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.roads.data import road_data, road_short
from projections.runner.projection import Projection, as_json
from projections.runner.streams import FoldedBatch
from referee.aggregates.road.state import Road


class RoadsProjection(Projection):
    """Public views of roads: whole, and short for lists."""

    name = "roads"
    version = 1
    tables: Mapping[str, str] = {
        "road": "CREATE TABLE road (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " view TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX road_opened ON road (opened)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write each road that a batch changed once."""
        cursor.executemany(
            "INSERT OR REPLACE INTO road VALUES (?, ?, '', '')", batch.first_positions(Road)
        )
        for key, state in batch.of(Road):
            docs = as_json(road_short(key, state)), as_json(road_data(key, state))
            cursor.execute("UPDATE road SET short = ?, view = ? WHERE id = ?", (*docs, key))
