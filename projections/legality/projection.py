"""Rows of the legality: every finding of every partida by its present record."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import msgspec

from projections.runner.projection import Projection, replace_rows
from projections.runner.streams import FoldedBatch
from referee.aggregates.partida import Partida


class LegalityProjection(Projection):
    """One row for each finding, in the order of the record."""

    name = "legality"
    version = 1
    tables: Mapping[str, str] = {
        "finding": "CREATE TABLE finding (partida TEXT, place INTEGER, line INTEGER, rule TEXT,"
        " seat TEXT, known_at INTEGER, facts TEXT, PRIMARY KEY (partida, place)) WITHOUT ROWID",
    }

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas."""
        found = {one: _finding_rows(one, state) for one, state in batch.of(Partida)}
        replace_rows(cursor, "finding", "partida", found)


def _finding_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    return [
        (
            partida,
            place,
            found.line,
            found.rule.value,
            found.seat,
            found.known_at,
            msgspec.json.encode(dict(found.facts)).decode(),
        )
        for place, found in enumerate(state.table.findings)
    ]
