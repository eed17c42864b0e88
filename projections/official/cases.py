"""Cases by encuentro, and warnings by side."""

from __future__ import annotations

import sqlite3
from typing import Any
from uuid import UUID

import msgspec

from referee.encuentro.case import Case
from referee.encuentro.partida import Partida, table_of
from referee.events import Fact

TABLE = (
    "CREATE TABLE case_file (id TEXT PRIMARY KEY, encuentro TEXT, number INTEGER, official TEXT)"
    " WITHOUT ROWID"
)
WARNINGS = (
    "CREATE TABLE warning (partida TEXT, line INTEGER, encuentro TEXT, number INTEGER, side TEXT,"
    " PRIMARY KEY (partida, line)) WITHOUT ROWID"
)


def case_view(state: Case) -> dict[str, Any]:
    """A case as plain JSON values; persons and texts by their ids."""
    opened = state.opened
    assert opened is not None
    return {
        **whole(opened),
        "version": state.version,
        "stage": state.stage,
        "evidence": [whole(one) for one in state.evidence],
        "ruled": whole(state.ruled),
        "appealed": whole(state.appealed),
        "decided": whole(state.decided),
        "closed": whole(state.closed),
        "verdict": whole(state.verdict),
    }


def whole(value: Any) -> Any:
    """A fact as plain JSON values with every field, also those that the log leaves out."""
    if isinstance(value, Fact):
        names = type(value).__struct_fields__
        return {name: whole(getattr(value, name)) for name in names}
    return list(value) if isinstance(value, tuple) else value


def write_case(cursor: sqlite3.Cursor, stream: str, state: Case) -> None:
    """Replace the row of a case."""
    assert state.opened is not None
    view = msgspec.json.encode(case_view(state), order="deterministic").decode()
    cursor.execute(
        "INSERT OR REPLACE INTO case_file VALUES (?, ?, ?, ?)",
        (stream, state.opened.encuentro, state.opened.number, view),
    )


def warning_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    """Rows of the warnings given in a partida that stand."""
    assert state.opened is not None
    opened = state.opened
    return [
        (partida, line, opened.encuentro, opened.number, side)
        for line, side in table_of(state).warnings
    ]


# --- questions -----------------------------------------------------------------------------------


def case_row(cursor: sqlite3.Cursor, case_id: UUID) -> dict[str, Any] | None:
    """Official view of a case."""
    found = cursor.execute("SELECT official FROM case_file WHERE id = ?", (str(case_id),))
    row = found.fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=dict[str, Any])


def case_rows(cursor: sqlite3.Cursor, encuentro_id: UUID) -> list[dict[str, Any]]:
    """Every case of an encuentro, by number."""
    found = cursor.execute(
        "SELECT official FROM case_file WHERE encuentro = ? ORDER BY number", (str(encuentro_id),)
    )
    return [msgspec.json.decode(row[0], type=dict[str, Any]) for row in found]


def warnings_of(cursor: sqlite3.Cursor, encuentro_id: UUID) -> list[dict[str, Any]]:
    """Warnings that stand in an encuentro, in the order of its partidas: side, partida, line."""
    found = cursor.execute(
        "SELECT side, number, line FROM warning WHERE encuentro = ? ORDER BY number, line",
        (str(encuentro_id),),
    )
    return [{"side": side, "partida": number, "line": line} for side, number, line in found]
