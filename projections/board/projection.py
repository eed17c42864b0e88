"""Rows of the boards: what everybody may see of a partida and of its encuentro."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.board.views import public_encuentro, public_partida
from projections.runner.projection import Projection, as_json
from projections.runner.streams import FoldedBatch
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida


class BoardProjection(Projection):
    """One row for each partida, and one for each encuentro; nothing that is secret is in them.

    ``opened``: log position of the encuentro's first event; ``date``: its day, or nothing;
    ``running``: whether it is neither decided nor called off; ``played``: not called off.
    """

    name = "board"
    version = 2
    tables: Mapping[str, str] = {
        "board_partida": "CREATE TABLE board_partida (id TEXT PRIMARY KEY, encuentro TEXT,"
        " number INTEGER, public TEXT) WITHOUT ROWID",
        "board_encuentro": "CREATE TABLE board_encuentro (id TEXT PRIMARY KEY, opened INTEGER,"
        " date TEXT, running INTEGER, played INTEGER, public TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX board_partida_of ON board_partida (encuentro, number)",
        "CREATE INDEX board_encuentro_opened ON board_encuentro (opened)",
        "CREATE INDEX board_encuentro_current ON board_encuentro (date, running)",
    )

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas and encuentros."""
        cursor.executemany(
            "INSERT OR REPLACE INTO board_partida VALUES (?, ?, ?, ?)",
            [_partida_row(*one) for one in batch.of(Partida)],
        )
        cursor.executemany(
            "INSERT OR REPLACE INTO board_encuentro VALUES (?, ?, '', 1, 1, '')",
            batch.first_positions(Encuentro),
        )
        cursor.executemany(
            "UPDATE board_encuentro SET date = ?, running = ?, played = ?, public = ? WHERE id = ?",
            [_encuentro_row(*one) for one in batch.of(Encuentro)],
        )


def _partida_row(stream: str, state: Partida) -> tuple[object, ...]:
    assert state.opened is not None
    return stream, state.opened.encuentro, state.opened.number, as_json(public_partida(state))


def _encuentro_row(stream: str, state: Encuentro) -> tuple[object, ...]:
    view = public_encuentro(stream, state)
    is_played = not state.is_called_off
    is_running = is_played and view["decided"] is None
    return view["date"], is_running, is_played, as_json(view), stream
