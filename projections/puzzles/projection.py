"""Rows of the analysis: problems, and the par of arrastres; none where the engine is missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.puzzles.views import arrastre_rows, puzzle_rows
from projections.runner.projection import Projection, replace_rows
from projections.runner.streams import FoldedBatch
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida
from referee.analysis.engine import is_installed


class PuzzlesProjection(Projection):
    """A row for each problem and each arrastre, and one for each encuentro that is over.

    ``day``: of an encuentro that was played to its end, on a day that is known.
    """

    name = "puzzles"
    version = 1 + is_installed()
    """Even with the engine of the analysis; without it the same events give fewer rows."""
    tables: Mapping[str, str] = {
        "puzzle": "CREATE TABLE puzzle (partida TEXT PRIMARY KEY, encuentro TEXT, merit INTEGER,"
        " puzzle TEXT) WITHOUT ROWID",
        "arrastre": "CREATE TABLE arrastre (partida TEXT, deal INTEGER, encuentro TEXT,"
        " points INTEGER, par INTEGER, made INTEGER, PRIMARY KEY (partida, deal)) WITHOUT ROWID",
        "played_out": "CREATE TABLE played_out (encuentro TEXT PRIMARY KEY, day TEXT)"
        " WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX arrastre_of ON arrastre (encuentro)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas and encuentros."""
        partidas = batch.of(Partida)
        puzzles = {one: puzzle_rows(one, state) for one, state in partidas}
        replace_rows(cursor, "puzzle", "partida", puzzles)
        arrastres = {one: arrastre_rows(one, state) for one, state in partidas}
        replace_rows(cursor, "arrastre", "partida", arrastres)
        days = {one: _day_rows(one, state) for one, state in batch.of(Encuentro)}
        replace_rows(cursor, "played_out", "encuentro", days)


def _day_rows(encuentro: str, state: Encuentro) -> list[tuple[object, ...]]:
    assert state.opened is not None
    is_over = state.won is not None and not state.is_called_off
    return [(encuentro, state.opened.date)] if is_over and state.opened.date else []
