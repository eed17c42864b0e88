"""Rows of cases, and of the warnings that stand."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.cases.queries import warnings_in
from projections.cases.views import case_view
from projections.runner.projection import Projection, as_json, replace_rows
from projections.runner.streams import FoldedBatch
from referee.aggregates.case import Case
from referee.aggregates.partida import Partida


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
            [_case_row(*one) for one in batch.of(Case)],
        )
        warnings = {one: _warning_rows(one, state) for one, state in batch.of(Partida)}
        replace_rows(cursor, "warning", "partida", warnings)


def _case_row(stream: str, state: Case) -> tuple[object, ...]:
    assert state.opened is not None
    return stream, state.opened.encuentro, state.opened.number, as_json(case_view(state))


def _warning_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    assert state.opened is not None
    encuentro = state.opened.encuentro
    return [(partida, one.line, encuentro, one.partida, one.side) for one in warnings_in(state)]
