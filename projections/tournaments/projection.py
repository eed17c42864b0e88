"""Rows of tournaments: one public row each, rewritten at every change."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from projections.runner.projection import Projection, as_json
from projections.runner.streams import FoldedBatch
from projections.tournaments.rounds import Rounds
from projections.tournaments.view import (
    hall_view,
    short_view,
    tournament_view,
)
from referee.aggregates.tournament.state import Tournament

KEPT: Final = 64


class TournamentsProjection(Projection):
    """Public views of tournaments: whole, short for lists, and for the board of the hall."""

    name = "tournaments"
    version = 13
    tables: Mapping[str, str] = {
        "tournament": "CREATE TABLE tournament (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " view TEXT, hall TEXT) WITHOUT ROWID",
        "entered": "CREATE TABLE entered (person TEXT, tournament TEXT, pair TEXT,"
        " PRIMARY KEY (person, tournament)) WITHOUT ROWID",
        "entry_phone": "CREATE TABLE entry_phone (phone TEXT PRIMARY KEY, tournament TEXT,"
        " since TEXT, is_over INTEGER) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX tournament_opened ON tournament (opened)",
        "CREATE INDEX entered_in ON entered (tournament)",
        "CREATE INDEX phones_of ON entry_phone (tournament)",
        "CREATE INDEX tournament_calling ON tournament (opened) WHERE hall <> ''",
    )

    def __init__(self) -> None:
        self._rounds: OrderedDict[str, Rounds] = OrderedDict()

    def forget(self) -> None:
        """Clear the views of rounds."""
        self._rounds.clear()

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write each tournament that a batch changed once."""
        cursor.executemany(
            "INSERT OR REPLACE INTO tournament VALUES (?, ?, '', '', '')",
            batch.first_positions(Tournament),
        )
        for key, state in batch.of(Tournament):
            whole = tournament_view(key, state, self._rounds_of(key))
            cursor.execute(
                "UPDATE tournament SET short = ?, view = ?, hall = ? WHERE id = ?",
                (_json(short_view(key, state)), _json(whole), _json(hall_view(key, state)), key),
            )
            _write_players(cursor, key, state)
            _write_phones(cursor, key, state)

    def _rounds_of(self, tournament: str) -> Rounds:
        """Views of the rounds of a tournament, which are made once each."""
        found = self._rounds.setdefault(tournament, Rounds())
        self._rounds.move_to_end(tournament)
        if len(self._rounds) > KEPT:
            self._rounds.popitem(last=False)
        return found


def _write_players(cursor: sqlite3.Cursor, tournament: str, state: Tournament) -> None:
    """Replace who plays for which pair, if it differs."""
    playing = {person: one.pair for one in state.entries.values() for person in one.players}
    cursor.execute("SELECT person, pair FROM entered WHERE tournament = ?", (tournament,))
    if dict(cursor.fetchall()) != playing:
        cursor.execute("DELETE FROM entered WHERE tournament = ?", (tournament,))
        rows = [(person, tournament, pair) for person, pair in playing.items()]
        cursor.executemany("INSERT INTO entered VALUES (?, ?, ?)", rows)


def _write_phones(cursor: sqlite3.Cursor, tournament: str, state: Tournament) -> None:
    """Telephones that pairs left, and whether each is over: with the tournament, or its pair."""
    found = {
        (one.phone, one.phone_since, int(state.is_closed or is_out))
        for entries, is_out in (
            ({**state.waiting, **state.entries}, False),
            (state.withdrawn, True),
        )
        for one in entries.values()
        if one.phone
    }
    cursor.execute(
        "SELECT phone, since, is_over FROM entry_phone WHERE tournament = ?", (tournament,)
    )
    if set(cursor.fetchall()) != found:
        cursor.execute("DELETE FROM entry_phone WHERE tournament = ?", (tournament,))
        rows = [(phone, tournament, since, over) for phone, since, over in sorted(found)]
        cursor.executemany("INSERT INTO entry_phone VALUES (?, ?, ?, ?)", rows)


def _json(view: Mapping[str, object] | None) -> str:
    return "" if view is None else as_json(view)
