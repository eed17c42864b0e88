"""Rows of seasons, of evenings and who attended, and of the results of players and pairs."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from uuid import UUID

from projections.runner.projection import Projection, as_json
from projections.runner.streams import FoldedBatch
from projections.seasons import pairs, results
from projections.seasons.pairs import write_pairs_of_session
from projections.seasons.views import season_view, session_short, session_view
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida
from referee.aggregates.season import Season
from referee.aggregates.session import Session


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
        "held": results.results_table("held"),
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
        for season, opened in batch.of(Season):
            _write_season(cursor, season, opened)
        for session, evening in batch.of(Session):
            _write_session(cursor, session, evening)
        encuentros = dict(batch.of(Encuentro))
        for one in results.write_seat_tallies(cursor, batch.of(Partida)):
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
    docs = as_json(session_short(view)), as_json(view)
    row = (stream, opened.season, opened.date, state.is_closed, *docs)
    cursor.execute("INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?)", row)
    cursor.execute("DELETE FROM attended WHERE session = ?", (stream,))
    cursor.executemany(
        "INSERT INTO attended VALUES (?, ?)", [(stream, person) for person in state.attended]
    )
    write_pairs_of_session(cursor, stream, state)
