"""Results of players: one row for each player and encuentro, from which seasons are counted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from referee.aggregates.encuentro import (
    UNDECIDED,
    Encuentro,
    final_score_in_force,
    options_of,
    persons_by_seat_at_partida,
    standing_over_partidas,
)
from referee.aggregates.partida import Partida
from referee.aggregates.result import is_denied
from referee.rules.counts import CANTE_OF_TRUMP
from referee.rules.match_scores import score_of_standing
from referee.rules.seats import side_of
from referee.table.accusations import line_and_seat_of_costly_renuncio
from referee.table.state import Table

HeldTable: TypeAlias = Literal["held", "held_pair"]
"""Results of persons, and of pairs; in the latter ``person`` is the id of a pair."""


def results_table_sql(name: HeldTable) -> str:
    """SQL statement that creates a table of results."""
    return (
        f"CREATE TABLE {name} (held_in TEXT, encuentro TEXT, person TEXT, day TEXT, side TEXT,"
        " outcome TEXT, cotos INTEGER, cotos_lost INTEGER, partidas INTEGER, partidas_lost INTEGER,"
        " twenties INTEGER, forties INTEGER, tutes INTEGER, renuncios INTEGER,"
        " PRIMARY KEY (held_in, encuentro, person)) WITHOUT ROWID"
    )


TALLIES: Final = (
    "CREATE TABLE feat (partida TEXT, seat TEXT, encuentro TEXT, number INTEGER, twenties INTEGER,"
    " forties INTEGER, tutes INTEGER, renuncios INTEGER, PRIMARY KEY (partida, seat)) WITHOUT ROWID"
)
INDEXES: Final = (
    "CREATE INDEX held_by ON held (person, day)",
    "CREATE INDEX feat_of ON feat (encuentro, number)",
)
CountedUnit: TypeAlias = Literal["coto", "partida"]
WON, LEVEL, LOST, OPEN = "won", "level", "lost", ""


class SeatTally(NamedTuple):
    """Counts of the player at a seat in a decided partida."""

    twenties: int = 0
    forties: int = 0
    tutes: int = 0
    renuncios: int = 0


class PlayerResult(NamedTuple):
    """Result of a player in an encuentro. ``outcome``: won, level, lost; empty while it is open."""

    held_in: str
    encuentro: str
    person: str
    day: str
    side: str
    outcome: str
    cotos: int
    cotos_lost: int
    partidas: int
    partidas_lost: int
    twenties: int
    forties: int
    tutes: int
    renuncios: int


@dataclass(slots=True)
class ResultCounts:
    """Counts of one player or pair in an encuentro, while they are added up."""

    cotos: int = 0
    cotos_lost: int = 0
    partidas: int = 0
    partidas_lost: int = 0
    twenties: int = 0
    forties: int = 0
    tutes: int = 0
    renuncios: int = 0

    def add_unit(self, what: CountedUnit, *, is_won: bool) -> None:
        """Add a coto or a partida that was won or lost."""
        match what, is_won:
            case "coto", True:
                self.cotos += 1
            case "coto", False:
                self.cotos_lost += 1
            case "partida", True:
                self.partidas += 1
            case _:
                self.partidas_lost += 1

    def add_feats(self, done: SeatTally) -> None:
        """Add the cantes that a seat announced and the renuncios that it lost by."""
        self.twenties += done.twenties
        self.forties += done.forties
        self.tutes += done.tutes
        self.renuncios += done.renuncios


TalliesBySeat: TypeAlias = Mapping[int, Mapping[str, SeatTally]]
"""Tallies by number of the partida and seat."""
_MARKS: Final = ", ".join("?" for _ in PlayerResult._fields)


def seat_tallies_of_partida(state: Partida) -> dict[str, SeatTally]:
    """Tally of each seat; empty until the partida is decided.

    A tute counts for everybody of its side. A renuncio counts if it lost the partida and its seat
    is known; a mere finding does not count.
    """
    table = state.table
    won = table.decided
    if won is None:
        return {}
    if won.how not in ("tute", "renuncio") and not any(deal.cantes for deal in table.all_deals):
        return {}
    found: dict[str, SeatTally] = {}
    for seat in table.seats:
        sung = [
            cante.points == CANTE_OF_TRUMP
            for deal in table.all_deals
            for cante in deal.cantes
            if cante.seat == seat and not cante.void
        ]
        has_tute = won.how == "tute" and side_of(seat) == won.winner
        feats = SeatTally(
            sung.count(False),
            sung.count(True),
            has_tute,
            seat == _seat_that_lost_by_renuncio(table),
        )
        if any(feats):
            found[seat] = feats
    return found


def _seat_that_lost_by_renuncio(table: Table) -> str:
    """Seat that lost the partida by a renuncio; empty if none did, or if the seat is unknown."""
    won = table.decided
    if won is None or won.how != "renuncio":
        return ""
    proved = line_and_seat_of_costly_renuncio(table)
    if proved is not None:
        return proved[1] if side_of(proved[1]) != won.winner else ""
    lost = [seat for seat in table.seats if side_of(seat) != won.winner]
    is_undenounced = not any(deal.denunciations for deal in table.all_deals)
    return lost[0] if is_undenounced and len(lost) == 1 else ""


def player_results(encuentro: str, state: Encuentro, feats: TalliesBySeat) -> list[PlayerResult]:
    """A row for each person who sat in an encuentro; none if it was called off.

    A partida and its coto count for the persons seated when it ended, the encuentro for those
    seated at its end, and so does what was only told of the final score.
    """
    opened = state.opened
    assert opened is not None
    if state.is_called_off:
        return []
    sat = {
        person: side_of(seat)
        for seats in [*(dict(seats) for _, seats in state.seatings), dict(state.seats)]
        for seat, person in seats.items()
    }
    counted = {person: ResultCounts() for person in sat}
    for partida in state.partidas:
        seats = persons_by_seat_at_partida(state, partida.partida)
        for seat, done in feats.get(partida.partida, {}).items():
            if seat in seats:
                counted[seats[seat]].add_feats(done)
    add_partidas_and_cotos(counted, state, lambda number: persons_by_seat_at_partida(state, number))
    add_score_beyond_record(counted, state, dict(state.seats))
    outcomes = side_and_outcome_by_player(state)
    return [
        PlayerResult(
            opened.held_in,
            encuentro,
            person,
            opened.date,
            side,
            outcomes.get(person, (side, OPEN))[1],
            *astuple(counted[person]),
        )
        for person, side in sorted(sat.items())
    ]


def side_and_outcome_by_player(state: Encuentro) -> dict[str, tuple[str, str]]:
    """Side and outcome, as a pair, of each person seated at the end.

    Empty while the result is open or denied.
    """
    if state.is_called_off or not is_result_counted(state):
        return {}
    seats = {person: side_of(seat) for seat, person in dict(state.seats).items()}
    return {person: (side, outcome_of_side(state, side)) for person, side in seats.items()}


def is_result_counted(state: Encuentro) -> bool:
    """Whether the result of an encuentro counts: there is one, and no side denies it."""
    return state.win is not None and not is_denied(state.result, state.outcome_with_partidas)


def add_partidas_and_cotos(
    counted: Mapping[str, ResultCounts],
    state: Encuentro,
    seats_of: Callable[[int], Mapping[str, str]],
) -> None:
    """Add to the counts the partidas and cotos of the record, unless a side denies the result.

    ``seats_of``: who counts as seated at a partida.
    """
    if is_denied(state.result, state.outcome_with_partidas):
        return
    for partida in state.partidas:
        if partida.how != UNDECIDED:
            _add_unit_for_seats(counted, seats_of(partida.partida), partida.winner, "partida")
    for made in standing_over_partidas(state).made:
        _add_unit_for_seats(counted, seats_of(made.partida), made.winner, "coto")


def add_score_beyond_record(
    counted: Mapping[str, ResultCounts], state: Encuentro, seats: Mapping[str, str]
) -> None:
    """Add what a told score has more than the record, for those seated at the end.

    It says nothing of the partidas of a coto, so these are not counted; nor is what a side denies.
    """
    score, options = final_score_in_force(state), options_of(state)
    if score is None or not is_result_counted(state):
        return
    recorded = score_of_standing(standing_over_partidas(state), options)
    what: CountedUnit = "partida" if options.match_format == "fixed_partidas" else "coto"
    for side, told in score.items():
        for _ in range(told - recorded[side]):
            _add_unit_for_seats(counted, seats, side, what)


def _add_unit_for_seats(
    counted: Mapping[str, ResultCounts],
    seats: Mapping[str, str],
    winner: str,
    what: CountedUnit,
) -> None:
    """Add a won or lost unit for each person seated; nothing for a draw."""
    if winner:
        for seat, person in seats.items():
            counted[person].add_unit(what, is_won=side_of(seat) == winner)


def outcome_of_side(state: Encuentro, side: str) -> str:
    """Outcome of an encuentro for a side: won, level or lost.

    Empty while the result is open or denied.
    """
    if state.win is None or not is_result_counted(state):
        return OPEN
    if not state.win.winner:
        return LEVEL
    return WON if state.win.winner == side else LOST


# --- written -------------------------------------------------------------------------------------


def rewrite_tallies_of_partidas(
    cursor: sqlite3.Cursor, partidas: Sequence[tuple[str, Partida]]
) -> set[str]:
    """Rewrite the tallies of partidas; returns the encuentros whose tallies changed."""
    rows = {(row[0], row[1]): row for one in partidas for row in _tally_rows(*one)}
    ids = json.dumps([partida for partida, _ in partidas])
    cursor.execute("SELECT * FROM feat WHERE partida IN (SELECT value FROM json_each(?))", (ids,))
    before = {(row[0], row[1]): row for row in cursor.fetchall()}
    other = [key for key in {*rows, *before} if rows.get(key) != before.get(key)]
    cursor.executemany("DELETE FROM feat WHERE partida = ? AND seat = ?", other)
    new = [rows[key] for key in other if key in rows]
    cursor.executemany("INSERT INTO feat VALUES (?, ?, ?, ?, ?, ?, ?, ?)", new)
    return {str((rows.get(key) or before[key])[2]) for key in other}


def _tally_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    assert state.opened is not None
    opened = state.opened
    return [
        (partida, seat, opened.encuentro, opened.number, *map(int, feats))
        for seat, feats in seat_tallies_of_partida(state).items()
    ]


def write_player_results(cursor: sqlite3.Cursor, encuentro: str, state: Encuentro) -> None:
    """Rewrite the result rows of the players of an encuentro."""
    assert state.opened is not None
    rows = player_results(encuentro, state, seat_tallies_of_encuentro(cursor, encuentro))
    if rows != results_of_encuentro(cursor, "held", state.opened.held_in, encuentro):
        replace_results(cursor, "held", state.opened.held_in, encuentro, rows)


def replace_results(
    cursor: sqlite3.Cursor,
    table: HeldTable,
    held_in: str,
    encuentro: str,
    rows: Iterable[PlayerResult],
) -> None:
    """Replace the rows of an encuentro in a table of results."""
    key = (held_in, encuentro)
    cursor.execute(f"DELETE FROM {table} WHERE held_in = ? AND encuentro = ?", key)  # noqa: S608 - literals of ours
    cursor.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({_MARKS})", rows)  # noqa: S608 - literals of ours


# --- read ----------------------------------------------------------------------------------------


def results_of_encuentro(
    cursor: sqlite3.Cursor, table: HeldTable, held_in: str, encuentro: str
) -> list[PlayerResult]:
    """Rows of an encuentro, by person or by pair."""
    cursor.execute(
        f"SELECT * FROM {table} WHERE held_in = ? AND encuentro = ? ORDER BY person",  # noqa: S608 - literals of ours
        (held_in, encuentro),
    )
    return [PlayerResult(*row) for row in cursor]


def seat_tallies_of_encuentro(
    cursor: sqlite3.Cursor, encuentro: str
) -> dict[int, dict[str, SeatTally]]:
    """Tallies of the partidas of an encuentro, by number and seat."""
    cursor.execute(
        "SELECT number, seat, twenties, forties, tutes, renuncios FROM feat WHERE encuentro = ?",
        (encuentro,),
    )
    found: dict[int, dict[str, SeatTally]] = {}
    for number, seat, *feats in cursor:
        found.setdefault(number, {})[seat] = SeatTally(*feats)
    return found
