"""Seasons, their sessions, and who attended."""

from __future__ import annotations

import sqlite3
from typing import Any, Final
from uuid import UUID

import msgspec

from projections.official.cases import whole
from projections.rows.partidas import as_json
from referee.club.season import Season
from referee.club.session import Session, draw_seal, players_of

TABLES: Final = {
    "season": "CREATE TABLE season (id TEXT PRIMARY KEY, since TEXT, official TEXT) WITHOUT ROWID",
    "session": "CREATE TABLE session (id TEXT PRIMARY KEY, season TEXT, day TEXT, closed INTEGER,"
    " short TEXT, official TEXT) WITHOUT ROWID",
    "attended": "CREATE TABLE attended (session TEXT, person TEXT,"
    " PRIMARY KEY (session, person)) WITHOUT ROWID",
}
INDEXES: Final = ("CREATE INDEX session_of ON session (season, day)",)


def season_view(season: str, state: Season) -> dict[str, Any]:
    """A season as plain JSON values; its name by its id."""
    opened = state.opened
    assert opened is not None
    return {
        "id": season,
        "version": state.version,
        "name": opened.name,
        "since": opened.since,
        "until": opened.until,
        "scoring": whole(state.scoring),
        "closed": state.is_closed,
    }


def session_view(session: str, state: Session) -> dict[str, Any]:
    """An evening as plain JSON values; names, places and persons by their ids."""
    opened = state.opened
    assert opened is not None
    return {
        "id": session,
        "version": state.version,
        "season": opened.season,
        "name": opened.name,
        "place": opened.place,
        "date": opened.date,
        "tables": opened.tables,
        "players": players_of(state),
        "profile": {"id": opened.profile.id, "edition": opened.profile.edition},
        "present": list(state.present),
        "attended": list(state.attended),
        "draws": [whole_draw(one) for one in state.draws],
        "waiting": state.is_waiting,
        "seal": draw_seal(state),
        "encuentros": list(state.encuentros),
        "closed": state.is_closed,
    }


def session_short(view: dict[str, Any]) -> dict[str, Any]:
    """An evening in a list: of those who attended and of its tables, how many."""
    kept = ("id", "version", "date", "season", "closed", "players", "profile", "name", "place")
    counts = {name: len(view[name]) for name in ("attended", "encuentros")}
    return {**{name: view[name] for name in kept}, **counts}


def whole_draw(draw: Any) -> dict[str, Any]:
    """A draw as plain JSON values."""
    view: dict[str, Any] = whole(draw)
    return {**view, "tables": [whole(table) for table in draw.tables]}


def write_season(cursor: sqlite3.Cursor, stream: str, state: Season) -> None:
    """Replace the row of a season."""
    assert state.opened is not None
    row = (stream, state.opened.since, as_json(season_view(stream, state)))
    cursor.execute("INSERT OR REPLACE INTO season VALUES (?, ?, ?)", row)


def write_session(cursor: sqlite3.Cursor, stream: str, state: Session) -> None:
    """Replace the row of a session, and those of who attended it."""
    opened = state.opened
    assert opened is not None
    view = session_view(stream, state)
    docs = as_json(session_short(view)), as_json(view)
    row = (stream, opened.season, opened.date, state.is_closed, *docs)
    cursor.execute("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?)", row)
    cursor.execute("DELETE FROM attended WHERE session = ?", (stream,))
    cursor.executemany(
        "INSERT INTO attended VALUES (?, ?)", [(stream, person) for person in state.attended]
    )


# --- questions -----------------------------------------------------------------------------------


def season_row(cursor: sqlite3.Cursor, season_id: UUID) -> dict[str, Any] | None:
    """Official view of a season."""
    return _one(cursor.execute("SELECT official FROM season WHERE id = ?", (str(season_id),)))


def season_rows(cursor: sqlite3.Cursor) -> list[dict[str, Any]]:
    """Every season, the latest first."""
    return _all(cursor.execute("SELECT official FROM season ORDER BY since DESC, id"))


def session_row(cursor: sqlite3.Cursor, session_id: UUID) -> dict[str, Any] | None:
    """Official view of a session."""
    return _one(cursor.execute("SELECT official FROM session WHERE id = ?", (str(session_id),)))


def session_rows(cursor: sqlite3.Cursor, limit: int) -> list[dict[str, Any]]:
    """So many sessions in short, the latest day first."""
    return _all(cursor.execute("SELECT short FROM session ORDER BY day DESC, id LIMIT ?", (limit,)))


def sessions_of(cursor: sqlite3.Cursor, season: str, limit: int) -> list[dict[str, Any]]:
    """So many sessions of a season in short, the latest day first."""
    found = cursor.execute(
        "SELECT short FROM session WHERE season = ? ORDER BY day DESC, id LIMIT ?",
        (season, limit),
    )
    return _all(found)


def _one(cursor: sqlite3.Cursor) -> dict[str, Any] | None:
    row = cursor.fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=dict[str, Any])


def _all(cursor: sqlite3.Cursor) -> list[dict[str, Any]]:
    return [msgspec.json.decode(doc, type=dict[str, Any]) for (doc,) in cursor]
