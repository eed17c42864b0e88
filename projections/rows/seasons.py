"""Seasons, their sessions, and who attended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final, TypedDict
from uuid import UUID

import msgspec

from projections.official.facts import whole
from projections.public.board import ProfileIdData
from projections.rows.partidas import as_json
from projections.seasons.pairs import write_pairs_of_session
from referee.club.season import Season
from referee.club.session import Session, players_of, table_draw_seal
from referee.events import Competitors, PairId, PersonId, TablesDrawn, TextId

TABLES: Final = {
    "season": "CREATE TABLE season (id TEXT PRIMARY KEY, since TEXT, official TEXT) WITHOUT ROWID",
    "session": "CREATE TABLE session (id TEXT PRIMARY KEY, season TEXT, day TEXT, closed INTEGER,"
    " short TEXT, official TEXT) WITHOUT ROWID",
    "attended": "CREATE TABLE attended (session TEXT, person TEXT,"
    " PRIMARY KEY (session, person)) WITHOUT ROWID",
}
INDEXES: Final = ("CREATE INDEX session_of ON session (season, day)",)


class SeasonFactsData(TypedDict):
    """A season besides its name. ``rules``: of its sessions that name none; may be empty."""

    id: str
    version: int
    since: str
    until: str
    scoring: dict[str, int]
    rules: str
    closed: bool
    of: Competitors


class PlannedSessionData(TypedDict):
    """A day of the calendar of a season; the place by its id."""

    date: str
    time: str
    place: TextId


class SeasonData(SeasonFactsData):
    """The official view of a season; its name by its id."""

    name: TextId
    calendar: list[PlannedSessionData]


class DrawnTableData(TypedDict):
    """A table as drawn: its number, and its sides, each of persons."""

    number: int
    sides: list[list[PersonId]]


class SessionDrawData(TypedDict):
    """A draw of the tables of a session.

    ``together``: partners who were not to be parted; ``strengths``: ratings used for the order;
    ``rested``: how often each sat out before; ``resting``: who sits out;
    ``seal``: what was mixed with the seed.
    """

    method: str
    tables: list[DrawnTableData]
    seed: str
    together: list[list[PersonId]]
    strengths: dict[PersonId, int]
    rested: dict[PersonId, int]
    resting: list[PersonId]
    seal: str


class OpenedTableData(TypedDict):
    """A table that was opened: its encuentro, its number, the pairs of its sides if pairs play."""

    encuentro: str
    number: int
    pairs: list[PairId]


class SessionFactsData(TypedDict):
    """Common data of a session and of its entry in a list, without name and place."""

    id: str
    version: int
    date: str
    season: str
    closed: bool
    players: int
    profile: ProfileIdData
    of: Competitors


class SessionShortData(SessionFactsData):
    """A session in a list, with the counts of players and of tables."""

    name: TextId
    place: TextId
    attended: int
    encuentros: int


class SessionBodyData(SessionFactsData):
    """A session besides its name, its place and the encuentros of its tables."""

    tables: int
    present: list[PersonId]
    pairs: dict[PairId, list[PersonId]]
    attended: list[PersonId]
    draws: list[SessionDrawData]
    sat_out: dict[PersonId, int]
    opened: list[OpenedTableData]
    waiting: bool
    seal: str


class SessionData(SessionBodyData):
    """The official view of a session; persons, encuentros, name and place by their ids."""

    name: TextId
    place: TextId
    encuentros: list[str]


def season_view(season: str, state: Season) -> SeasonData:
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
        "rules": opened.rules,
        "closed": state.is_closed,
        "of": opened.of,
        "calendar": [whole(one) for one in state.calendar],
    }


def session_view(session: str, state: Session) -> SessionData:
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
        "of": opened.of,
        "present": list(state.present),
        "pairs": {pair: list(players) for pair, players in state.pairs.items()},
        "attended": list(state.attended),
        "draws": [
            whole_draw(one, resting, seal)
            for one, resting, seal in zip(state.draws, state.resting, state.seals, strict=True)
        ],
        "sat_out": dict(state.sat_out),
        "opened": [
            {"encuentro": one.encuentro, "number": one.number, "pairs": list(one.pairs)}
            for one in state.tables
        ],
        "waiting": state.is_waiting,
        "seal": table_draw_seal(state),
        "encuentros": list(state.encuentros),
        "closed": state.is_closed,
    }


def session_short(view: SessionData) -> SessionShortData:
    """An evening in a list, with the counts of players and of tables."""
    return {
        "id": view["id"],
        "version": view["version"],
        "date": view["date"],
        "season": view["season"],
        "closed": view["closed"],
        "players": view["players"],
        "profile": view["profile"],
        "of": view["of"],
        "name": view["name"],
        "place": view["place"],
        "attended": len(view["attended"]),
        "encuentros": len(view["encuentros"]),
    }


def whole_draw(draw: TablesDrawn, resting: Iterable[PersonId], seal: str) -> SessionDrawData:
    """A draw as plain JSON values, with who sits out in it and what was mixed with its seed."""
    view: SessionDrawData = whole(draw)
    return {
        **view,
        "tables": [whole(table) for table in draw.tables],
        "resting": list(resting),
        "seal": seal,
    }


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
    write_pairs_of_session(cursor, stream, state)


# --- questions -----------------------------------------------------------------------------------


def season_row(cursor: sqlite3.Cursor, season_id: UUID) -> SeasonData | None:
    """Official view of a season."""
    cursor.execute("SELECT official FROM season WHERE id = ?", (str(season_id),))
    row = cursor.fetchone()
    view: SeasonData | None = None if row is None else msgspec.json.decode(row[0])
    return view


def season_rows(cursor: sqlite3.Cursor) -> list[SeasonData]:
    """Every season, the latest first."""
    cursor.execute("SELECT official FROM season ORDER BY since DESC, id")
    return [msgspec.json.decode(doc) for (doc,) in cursor]


def session_row(cursor: sqlite3.Cursor, session_id: UUID) -> SessionData | None:
    """Official view of a session."""
    cursor.execute("SELECT official FROM session WHERE id = ?", (str(session_id),))
    row = cursor.fetchone()
    view: SessionData | None = None if row is None else msgspec.json.decode(row[0])
    return view


def session_rows(cursor: sqlite3.Cursor, limit: int) -> list[SessionShortData]:
    """Sessions in short form, the latest day first."""
    cursor.execute("SELECT short FROM session ORDER BY day DESC, id LIMIT ?", (limit,))
    return [msgspec.json.decode(doc) for (doc,) in cursor]


ALL_EVENINGS: Final = 1_000
"""As many as a season can have, where none is to be left out."""


def sessions_of(cursor: sqlite3.Cursor, season: str, limit: int) -> list[SessionShortData]:
    """Sessions of a season in short form, the latest day first."""
    cursor.execute(
        "SELECT short FROM session WHERE season = ? ORDER BY day DESC, id LIMIT ?",
        (season, limit),
    )
    return [msgspec.json.decode(doc) for (doc,) in cursor]


def sat_out_before(cursor: sqlite3.Cursor, season: str, day: str) -> list[tuple[PersonId, int]]:
    """How often each person sat out in sessions of a season before a day; none without a season."""
    cursor.execute(
        "SELECT out.key, sum(out.value) FROM session, json_each(session.official, '$.sat_out')"
        " AS out WHERE session.season = ? AND session.season != '' AND session.day < ?"
        " GROUP BY out.key",
        (season, day),
    )
    return cursor.fetchall()
