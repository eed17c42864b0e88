"""Cases by encuentro, and warnings by side."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple
from uuid import UUID

import msgspec

from projections.cases.views import CaseData
from projections.runner.projection import find_view
from referee.aggregates.partida import Partida
from referee.events import SideName


class WarningRow(NamedTuple):
    """A warning that stands in an encuentro."""

    side: SideName
    partida: int
    line: int


def warnings_in(state: Partida) -> list[WarningRow]:
    """Warnings given in a partida that stand, by line."""
    assert state.opened is not None
    number = state.opened.number
    return [WarningRow(side, number, line) for line, side in sorted(state.table.warnings)]


def case_row(cursor: sqlite3.Cursor, case_id: UUID) -> CaseData | None:
    """Official view of a case."""
    view: CaseData | None = find_view(
        cursor, "SELECT official FROM case_file WHERE id = ?", str(case_id)
    )
    return view


def case_rows(cursor: sqlite3.Cursor, encuentro_id: UUID) -> list[CaseData]:
    """Every case of an encuentro, by number."""
    found = cursor.execute(
        "SELECT official FROM case_file WHERE encuentro = ? ORDER BY number", (str(encuentro_id),)
    )
    return [msgspec.json.decode(row[0]) for row in found]


def waiting_cases(cursor: sqlite3.Cursor) -> list[tuple[str, int]]:
    """Encuentro and number of the cases that wait for a ruling or the decision of an appeal."""
    return cursor.execute(
        "SELECT encuentro, number FROM case_file"
        " WHERE json_extract(official, '$.stage') IN ('open', 'appealed')"
        " ORDER BY encuentro, number"
    ).fetchall()


def warnings_of(cursor: sqlite3.Cursor, encuentro_id: UUID) -> list[WarningRow]:
    """Warnings that stand in an encuentro, in the order of its partidas: side, partida, line."""
    found = cursor.execute(
        "SELECT side, number, line FROM warning WHERE encuentro = ? ORDER BY number, line",
        (str(encuentro_id),),
    )
    return [WarningRow(*row) for row in found]
