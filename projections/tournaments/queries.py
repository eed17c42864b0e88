"""Tournaments: whole, in a list, and for the board of the hall."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

import msgspec

from projections.tournaments.view import (
    HallTournamentData,
    TournamentShortData,
)
from referee.aggregates.tournament.field import Pair
from referee.events import PersonId, TextId


class TournamentResult(NamedTuple):
    """A tournament as it went for a pair. ``place``: 0 until it has a result."""

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


def tournament_row(cursor: sqlite3.Cursor, tournament_id: UUID) -> dict[str, msgspec.Raw] | None:
    """The view of a tournament, each member as JSON; persons and texts by their ids."""
    found = cursor.execute("SELECT view FROM tournament WHERE id = ?", (str(tournament_id),))
    row = found.fetchone()
    return None if row is None else msgspec.json.decode(row[0], type=dict[str, msgspec.Raw])


def tournament_rows(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, TournamentShortData]]:
    """Short views of tournaments opened before a position, latest first, with that position."""
    cursor.execute(
        "SELECT opened, short FROM tournament WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc)) for opened, doc in cursor]


def entries_of(cursor: sqlite3.Cursor, persons: Sequence[PersonId]) -> dict[str, Pair]:
    """Tournaments that a player entered under any of some ids, the latest first; their pair."""
    marks = ", ".join("?" for _ in persons)
    cursor.execute(
        "SELECT tournament, pair FROM entered JOIN tournament ON id = tournament"  # noqa: S608 - marks of ours
        f" WHERE person IN ({marks}) ORDER BY opened DESC",
        tuple(persons),
    )
    return dict(cursor.fetchall())


def phones_over(cursor: sqlite3.Cursor, before: str) -> list[TextId]:
    """Telephones that pairs left, whose tournament is over, or that are from before a day."""
    cursor.execute("SELECT phone FROM entry_phone WHERE is_over OR since < ?", (before,))
    return [phone for (phone,) in cursor]


def result_of(cursor: sqlite3.Cursor, tournament: str, pair: Pair) -> TournamentResult | None:
    """A tournament as it went for a pair; None if there is no such tournament."""
    found = cursor.execute("SELECT short, view FROM tournament WHERE id = ?", (tournament,))
    row = found.fetchone()
    if row is None:
        return None
    short: TournamentShortData = msgspec.json.decode(row[0])
    view = msgspec.json.decode(row[1], type=_ResultView)
    over = [
        one.winner
        for each in view.rounds
        for one in each.meetings
        if pair in one.pairs and one.winner is not None
    ]
    place = next((one.place for one in view.standings if one.pair == pair), 0)
    return TournamentResult(short, place if over else 0, over.count(pair), len(over))


def calling_rows(cursor: sqlite3.Cursor, since: str, limit: int) -> list[HallTournamentData]:
    """Views for the hall of tournaments since a day or without one, the latest first."""
    cursor.execute("SELECT hall FROM tournament WHERE hall <> '' ORDER BY opened DESC")
    found: Iterator[HallTournamentData] = (msgspec.json.decode(doc) for (doc,) in cursor)
    return list(islice((one for one in found if not one["date"] or one["date"] >= since), limit))
