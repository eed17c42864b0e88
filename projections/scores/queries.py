"""Encuentros and partidas with their scores, as the rows have them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Final
from uuid import UUID

import msgspec

from projections.runner.projection import find_view
from projections.scores.encuentros import EncuentroData
from projections.scores.partidas import ScoredPartidaData

_IS_PLAYED: Final = "json_extract(official, '$.is_called_off') IS NULL"


def partida_row(cursor: sqlite3.Cursor, partida_id: UUID) -> ScoredPartidaData | None:
    """A partida as the arbiter sees it, without its findings."""
    view: ScoredPartidaData | None = find_view(
        cursor, "SELECT official FROM partida WHERE id = ?", str(partida_id)
    )
    return view


def encuentro_row(cursor: sqlite3.Cursor, encuentro_id: UUID) -> EncuentroData | None:
    """Official view of an encuentro."""
    view: EncuentroData | None = find_view(
        cursor, "SELECT official FROM encuentro WHERE id = ?", str(encuentro_id)
    )
    return view


def encuentro_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, EncuentroData]]:
    """Encuentros opened before a position, latest first, with the position of their opening.

    Those that were called off are left out.
    """
    cursor.execute(
        "SELECT opened, official FROM encuentro WHERE opened < ?"  # noqa: S608 - a constant alone
        f" AND {_IS_PLAYED} ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]


def latest_seated(cursor: sqlite3.Cursor, encuentros: int) -> list[str]:
    """Persons who sat in the last ``encuentros`` opened, each once, the latest first."""
    cursor.execute(
        "SELECT json_extract(official, '$.seats') FROM encuentro ORDER BY opened DESC LIMIT ?",
        (encuentros,),
    )
    seats = (msgspec.json.decode(doc, type=dict[str, str]) for (doc,) in cursor if doc)
    return list(dict.fromkeys(person for one in seats for person in one.values()))


def playing_rows(cursor: sqlite3.Cursor, persons: Collection[str], day: str) -> list[str]:
    """Encuentros of a day, or without one, at which exactly these persons sit and that run."""
    cursor.execute(
        "SELECT id, json_extract(official, '$.seats') FROM encuentro"
        " WHERE date IN (?, '') AND running = 1 ORDER BY opened",
        (day,),
    )
    rows = [(one, msgspec.json.decode(seats, type=dict[str, str])) for one, seats in cursor]
    return [one for one, seats in rows if seats and set(seats.values()) == set(persons)]
