"""Rows of seasons, of evenings and who attended, and of the results of players and pairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec

from projections.runner.projection import FoldedBatch, Projection, as_json, decode_first_row_or_none
from projections.seasons import pairs, results
from projections.seasons.pairs import write_pairs_of_session
from projections.seasons.views import (
    SeasonData,
    SessionData,
    SessionShortData,
    season_view,
    session_view,
    shorten_session_view,
)
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida
from referee.aggregates.season import Season
from referee.aggregates.session import Session
from referee.events import PersonId


class SeasonsProjection(Projection):
    """Seasons and evenings, and one row for each player and each pair of an encuentro.

    Standings are counted from these rows when they are asked for.
    """

    name = "seasons"
    version = 3
    tables: Mapping[str, str] = {
        "season": "CREATE TABLE season (id TEXT PRIMARY KEY, since TEXT, official TEXT)"
        " WITHOUT ROWID",
        "session": "CREATE TABLE session (id TEXT PRIMARY KEY, season TEXT, day TEXT,"
        " closed INTEGER, short TEXT, official TEXT) WITHOUT ROWID",
        "attended": "CREATE TABLE attended (session TEXT, person TEXT,"
        " PRIMARY KEY (session, person)) WITHOUT ROWID",
        "held": results.results_table_sql("held"),
        "feat": results.TALLIES,
        **pairs.TABLES,
    }
    indexes: Sequence[str] = (
        "CREATE INDEX session_of ON session (season, day)",
        *results.INDEXES,
        *pairs.INDEXES,
    )

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the changed seasons and evenings, then the results of encuentros."""
        for season, opened in batch.states_of_kind(Season):
            _write_season(cursor, season, opened)
        for session, evening in batch.states_of_kind(Session):
            _write_session(cursor, session, evening)
        encuentros = dict(batch.states_of_kind(Encuentro))
        for one in results.rewrite_tallies_of_partidas(cursor, batch.states_of_kind(Partida)):
            encuentros.setdefault(one, batch.state(UUID(one), Encuentro))
        for encuentro, state in encuentros.items():
            results.write_player_results(cursor, encuentro, state)
            pairs.write_pair_results(cursor, encuentro, state)


def _write_season(cursor: sqlite3.Cursor, stream: str, state: Season) -> None:
    """Replace the row of a season."""
    assert state.opened is not None
    row = (stream, state.opened.since, as_json(season_view(stream, state)))
    cursor.execute("INSERT OR REPLACE INTO season VALUES (?, ?, ?)", row)


def _write_session(cursor: sqlite3.Cursor, stream: str, state: Session) -> None:
    """Replace the row of a session, and those of who attended it."""
    opened = state.opened
    assert opened is not None
    view = session_view(stream, state)
    docs = as_json(shorten_session_view(view)), as_json(view)
    row = (stream, opened.season, opened.date, state.is_closed, *docs)
    cursor.execute("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?)", row)
    cursor.execute("DELETE FROM attended WHERE session = ?", (stream,))
    cursor.executemany(
        "INSERT INTO attended VALUES (?, ?)",
        [(stream, person) for person in state.persons_who_played_or_are_there],
    )
    write_pairs_of_session(cursor, stream, state)


def find_season_view(cursor: sqlite3.Cursor, season_id: UUID) -> SeasonData | None:
    """Official view of a season; None if there is none with this id."""
    return decode_first_row_or_none(
        cursor, SeasonData, "SELECT official FROM season WHERE id = ?", str(season_id)
    )


def season_rows(cursor: sqlite3.Cursor) -> list[SeasonData]:
    """Every season, the latest first."""
    cursor.execute("SELECT official FROM season ORDER BY since DESC, id")
    return [msgspec.json.decode(doc, type=SeasonData) for (doc,) in cursor]


def find_session_view(cursor: sqlite3.Cursor, session_id: UUID) -> SessionData | None:
    """Official view of a session; None if there is none with this id."""
    return decode_first_row_or_none(
        cursor, SessionData, "SELECT official FROM session WHERE id = ?", str(session_id)
    )


def session_rows(cursor: sqlite3.Cursor, limit: int) -> list[SessionShortData]:
    """Sessions in short form, the latest day first."""
    cursor.execute("SELECT short FROM session ORDER BY day DESC, id LIMIT ?", (limit,))
    return [msgspec.json.decode(doc, type=SessionShortData) for (doc,) in cursor]


ALL_EVENINGS: Final = 1_000
"""As many as a season can have, where none is to be left out."""


def sessions_of_season(cursor: sqlite3.Cursor, season: str, limit: int) -> list[SessionShortData]:
    """Sessions of a season in short form, the latest day first."""
    cursor.execute(
        "SELECT short FROM session WHERE season = ? ORDER BY day DESC, id LIMIT ?",
        (season, limit),
    )
    return [msgspec.json.decode(doc, type=SessionShortData) for (doc,) in cursor]


def encuentros_without_counted_result(cursor: sqlite3.Cursor, season: str) -> dict[str, str]:
    """Encuentros of a season whose result is missing or denied, each with its evening."""
    cursor.execute(
        "SELECT DISTINCT encuentro, held_in FROM held WHERE outcome = ''"
        " AND held_in IN (SELECT id FROM session WHERE season = ?)",
        (season,),
    )
    return dict(cursor.fetchall())


def times_sat_out_before(
    cursor: sqlite3.Cursor, season: str, day: str
) -> list[tuple[PersonId, int]]:
    """How often each person sat out in evenings of a season before a day.

    Empty without a season.
    """
    cursor.execute(
        "SELECT out.key, sum(out.value) FROM session, json_each(session.official, '$.sat_out')"
        " AS out WHERE session.season = ? AND session.season != '' AND session.day < ?"
        " GROUP BY out.key",
        (season, day),
    )
    return cursor.fetchall()


def encuentro_ids_of_persons(cursor: sqlite3.Cursor, persons: Sequence[PersonId]) -> set[UUID]:
    """Encuentros at which one of these persons sat; cancelled ones are left out."""
    places = ", ".join("?" for _ in persons)
    cursor.execute(f"SELECT encuentro FROM held WHERE person IN ({places})", tuple(persons))  # noqa: S608 - places alone
    return {UUID(one) for (one,) in cursor}


def players_ever_seated(cursor: sqlite3.Cursor) -> list[PersonId]:
    """Everybody who ever sat at an encuentro that was not cancelled.

    Goes from person to person in the index, not from encuentro to encuentro.
    """
    cursor.execute(
        "WITH RECURSIVE sat (person) AS (SELECT min(person) FROM held UNION ALL"
        " SELECT (SELECT min(person) FROM held WHERE person > sat.person) FROM sat"
        " WHERE sat.person IS NOT NULL) SELECT person FROM sat WHERE person IS NOT NULL"
    )
    return [person for (person,) in cursor]
