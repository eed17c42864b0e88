"""Problems from decided partidas, and what each arrastre was worth."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from projections.runner.projection import (
    FoldedBatch,
    Projection,
    decode_first_row_or_none,
    replace_rows,
)
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida
from referee.analysis.deals import CannotAnalyse, arrastre_cards_with_positions
from referee.analysis.engine import NoAnalysis, is_wasmtime_installed
from referee.analysis.position import KnownPositionData
from referee.analysis.puzzles import Puzzle, PuzzleGoal, best_puzzle_of_partida
from referee.analysis.questions import points_left, position_value_or_none
from referee.rules.cards import TOKENS
from referee.rules.seats import SIDES, Seat, Side
from referee.table.counts import score_items
from referee.table.state import Deal, Table

_TWO_SIDES: Final = 2


class PuzzleData(msgspec.Struct, frozen=True):
    """A problem: the position with A1 to play, what its side needs, and the one card that does it.

    ``need``: points still to be made; ``rival``: before the others make these, 0 if that does not
    matter. ``scores``: of both sides in the partida before the card. ``loss``: points that the next
    best lawful card takes less. ``line``: seats and cards, one way to go on with best play of all,
    until it is done. Nothing in it says who played it, when or where.
    """

    known: KnownPositionData
    goal: PuzzleGoal
    need: int
    rival: int
    scores: dict[Side, int]
    card: str
    loss: int
    line: list[tuple[Seat, str]]


class ArrastreRow(NamedTuple):
    """An arrastre of two sides that was played out, and what it was worth when it began.

    ``points``: all that was to be won. ``par``: what side A makes with best play of all; ``made``:
    what it made. Half of a cante counts to its side, and half is taken from the others, so that
    side B has the rest of ``points`` of both.
    """

    deal: int
    points: int
    par: int
    made: int


def puzzle_rows_to_write(partida: str, state: Partida) -> list[tuple[object, ...]]:
    """Row of the problem in a decided partida; empty for most partidas."""
    try:
        found = best_puzzle_of_partida(state.table)
    except NoAnalysis:
        return []
    if found is None or state.opened is None:
        return []
    view = msgspec.json.encode(puzzle_view(found), order="deterministic").decode()
    return [(partida, state.opened.encuentro, found.merit, view)]


def arrastre_rows_to_write(partida: str, state: Partida) -> list[tuple[object, ...]]:
    """A row for each arrastre of a decided partida that was played out with its cards."""
    table = state.table
    if table.decided is None or state.opened is None or len(SIDES[table.players]) != _TWO_SIDES:
        return []
    try:
        rows = [row for deal in table.all_deals for row in _arrastre_rows_of_deal(table, deal)]
    except NoAnalysis:
        return []
    return [(partida, row.deal, state.opened.encuentro, *row[1:]) for row in rows]


def puzzle_view(puzzle: Puzzle) -> PuzzleData:
    """View of a problem."""
    return PuzzleData(
        known=puzzle.known.data(),
        goal=puzzle.goal.kind,
        need=puzzle.goal.need,
        rival=puzzle.goal.rival,
        scores=puzzle.scores,
        card=TOKENS[puzzle.card],
        loss=puzzle.loss,
        line=[(seat, TOKENS[card]) for seat, card in puzzle.line],
    )


def _arrastre_rows_of_deal(table: Table, deal: Deal) -> list[ArrastreRow]:
    """Value of the arrastre of a deal.

    Empty if it was not played to the end, or a card is unknown.
    """
    if not deal.is_played_out or deal.breaches or deal.ruled:
        return []
    try:
        first = arrastre_cards_with_positions(table, deal)[0]
    except CannotAnalyse:
        return []
    points, par = points_left(first.before), position_value_or_none(first.before, "A")
    if par is None:
        return []
    end = {"A": 0, "B": 0}
    for item in score_items(deal, table.options.last_trick_points, table.ruled_out):
        end[item.side] += item.points
    ahead = (end["A"] - first.made["A"]) - (end["B"] - first.made["B"])
    return [ArrastreRow(deal.number, points, par, (points + ahead) // 2)]


class PuzzlesProjection(Projection):
    """A row for each problem and each arrastre, and one for each encuentro that is over.

    ``day``: of an encuentro that was played to its end, on a day that is known.
    """

    name = "puzzles"
    version = 1 + is_wasmtime_installed()
    """Even with the engine of the analysis; without it the same events give fewer rows."""
    tables: Mapping[str, str] = {
        "puzzle": "CREATE TABLE puzzle (partida TEXT PRIMARY KEY, encuentro TEXT, merit INTEGER,"
        " puzzle TEXT) WITHOUT ROWID",
        "arrastre": "CREATE TABLE arrastre (partida TEXT, deal INTEGER, encuentro TEXT,"
        " points INTEGER, par INTEGER, made INTEGER, PRIMARY KEY (partida, deal)) WITHOUT ROWID",
        "played_out": "CREATE TABLE played_out (encuentro TEXT PRIMARY KEY, day TEXT)"
        " WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX arrastre_of ON arrastre (encuentro)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Replace the rows of the changed partidas and encuentros."""
        partidas = batch.states_of_kind(Partida)
        puzzles = {one: puzzle_rows_to_write(one, state) for one, state in partidas}
        replace_rows(cursor, "puzzle", "partida", puzzles)
        arrastres = {one: arrastre_rows_to_write(one, state) for one, state in partidas}
        replace_rows(cursor, "arrastre", "partida", arrastres)
        days = {
            one: _encuentro_day_rows(one, state) for one, state in batch.states_of_kind(Encuentro)
        }
        replace_rows(cursor, "played_out", "encuentro", days)


def _encuentro_day_rows(encuentro: str, state: Encuentro) -> list[tuple[object, ...]]:
    assert state.opened is not None
    is_over = state.win is not None and not state.is_called_off
    return [(encuentro, state.opened.date)] if is_over and state.opened.date else []


class PuzzleDay(NamedTuple):
    """A problem that may be set: its partida, the day it was played, and how well it reads."""

    partida: str
    day: str
    merit: int


def puzzle_days_before(cursor: sqlite3.Cursor, before: str) -> list[PuzzleDay]:
    """Partida, day and merit of problems from encuentros over and played before a day."""
    cursor.execute(
        "SELECT puzzle.partida, played_out.day, puzzle.merit FROM puzzle"
        " JOIN played_out ON played_out.encuentro = puzzle.encuentro WHERE played_out.day < ?"
        " ORDER BY played_out.day, puzzle.partida",
        (before,),
    )
    return [PuzzleDay(*row) for row in cursor]


def find_puzzle_view(cursor: sqlite3.Cursor, partida: str) -> PuzzleData | None:
    """The problem in a partida; None if there is none."""
    return decode_first_row_or_none(
        cursor, PuzzleData, "SELECT puzzle FROM puzzle WHERE partida = ?", partida
    )


def arrastre_values_of_encuentros(
    cursor: sqlite3.Cursor, encuentros: Sequence[UUID | str]
) -> dict[str, list[ArrastreRow]]:
    """Arrastres of some encuentros, by encuentro; only of encuentros that are over."""
    ids = msgspec.json.encode([str(one) for one in encuentros]).decode()
    cursor.execute(
        "SELECT arrastre.encuentro, deal, points, par, made FROM arrastre"
        " JOIN played_out ON played_out.encuentro = arrastre.encuentro"
        " WHERE arrastre.encuentro IN (SELECT value FROM json_each(?))"
        " ORDER BY arrastre.partida, deal",
        (ids,),
    )
    found: dict[str, list[ArrastreRow]] = {}
    for encuentro, *row in cursor:
        found.setdefault(encuentro, []).append(ArrastreRow(*row))
    return found
