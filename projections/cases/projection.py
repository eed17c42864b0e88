"""Rows of cases, and of the warnings that stand."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from projections.cases.views import CaseData, case_view
from projections.runner.projection import (
    FoldedBatch,
    Projection,
    as_json,
    decode_first_row_or_none,
    replace_rows,
)
from referee.aggregates.case import Case
from referee.aggregates.partida import Partida
from referee.events import SideName


class WarningRow(NamedTuple):
    """A warning that stands in an encuentro."""

    side: SideName
    partida: int
    line: int


def warnings_of_partida(state: Partida) -> list[WarningRow]:
    """Warnings of a partida that were not taken back, by line."""
    assert state.opened is not None
    number = state.opened.number
    return [WarningRow(side, number, line) for line, side in sorted(state.table.warnings)]


def find_case_view(cursor: sqlite3.Cursor, case_id: UUID) -> CaseData | None:
    """Official view of a case from the database; None if it does not exist."""
    return decode_first_row_or_none(
        cursor, CaseData, "SELECT official FROM case_file WHERE id = ?", str(case_id)
    )


def find_case_views(cursor: sqlite3.Cursor, encuentro_id: UUID) -> list[CaseData]:
    """Every case of an encuentro, by number."""
    found = cursor.execute(
        "SELECT official FROM case_file WHERE encuentro = ? ORDER BY number", (str(encuentro_id),)
    )
    return [msgspec.json.decode(row[0], type=CaseData) for row in found]


def keys_of_waiting_cases(cursor: sqlite3.Cursor) -> list[tuple[str, int]]:
    """Encuentro and number of each case that waits for a ruling or a decision of its appeal."""
    return cursor.execute(
        "SELECT encuentro, number FROM case_file"
        " WHERE json_extract(official, '$.stage') IN ('open', 'appealed')"
        " ORDER BY encuentro, number"
    ).fetchall()


def warnings_of_encuentro(cursor: sqlite3.Cursor, encuentro_id: UUID) -> list[WarningRow]:
    """Warnings of an encuentro that were not taken back, in the order of its partidas.

    Side, partida, line.
    """
    found = cursor.execute(
        "SELECT side, number, line FROM warning WHERE encuentro = ? ORDER BY number, line",
        (str(encuentro_id),),
    )
    return [WarningRow(*row) for row in found]


class CasesProjection(Projection):
    """One row for each case, and one for each warning."""

    name = "cases"
    version = 1
    tables: Mapping[str, str] = {
        "case_file": "CREATE TABLE case_file (id TEXT PRIMARY KEY, encuentro TEXT, number INTEGER,"
        " official TEXT) WITHOUT ROWID",
        "warning": "CREATE TABLE warning (partida TEXT, line INTEGER, encuentro TEXT,"
        " number INTEGER, side TEXT, PRIMARY KEY (partida, line)) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX case_of ON case_file (encuentro, number)",
        "CREATE INDEX warning_of ON warning (encuentro, side)",
    )

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed cases and partidas."""
        cursor.executemany(
            "INSERT OR REPLACE INTO case_file VALUES (?, ?, ?, ?)",
            [_case_row(*one) for one in batch.states_of_kind(Case)],
        )
        warnings = {one: _warning_rows(one, state) for one, state in batch.states_of_kind(Partida)}
        replace_rows(cursor, "warning", "partida", warnings)


def _case_row(stream: str, state: Case) -> tuple[object, ...]:
    assert state.opened is not None
    return stream, state.opened.encuentro, state.opened.number, as_json(case_view(state))


def _warning_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    assert state.opened is not None
    encuentro = state.opened.encuentro
    return [
        (partida, one.line, encuentro, one.partida, one.side) for one in warnings_of_partida(state)
    ]
