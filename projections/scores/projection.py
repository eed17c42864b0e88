"""Rows of the scores: partidas with their deals and vueltas, encuentros with their cotos."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec

from projections.runner.projection import FoldedBatch, Projection, as_json, decode_first_row_or_none
from projections.scores.encuentros import EncuentroData, encuentro_view
from projections.scores.partidas import ScoredPartidaData, partida_view_without_findings
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
            [_partida_row(*one) for one in batch.states_of_kind(Partida)],
        )
        encuentros = batch.states_of_kind(Encuentro)
        cursor.executemany(
            "INSERT OR REPLACE INTO encuentro VALUES (?, ?, '', 1, '')",
            batch.positions_of_new_streams(Encuentro),
        )
        cursor.executemany(
            "UPDATE encuentro SET date = ?, running = ?, official = ? WHERE id = ?",
            [_encuentro_row(*one) for one in encuentros],
        )


def _partida_row(stream: str, state: Partida) -> tuple[object, ...]:
    assert state.opened is not None
    return (
        stream,
        state.opened.encuentro,
        state.opened.number,
        as_json(partida_view_without_findings(state)),
    )


def _encuentro_row(stream: str, state: Encuentro) -> tuple[object, ...]:
    assert state.opened is not None
    is_running = state.win is None and not state.is_called_off
    return state.opened.date, is_running, as_json(encuentro_view(stream, state)), stream


_IS_PLAYED: Final = "json_extract(official, '$.is_called_off') IS NULL"


def find_partida_without_findings(
    cursor: sqlite3.Cursor, partida_id: UUID
) -> ScoredPartidaData | None:
    """View of a partida for the arbiter, without its findings; None if it does not exist."""
    return decode_first_row_or_none(
        cursor, ScoredPartidaData, "SELECT official FROM partida WHERE id = ?", str(partida_id)
    )


def find_encuentro_view(cursor: sqlite3.Cursor, encuentro_id: UUID) -> EncuentroData | None:
    """Official view of an encuentro; None if it does not exist."""
    return decode_first_row_or_none(
        cursor, EncuentroData, "SELECT official FROM encuentro WHERE id = ?", str(encuentro_id)
    )


def encuentros_opened_before(
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
    return [(opened, msgspec.json.decode(doc, type=EncuentroData)) for opened, doc in cursor]


def latest_persons_at_tables(cursor: sqlite3.Cursor, encuentros: int) -> list[str]:
    """Persons who sat in the encuentros opened last, each once, the latest first.

    ``encuentros``: How many.
    """
    cursor.execute(
        "SELECT json_extract(official, '$.seats') FROM encuentro ORDER BY opened DESC LIMIT ?",
        (encuentros,),
    )
    seats = (msgspec.json.decode(doc, type=dict[str, str]) for (doc,) in cursor if doc)
    return list(dict.fromkeys(person for one in seats for person in one.values()))


def running_encuentro_ids_of_persons(
    cursor: sqlite3.Cursor, persons: Collection[str], day: str
) -> list[str]:
    """Ids of running encuentros of a day, or without a day, at which exactly these persons sit."""
    cursor.execute(
        "SELECT id, json_extract(official, '$.seats') FROM encuentro"
        " WHERE date IN (?, '') AND running = 1 ORDER BY opened",
        (day,),
    )
    rows = [(one, msgspec.json.decode(seats, type=dict[str, str])) for one, seats in cursor]
    return [one for one, seats in rows if seats and set(seats.values()) == set(persons)]
