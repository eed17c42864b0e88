"""Results of fixed pairs: one row for each pair and encuentro of an evening of pairs.

A side of such an encuentro is a pair, whoever sits there: a substitute plays for the pair.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import Final

from projections.seasons.results import (
    PlayerResult,
    ResultCounts,
    SeatTally,
    TalliesBySeat,
    add_partidas_and_cotos,
    add_score_beyond_record,
    outcome_of_side,
    replace_results,
    results_table_sql,
    seat_tallies_of_encuentro,
)
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.session import Session
from referee.events import PairId, SideName, TextId
from referee.rules.seats import side_of

TABLES: Final = {
    "paired": "CREATE TABLE paired (encuentro TEXT, side TEXT, pair TEXT, session TEXT,"
    " PRIMARY KEY (encuentro, side)) WITHOUT ROWID",
    "held_pair": results_table_sql("held_pair"),
    "attended_pair": "CREATE TABLE attended_pair (session TEXT, person TEXT,"
    " PRIMARY KEY (session, person)) WITHOUT ROWID",
}
"""The columns are those of the tables of persons; ``person`` is the id of a pair."""
INDEXES: Final = (
    "CREATE INDEX paired_in ON paired (session)",
    "CREATE INDEX held_pair_by ON held_pair (person, day)",
    "CREATE INDEX held_pair_on ON held_pair (day, encuentro)",
)
_SIDES: Final[tuple[SideName, ...]] = ("A", "B")


def pair_results_from_encuentro(
    encuentro: str, state: Encuentro, feats: TalliesBySeat, pairs: Mapping[SideName, PairId]
) -> list[PlayerResult]:
    """Results of the pairs of an encuentro, a row each, under the id of the pair.

    What the side did together counts once (points, tutes), what its seats did is added up
    (cantes, renuncios).
    """
    opened = state.opened
    assert opened is not None
    if state.is_called_off:
        return []
    seats = {f"{side}1": pair for side, pair in pairs.items()}
    counted = {pair: ResultCounts() for pair in pairs.values()}
    add_partidas_and_cotos(counted, state, lambda _: seats)
    add_score_beyond_record(counted, state, seats)
    for tallies in feats.values():
        for side, pair in pairs.items():
            mine = [done for seat, done in tallies.items() if side_of(seat) == side]
            made = SeatTally(
                twenties=sum(one.twenties for one in mine),
                forties=sum(one.forties for one in mine),
                tutes=int(any(one.tutes for one in mine)),
                renuncios=sum(one.renuncios for one in mine),
            )
            counted[pair].add_feats(made)
    return sorted(
        PlayerResult(
            opened.held_in,
            encuentro,
            pair,
            opened.date,
            side,
            outcome_of_side(state, side),
            *astuple(counted[pair]),
        )
        for side, pair in pairs.items()
    )


# --- written -------------------------------------------------------------------------------------


def write_pairs_of_session(cursor: sqlite3.Cursor, session: str, state: Session) -> None:
    """Rewrite which pair played on each side of each table of an evening, and who attended."""
    tables = [one for one in state.tables if one.pairs]
    cursor.execute("DELETE FROM paired WHERE session = ?", (session,))
    cursor.executemany(
        "INSERT OR REPLACE INTO paired VALUES (?, ?, ?, ?)",
        [
            (table.encuentro, side, pair, session)
            for table in tables
            for side, pair in zip(_SIDES, table.pairs, strict=False)
        ],
    )
    cursor.execute(
        "DELETE FROM held_pair WHERE held_in = ?"
        " AND encuentro NOT IN (SELECT encuentro FROM paired WHERE session = ?)",
        (session, session),
    )
    attended = dict.fromkeys([*(pair for one in tables for pair in one.pairs), *state.pairs])
    cursor.execute("DELETE FROM attended_pair WHERE session = ?", (session,))
    cursor.executemany(
        "INSERT INTO attended_pair VALUES (?, ?)", [(session, pair) for pair in attended]
    )


def write_pair_results(cursor: sqlite3.Cursor, encuentro: str, state: Encuentro) -> None:
    """Replace the rows of the pairs of an encuentro, if pairs play in it."""
    pairs = pair_by_side_of_encuentro(cursor, encuentro)
    if not pairs:
        return
    assert state.opened is not None
    rows = pair_results_from_encuentro(
        encuentro, state, seat_tallies_of_encuentro(cursor, encuentro), pairs
    )
    replace_results(cursor, "held_pair", state.opened.held_in, encuentro, rows)


# --- read ----------------------------------------------------------------------------------------


def pair_by_side_of_encuentro(cursor: sqlite3.Cursor, encuentro: str) -> dict[SideName, PairId]:
    """Pair on each side of an encuentro; empty if no fixed pairs play in it."""
    cursor.execute("SELECT side, pair FROM paired WHERE encuentro = ? ORDER BY side", (encuentro,))
    return dict(cursor.fetchall())


def pair_by_encuentro_side(
    cursor: sqlite3.Cursor, since: str
) -> dict[tuple[str, str], tuple[str, str]]:
    """Players of the fixed pair on each side, by encuentro and side, from a day on."""
    cursor.execute(
        "SELECT held_pair.encuentro, held_pair.side, pair.one, pair.other FROM held_pair"
        " JOIN pair_kept ON pair_kept.pair = held_pair.person JOIN pair ON pair.id = pair_kept.kept"
        " WHERE held_pair.day >= ?",
        (since,),
    )
    return {(encuentro, side): (one, other) for encuentro, side, one, other in cursor}


def name_id_by_pair(cursor: sqlite3.Cursor, pairs: Iterable[PairId]) -> dict[PairId, TextId]:
    """Ids of the names of pairs, by pair; pairs without a name are left out."""
    cursor.execute(
        "SELECT pair_kept.pair, pair.name FROM pair_kept JOIN pair ON pair.id = pair_kept.kept"
        " WHERE pair.name <> '' AND pair_kept.pair IN (SELECT value FROM json_each(?))",
        (json.dumps([*pairs]),),
    )
    return dict(cursor.fetchall())


def pair_name_ids_by_encuentro(
    cursor: sqlite3.Cursor, encuentros: Iterable[str]
) -> dict[str, dict[SideName, TextId]]:
    """Ids of pair names by encuentro and side; sides without a named pair are left out."""
    cursor.execute(
        "SELECT paired.encuentro, paired.side, pair.name FROM paired"
        " JOIN pair_kept ON pair_kept.pair = paired.pair JOIN pair ON pair.id = pair_kept.kept"
        " WHERE pair.name <> '' AND paired.encuentro IN (SELECT value FROM json_each(?))",
        (json.dumps([*encuentros]),),
    )
    found: dict[str, dict[SideName, TextId]] = {}
    for encuentro, side, name in cursor:
        found.setdefault(encuentro, {})[side] = name
    return found
