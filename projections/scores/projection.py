"""Rows of the scores: partidas with their deals and vueltas, encuentros with their cotos."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.runner.projection import Projection, as_json
from projections.runner.streams import FoldedBatch
from projections.scores.encuentros import encuentro_view
from projections.scores.partidas import scores_view
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida


class ScoresProjection(Projection):
    """One row for each partida, and one for each encuentro.

    ``opened``: log position of the encuentro's first event; ``date``: its day, or nothing;
    ``running``: whether it is neither decided nor called off.
    """

    name = "scores"
    version = 2
    tables: Mapping[str, str] = {
        "partida": "CREATE TABLE partida (id TEXT PRIMARY KEY, encuentro TEXT, number INTEGER,"
        " official TEXT) WITHOUT ROWID",
        "encuentro": "CREATE TABLE encuentro (id TEXT PRIMARY KEY, opened INTEGER, date TEXT,"
        " running INTEGER, official TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX encuentro_opened ON encuentro (opened)",
        "CREATE INDEX encuentro_current ON encuentro (date, running)",
    )

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas and encuentros."""
        cursor.executemany(
            "INSERT OR REPLACE INTO partida VALUES (?, ?, ?, ?)",
            [_partida_row(*one) for one in batch.of(Partida)],
        )
        encuentros = batch.of(Encuentro)
        cursor.executemany(
            "INSERT OR REPLACE INTO encuentro VALUES (?, ?, '', 1, '')",
            batch.first_positions(Encuentro),
        )
        cursor.executemany(
            "UPDATE encuentro SET date = ?, running = ?, official = ? WHERE id = ?",
            [_encuentro_row(*one) for one in encuentros],
        )


def _partida_row(stream: str, state: Partida) -> tuple[object, ...]:
    assert state.opened is not None
    return stream, state.opened.encuentro, state.opened.number, as_json(scores_view(state))


def _encuentro_row(stream: str, state: Encuentro) -> tuple[object, ...]:
    assert state.opened is not None
    is_running = state.won is None and not state.is_called_off
    return state.opened.date, is_running, as_json(encuentro_view(stream, state)), stream
