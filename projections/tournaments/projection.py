"""Rows of tournaments: one public row each, rewritten at every change."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from projections.runner.projection import FoldedBatch, Projection, as_json
from projections.tournaments.rounds import Rounds
from projections.tournaments.view import (
    HallTournamentData,
    TournamentShortData,
    hall_tournament_view_or_none,
    short_view,
    tournament_view,
)
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.state import Tournament
from referee.events import PersonId, TextId

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

    def clear_cache(self) -> None:
        """Clear the cache of the encoded rounds."""
        self._rounds.clear()

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the rows of each tournament that the batch changed."""
        cursor.executemany(
            "INSERT OR REPLACE INTO tournament VALUES (?, ?, '', '', '')",
            batch.positions_of_new_streams(Tournament),
        )
        for key, state in batch.states_of_kind(Tournament):
            whole = tournament_view(key, state, self._round_cache_of_tournament(key))
            cursor.execute(
                "UPDATE tournament SET short = ?, view = ?, hall = ? WHERE id = ?",
                (
                    _json_or_empty(short_view(key, state)),
                    _json_or_empty(whole),
                    _json_or_empty(hall_tournament_view_or_none(key, state)),
                    key,
                ),
            )
            _write_players(cursor, key, state)
            _write_phones(cursor, key, state)

    def _round_cache_of_tournament(self, tournament: str) -> Rounds:
        """Cache of the encoded rounds of a tournament; an empty new one if it has none."""
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
    """Rewrite the telephone numbers that pairs left, and which pairs are out."""
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


def _json_or_empty(view: object) -> str:
    return "" if view is None else as_json(view)


class TournamentResult(NamedTuple):
    """Result of a pair in a tournament. ``place``: 0 before its first meeting is decided."""

    short: TournamentShortData
    place: int
    won: int
    played: int


class _PlaceView(msgspec.Struct):
    place: int
    pair: Pair


class _MeetingView(msgspec.Struct):
    pairs: list[Pair]
    winner: Pair | None


class _RoundView(msgspec.Struct):
    meetings: list[_MeetingView]


class _ResultView(msgspec.Struct):
    """What a result needs of the view of a tournament."""

    standings: list[_PlaceView]
    rounds: list[_RoundView]


def find_tournament_view(
    cursor: sqlite3.Cursor, tournament_id: UUID
) -> dict[str, msgspec.Raw] | None:
    """View of a tournament, each member still as JSON; persons and texts by their ids."""
    found = cursor.execute("SELECT view FROM tournament WHERE id = ?", (str(tournament_id),))
    row = found.fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=dict[str, msgspec.Raw])


def tournaments_opened_before(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, TournamentShortData]]:
    """Short views of tournaments opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM tournament WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc, type=TournamentShortData)) for opened, doc in cursor]


def pair_by_tournament_of_person(
    cursor: sqlite3.Cursor, persons: Sequence[PersonId]
) -> dict[str, Pair]:
    """Tournaments that a player entered under any of some ids, the latest first; their pair."""
    marks = ", ".join("?" for _ in persons)
    cursor.execute(
        "SELECT tournament, pair FROM entered JOIN tournament ON id = tournament"  # noqa: S608 - marks of ours
        f" WHERE person IN ({marks}) ORDER BY opened DESC",
        tuple(persons),
    )
    return dict(cursor.fetchall())


def phone_ids_to_forget(cursor: sqlite3.Cursor, before: str) -> list[TextId]:
    """Ids of the telephone numbers that pairs left, and that are to be erased.

    Their tournament is over, or they are older than a day.
    """
    cursor.execute("SELECT phone FROM entry_phone WHERE is_over OR since < ?", (before,))
    return [phone for (phone,) in cursor]


def result_of_pair(cursor: sqlite3.Cursor, tournament: str, pair: Pair) -> TournamentResult | None:
    """Result of a pair in a tournament; None if the tournament does not exist."""
    found = cursor.execute("SELECT short, view FROM tournament WHERE id = ?", (tournament,))
    row = found.fetchone()
    if row is None:
        return None
    short = msgspec.json.decode(row[0], type=TournamentShortData)
    view = msgspec.json.decode(row[1], type=_ResultView)
    over = [
        one.winner
        for each in view.rounds
        for one in each.meetings
        if pair in one.pairs and one.winner is not None
    ]
    place = next((one.place for one in view.standings if one.pair == pair), 0)
    return TournamentResult(short, place if over else 0, over.count(pair), len(over))


def hall_tournament_rows(
    cursor: sqlite3.Cursor, since: str, limit: int
) -> list[HallTournamentData]:
    """Views for the hall of tournaments since a day or without one, the latest first."""
    cursor.execute("SELECT hall FROM tournament WHERE hall <> '' ORDER BY opened DESC")
    found = (msgspec.json.decode(doc, type=HallTournamentData) for (doc,) in cursor)
    return list(islice((one for one in found if not one.date or one.date >= since), limit))
