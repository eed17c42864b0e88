"""Players and pairs of the club after all merges."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from projections.runner.projection import Projection
from projections.runner.streams import FoldedBatch
from referee.aggregates.club import Club
from referee.events import PairId, PersonId, TextId


class Player(NamedTuple):
    """A person on the list. ``kept``: the id after all merges, usually their own.

    ``plays``: not if they were put aside.
    """

    person: PersonId
    kept: PersonId
    nickname: TextId
    club: TextId
    plays: bool = True


class PairOfPlayers(NamedTuple):
    """A pair of two players, each by the id after all merges, in the order of the ids."""

    pair: PairId
    one: PersonId
    other: PersonId
    name: TextId


def player_rows(cursor: sqlite3.Cursor) -> list[Player]:
    """Everybody who was ever listed, by person; merged persons are included."""
    cursor.execute("SELECT person, kept, nickname, club, plays FROM player ORDER BY person")
    return [
        Player(person, kept, nickname, club, bool(plays))
        for person, kept, nickname, club, plays in cursor
    ]


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


def pair_merges(cursor: sqlite3.Cursor) -> dict[PairId, PairId]:
    """Pairs that became another by merges: from the id of each to the one that stands."""
    cursor.execute("SELECT pair, kept FROM pair_kept WHERE kept <> pair")
    return dict(cursor.fetchall())


def player_merges(cursor: sqlite3.Cursor) -> dict[PersonId, PersonId]:
    """Merged persons: from the id of each to the id that was kept."""
    cursor.execute("SELECT person, kept FROM player WHERE kept <> person")
    return dict(cursor.fetchall())


def retirees(cursor: sqlite3.Cursor) -> frozenset[PersonId]:
    """Who plays no more."""
    cursor.execute("SELECT person FROM player WHERE plays = 0")
    return frozenset(person for (person,) in cursor)


def ids_of(kept: Mapping[str, str], one: str) -> list[str]:
    """Every id of a player or a pair after all merges, the one that was kept first."""
    return [one, *(gone for gone, stands in kept.items() if stands == one)]


class PlayersProjection(Projection):
    """One row for each person that was ever listed, one for each pair."""

    name = "players"
    version = 2
    tables: Mapping[str, str] = {
        "player": "CREATE TABLE player (person TEXT PRIMARY KEY, kept TEXT, nickname TEXT,"
        " club TEXT, plays INTEGER) WITHOUT ROWID",
        "pair": "CREATE TABLE pair (id TEXT PRIMARY KEY, one TEXT, other TEXT, name TEXT)"
        " WITHOUT ROWID",
        "pair_kept": "CREATE TABLE pair_kept (pair TEXT PRIMARY KEY, kept TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX player_kept ON player (kept)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows if the club changed."""
        for _, state in batch.of(Club):
            _write(cursor, state)


def _write(cursor: sqlite3.Cursor, state: Club) -> None:
    """Replace the rows that differ: a merge also changes persons that were merged before."""
    players = [
        Player(person, state.id_after_merges(person), one.nickname, one.club, plays)
        for person, one in state.players.items()
        for plays in (person not in state.retired,)
    ]
    cursor.executemany("INSERT OR REPLACE INTO player VALUES (?, ?, ?, ?, ?)", players)
    pairs = [(pair, *sorted(one.players), one.name) for pair, one in state.standing_pairs().items()]
    cursor.execute("DELETE FROM pair")
    cursor.executemany("INSERT INTO pair VALUES (?, ?, ?, ?)", pairs)
    kept = state.pair_ids().items()
    cursor.executemany("INSERT OR REPLACE INTO pair_kept VALUES (?, ?)", kept)
