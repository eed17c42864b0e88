"""Rows of partidas, many at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from projections.official import cases, findings, scores
from projections.official.table import official
from projections.public.board import public_partida
from projections.rows import analysed
from referee.encuentro.partida import Partida

_OF_A_PARTIDA: Final[dict[str, Callable[[str, Partida], list[tuple[object, ...]]]]] = {
    "finding": findings.finding_rows,
    "deal_score": scores.score_rows,
    "warning": cases.warning_rows,
    "puzzle": analysed.puzzle_rows,
    "arrastre": analysed.arrastre_rows,
}


def as_json(view: Mapping[str, object]) -> str:
    """Stored bytes of a view; equal views have equal bytes."""
    return msgspec.json.encode(view, order="deterministic").decode()


def write_partidas(cursor: sqlite3.Cursor, partidas: Sequence[tuple[str, Partida]]) -> None:
    """Replace every row of partidas."""
    whole = [_whole_partida(stream, state) for stream, state in partidas]
    cursor.executemany("INSERT OR REPLACE INTO partida VALUES (?, ?, ?, ?, ?)", whole)
    for table, rows_of in _OF_A_PARTIDA.items():
        rows = [row for stream, state in partidas for row in rows_of(stream, state)]
        gone = f"DELETE FROM {table} WHERE partida = ?"  # noqa: S608 - a name of ours
        cursor.executemany(gone, [(stream,) for stream, _ in partidas])
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - a name of ours


def _whole_partida(stream: str, state: Partida) -> tuple[object, ...]:
    opened = state.opened
    assert opened is not None
    views = (as_json(official(state)), as_json(public_partida(state)))
    return (stream, opened.encuentro, opened.number, *views)
