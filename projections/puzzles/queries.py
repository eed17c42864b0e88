"""Problems by day, and arrastres by encuentro."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from projections.puzzles.views import ArrastreRow, PuzzleData
from projections.runner.projection import find_view


class PuzzleDay(NamedTuple):
    """A problem that may be set: its partida, the day it was played, and how well it reads."""

    partida: str
    day: str
    merit: int


def puzzle_days(cursor: sqlite3.Cursor, before: str) -> list[PuzzleDay]:
    """Problems of encuentros that are over, of days before one (``2026-11-23``)."""
    cursor.execute(
        "SELECT puzzle.partida, played_out.day, puzzle.merit FROM puzzle"
        " JOIN played_out ON played_out.encuentro = puzzle.encuentro WHERE played_out.day < ?"
        " ORDER BY played_out.day, puzzle.partida",
        (before,),
    )
    return [PuzzleDay(*row) for row in cursor]


def puzzle_row(cursor: sqlite3.Cursor, partida: str) -> PuzzleData | None:
    """The problem of a partida."""
    view: PuzzleData | None = find_view(
        cursor, "SELECT puzzle FROM puzzle WHERE partida = ?", partida
    )
    return view


def arrastres_of(
    cursor: sqlite3.Cursor, encuentros: Sequence[UUID | str]
) -> dict[str, list[ArrastreRow]]:
    """Arrastres by encuentro, of those that are over."""
    ids = msgspec.json.encode([str(one) for one in encuentros]).decode()
    cursor.execute(
        "SELECT arrastre.encuentro, deal, points, par, made FROM arrastre"
        " JOIN played_out ON played_out.encuentro = arrastre.encuentro"
        " WHERE arrastre.encuentro IN (SELECT value FROM json_each(?))"
        " ORDER BY arrastre.partida, deal",
        (ids,),
    )
    found: dict[str, list[ArrastreRow]] = {}
    for encuentro, *row in cursor:
        found.setdefault(encuentro, []).append(ArrastreRow(*row))
    return found
