"""Rows of players by person and of pairs by id, as they stand after all merges."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from projections.players.queries import Player
from projections.runner.projection import Projection
from projections.runner.streams import FoldedBatch
from referee.aggregates.club import Club


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
