"""Players and pairs of the club after all merges."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from projections.runner.projection import FoldedBatch, Projection
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
    """Every person who was ever on the club's list, those merged into others included."""
    cursor.execute("SELECT person, kept, nickname, club, plays FROM player ORDER BY person")
    return [
        Player(person, kept, nickname, club, bool(plays))
        for person, kept, nickname, club, plays in cursor
    ]


def pair_rows(cursor: sqlite3.Cursor) -> list[PairOfPlayers]:
    """Every pair that was not merged into another, by id."""
    cursor.execute("SELECT id, one, other, name FROM pair ORDER BY id")
    return [PairOfPlayers(*row) for row in cursor]


def pair_names_by_players(cursor: sqlite3.Cursor) -> dict[frozenset[PersonId], TextId]:
    """The name of each pair that has one, by its players after all merges."""
    cursor.execute("SELECT one, other, name FROM pair WHERE name <> ''")
    return {frozenset((one, other)): name for one, other, name in cursor}


def players_of_pair(cursor: sqlite3.Cursor, pair: PairId) -> tuple[PersonId, ...]:
    """The two players of a pair; empty if the pair was merged or does not exist."""
    cursor.execute("SELECT one, other FROM pair WHERE id = ?", (pair,))
    return tuple(cursor.fetchone() or ())


def pair_merges(cursor: sqlite3.Cursor) -> dict[PairId, PairId]:
    """For each pair that was merged into another, the id of the pair that is kept."""
    cursor.execute("SELECT pair, kept FROM pair_kept WHERE kept <> pair")
    return dict(cursor.fetchall())


def player_merges(cursor: sqlite3.Cursor) -> dict[PersonId, PersonId]:
    """For each person who was merged into another, the id of the person that is kept."""
    cursor.execute("SELECT person, kept FROM player WHERE kept <> person")
    return dict(cursor.fetchall())


def retirees(cursor: sqlite3.Cursor) -> frozenset[PersonId]:
    """Persons who do not play any more."""
    cursor.execute("SELECT person FROM player WHERE plays = 0")
    return frozenset(person for (person,) in cursor)


def every_id_of(kept: Mapping[str, str], one: str) -> list[str]:
    """Every id that a player or a pair ever had before merges, the kept one first."""
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
        """Rewrite the rows that differ if the batch changed the club."""
        for _, state in batch.states_of_kind(Club):
            _write_players_and_pairs(cursor, state)


def _write_players_and_pairs(cursor: sqlite3.Cursor, state: Club) -> None:
    """Replace the rows that differ: a merge also changes persons that were merged before."""
    players = [
        Player(person, state.id_after_merges(person), one.nickname, one.club, plays)
        for person, one in state.players.items()
        for plays in (person not in state.retired,)
    ]
    cursor.executemany("INSERT OR REPLACE INTO player VALUES (?, ?, ?, ?, ?)", players)
    pairs = [
        (pair, *sorted(one.players), one.name) for pair, one in state.pairs_after_merges().items()
    ]
    cursor.execute("DELETE FROM pair")
    cursor.executemany("INSERT INTO pair VALUES (?, ?, ?, ?)", pairs)
    kept = state.pair_ids_after_merges().items()
    cursor.executemany("INSERT OR REPLACE INTO pair_kept VALUES (?, ?)", kept)
