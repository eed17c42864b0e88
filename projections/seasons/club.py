"""Players by person and pairs by id, as they stand after all merges."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, get_args
from uuid import UUID

from projections.follower.views import EventsUpTo
from referee.club import players as club
from referee.club.players import Club
from referee.events import ClubAct, PairId, PersonId, TextId
from referee.log.mapper import LoggedEvent, RecordedEvent

_OURS: Final = frozenset(get_args(ClubAct))


class Player(NamedTuple):
    """A person on the list. ``kept``: the id after all merges, usually their own."""

    person: PersonId
    kept: PersonId
    nickname: TextId
    club: TextId


class PairOfPlayers(NamedTuple):
    """A pair of two players, each by the id after all merges, in the order of the ids."""

    pair: PairId
    one: PersonId
    other: PersonId
    name: TextId


class ClubRows:
    """The rows of the club: one for each person that was ever listed, one for each pair."""

    name = "members"
    version = 2
    tables: Mapping[str, str] = {
        "player": "CREATE TABLE player (person TEXT PRIMARY KEY, kept TEXT, nickname TEXT,"
        " club TEXT) WITHOUT ROWID",
        "pair": "CREATE TABLE pair (id TEXT PRIMARY KEY, one TEXT, other TEXT, name TEXT)"
        " WITHOUT ROWID",
        "pair_kept": "CREATE TABLE pair_kept (pair TEXT PRIMARY KEY, kept TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX player_kept ON player (kept)",)

    def __init__(self) -> None:
        self._history: EventsUpTo | None = None
        self._state: Club | None = None

    def attach(self, history: EventsUpTo) -> None:
        """Set the function that reads earlier acts of the club."""
        self._history = history

    def forget(self) -> None:
        """Clear the cached state."""
        self._state = None

    def apply(self, batch: Sequence[LoggedEvent], cursor: sqlite3.Cursor) -> None:
        """Fold the acts of the club, then rewrite its rows if there were any."""
        mine = [one.recorded for one in batch if type(one.recorded.event) in _OURS]
        if not mine:
            return
        state = self._before(mine[0])
        for one in mine:
            assert isinstance(one.event, ClubAct)
            state = club.evolve(state, one.event)
        self._state = state
        _write(cursor, state)

    def _before(self, first: RecordedEvent) -> Club:
        """The club before an event of its stream."""
        version = first.originator_version
        if self._state is not None and version > 1:
            return self._state
        assert self._history is not None, "a view is attached to a log before it follows it"
        state = club.INITIAL
        for earlier in self._history(first.originator_id, version - 1) if version > 1 else ():
            assert isinstance(earlier.event, ClubAct)
            state = club.evolve(state, earlier.event)
        return state


def _write(cursor: sqlite3.Cursor, state: Club) -> None:
    """Replace the rows that differ: a merge also changes persons that were merged before."""
    players = [
        Player(person, state.kept(person), one.nickname, one.club)
        for person, one in state.players.items()
    ]
    cursor.executemany("INSERT OR REPLACE INTO player VALUES (?, ?, ?, ?)", players)
    pairs = [(pair, *sorted(one.players), one.name) for pair, one in state.standing_pairs().items()]
    cursor.execute("DELETE FROM pair")
    cursor.executemany("INSERT INTO pair VALUES (?, ?, ?, ?)", pairs)
    kept = state.kept_pairs().items()
    cursor.executemany("INSERT OR REPLACE INTO pair_kept VALUES (?, ?)", kept)


# --- questions -----------------------------------------------------------------------------------


def player_rows(cursor: sqlite3.Cursor) -> list[Player]:
    """Everybody who was ever listed, by person; merged persons are included."""
    cursor.execute("SELECT person, kept, nickname, club FROM player ORDER BY person")
    return [Player(*row) for row in cursor]


def pair_rows(cursor: sqlite3.Cursor) -> list[PairOfPlayers]:
    """Every pair that stands, by id."""
    cursor.execute("SELECT id, one, other, name FROM pair ORDER BY id")
    return [PairOfPlayers(*row) for row in cursor]


def pair_names_in(cursor: sqlite3.Cursor) -> dict[frozenset[PersonId], TextId]:
    """The name of each pair that has one, by its players after all merges."""
    cursor.execute("SELECT one, other, name FROM pair WHERE name <> ''")
    return {frozenset((one, other)): name for one, other, name in cursor}


def players_of(cursor: sqlite3.Cursor, pair: PairId) -> tuple[PersonId, ...]:
    """The two players of a pair that stands; nobody if it does not."""
    cursor.execute("SELECT one, other FROM pair WHERE id = ?", (pair,))
    return tuple(cursor.fetchone() or ())


def kept_pairs_in(cursor: sqlite3.Cursor) -> dict[PairId, PairId]:
    """Pairs that became another by merges: from the id of each to the one that stands."""
    cursor.execute("SELECT pair, kept FROM pair_kept WHERE kept <> pair")
    return dict(cursor.fetchall())


def kept_in(cursor: sqlite3.Cursor) -> dict[PersonId, PersonId]:
    """Merged persons: from the id of each to the id that was kept."""
    cursor.execute("SELECT person, kept FROM player WHERE kept <> person")
    return dict(cursor.fetchall())


def ids_of(kept: Mapping[str, str], one: str) -> list[str]:
    """Every id of a player or a pair after all merges, the one that was kept first."""
    return [one, *(gone for gone, stands in kept.items() if stands == one)]


def encuentros_of(cursor: sqlite3.Cursor, persons: Sequence[PersonId]) -> set[UUID]:
    """Encuentros at which any of some persons sat; none that was called off."""
    places = ", ".join("?" for _ in persons)
    cursor.execute(f"SELECT encuentro FROM held WHERE person IN ({places})", tuple(persons))  # noqa: S608 - places alone
    return {UUID(one) for (one,) in cursor}


def seated_in(cursor: sqlite3.Cursor) -> list[PersonId]:
    """Everybody who ever sat at an encuentro that was not called off.

    Goes from person to person in the index, not from encuentro to encuentro.
    """
    cursor.execute(
        "WITH RECURSIVE sat (person) AS (SELECT min(person) FROM held UNION ALL"
        " SELECT (SELECT min(person) FROM held WHERE person > sat.person) FROM sat"
        " WHERE sat.person IS NOT NULL) SELECT person FROM sat WHERE person IS NOT NULL"
    )
    return [person for (person,) in cursor]
