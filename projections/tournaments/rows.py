"""Tournaments: one public row each, rewritten at every change."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, get_args
from uuid import UUID

import msgspec

from projections.follower.views import EventsUpTo
from projections.tournaments.rounds import Rounds
from projections.tournaments.view import (
    HallTournamentData,
    TournamentShortData,
    hall_view,
    short_view,
    tournament_view,
)
from referee.events import TournamentEvent
from referee.log.mapper import LoggedEvent, RecordedEvent
from referee.tournament.folding import evolve, fold
from referee.tournament.state import INITIAL, Tournament

KEPT: Final = 64
_OURS: Final = frozenset(get_args(TournamentEvent))


class TournamentRows:
    """Public views of tournaments: whole, short for lists, and for the board of the hall."""

    name = "tournaments"
    version = 3
    tables: Mapping[str, str] = {
        "tournament": "CREATE TABLE tournament (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " view TEXT, hall TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = (
        "CREATE INDEX tournament_opened ON tournament (opened)",
        "CREATE INDEX tournament_calling ON tournament (opened) WHERE hall <> ''",
    )

    def __init__(self) -> None:
        self._history: EventsUpTo | None = None
        self._kept: OrderedDict[UUID, tuple[Tournament, Rounds]] = OrderedDict()

    def attach(self, history: EventsUpTo) -> None:
        """Set the function that reads a tournament that is not cached."""
        self._history = history

    def forget(self) -> None:
        """Clear the cache of states."""
        self._kept.clear()

    def apply(self, batch: Sequence[LoggedEvent], cursor: sqlite3.Cursor) -> None:
        """Fold the batch, then write each tournament that it touched once."""
        touched: dict[UUID, Tournament] = {}
        for logged in batch:
            event: Any = logged.recorded.event
            if type(event) not in _OURS:
                continue
            stream = logged.recorded.originator_id
            before = touched.get(stream) or self._state(logged.recorded)
            touched[stream] = evolve(before, event)
            if logged.recorded.originator_version == 1:
                cursor.execute(
                    "INSERT OR REPLACE INTO tournament VALUES (?, ?, '', '', '')",
                    (str(stream), logged.position),
                )
        for stream, state in touched.items():
            key, (_, rounds) = str(stream), self._kept.get(stream, (state, Rounds()))
            whole = tournament_view(key, state, rounds)
            cursor.execute(
                "UPDATE tournament SET short = ?, view = ?, hall = ? WHERE id = ?",
                (_json(short_view(key, state)), _json(whole), _json(hall_view(key, state)), key),
            )
            self._keep(stream, state, rounds)

    def _state(self, recorded: RecordedEvent) -> Tournament:
        """State of a tournament before an event."""
        stream, version = recorded.originator_id, recorded.originator_version
        if version == 1:
            return INITIAL
        if stream in self._kept:
            return self._kept[stream][0]
        assert self._history is not None, "a view is attached to a log before it follows it"
        events: Any = (earlier.event for earlier in self._history(stream, version - 1))
        return fold(events)

    def _keep(self, stream: UUID, state: Tournament, rounds: Rounds) -> None:
        self._kept[stream] = (state, rounds)
        self._kept.move_to_end(stream)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _json(view: Mapping[str, object] | None) -> str:
    return "" if view is None else msgspec.json.encode(view, order="deterministic").decode()


# --- questions -----------------------------------------------------------------------------------


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


def calling_rows(cursor: sqlite3.Cursor, since: str, limit: int) -> list[HallTournamentData]:
    """Views for the hall of tournaments since a day or without one, the latest first."""
    cursor.execute("SELECT hall FROM tournament WHERE hall <> '' ORDER BY opened DESC")
    found: Iterator[HallTournamentData] = (msgspec.json.decode(doc) for (doc,) in cursor)
    return list(islice((one for one in found if not one["date"] or one["date"] >= since), limit))
