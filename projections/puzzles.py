"""Problems out of decided partidas, and what arrastres were worth."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from projections.runner.projection import Projection, find_view, replace_rows
from projections.runner.streams import FoldedBatch
from referee.aggregates.encuentro import Encuentro
from referee.aggregates.partida import Partida
from referee.analysis.deals import CannotAnalyse, arrastre_of
from referee.analysis.engine import NoAnalysis, is_installed
from referee.analysis.position import KnownPositionData
from referee.analysis.puzzles import Puzzle, PuzzleGoal, puzzle_of
from referee.analysis.questions import points_left, position_value
from referee.rules.cards import TOKENS
from referee.rules.seats import SIDES, Seat, Side
from referee.table.counts import items_of
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


def puzzle_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    """The row of the problem of a partida; none until it is decided, and of most of them."""
    try:
        found = puzzle_of(state.table)
    except NoAnalysis:
        return []
    if found is None or state.opened is None:
        return []
    view = msgspec.json.encode(puzzle_view(found), order="deterministic").decode()
    return [(partida, state.opened.encuentro, found.merit, view)]


def arrastre_rows(partida: str, state: Partida) -> list[tuple[object, ...]]:
    """A row for each arrastre of a decided partida that was played out with its cards."""
    table = state.table
    if table.decided is None or state.opened is None or len(SIDES[table.players]) != _TWO_SIDES:
        return []
    try:
        rows = [row for deal in table.all_deals for row in _price_arrastre(table, deal)]
    except NoAnalysis:
        return []
    return [(partida, row.deal, state.opened.encuentro, *row[1:]) for row in rows]


def puzzle_view(puzzle: Puzzle) -> PuzzleData:
    """A problem."""
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


def _price_arrastre(table: Table, deal: Deal) -> list[ArrastreRow]:
    """The arrastre of a deal; none if it was not played out, or not every card is known."""
    if not deal.is_played_out or deal.breaches or deal.ruled:
        return []
    try:
        first = arrastre_of(table, deal)[0]
    except CannotAnalyse:
        return []
    points, par = points_left(first.before), position_value(first.before, "A")
    if par is None:
        return []
    end = {"A": 0, "B": 0}
    for item in items_of(deal, table.options.last_trick_points, table.ruled_out):
        end[item.side] += item.points
    ahead = (end["A"] - first.made["A"]) - (end["B"] - first.made["B"])
    return [ArrastreRow(deal.number, points, par, (points + ahead) // 2)]


class PuzzlesProjection(Projection):
    """A row for each problem and each arrastre, and one for each encuentro that is over.

    ``day``: of an encuentro that was played to its end, on a day that is known.
    """

    name = "puzzles"
    version = 1 + is_installed()
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
        partidas = batch.of(Partida)
        puzzles = {one: puzzle_rows(one, state) for one, state in partidas}
        replace_rows(cursor, "puzzle", "partida", puzzles)
        arrastres = {one: arrastre_rows(one, state) for one, state in partidas}
        replace_rows(cursor, "arrastre", "partida", arrastres)
        days = {one: _day_rows(one, state) for one, state in batch.of(Encuentro)}
        replace_rows(cursor, "played_out", "encuentro", days)


def _day_rows(encuentro: str, state: Encuentro) -> list[tuple[object, ...]]:
    assert state.opened is not None
    is_over = state.won is not None and not state.is_called_off
    return [(encuentro, state.opened.date)] if is_over and state.opened.date else []


class PuzzleDay(NamedTuple):
    """A problem that may be set: its partida, the day it was played, and how well it reads."""

    partida: str
    day: str
    merit: int


def puzzle_days(cursor: sqlite3.Cursor, before: str) -> list[PuzzleDay]:
    """Problems of encuentros that are over, of days before one (``2026-11-23``)."""
    cursor.execute(
        "SELECT puzzle.partida, played_out.day, puzzle.merit FROM puzzle"
        " JOIN played_out ON played_out.encuentro = puzzle.encuentro WHERE played_out.day < ?"
        " ORDER BY played_out.day, puzzle.partida",
        (before,),
    )
    return [PuzzleDay(*row) for row in cursor]


def puzzle_row(cursor: sqlite3.Cursor, partida: str) -> PuzzleData | None:
    """The problem of a partida."""
    return find_view(cursor, PuzzleData, "SELECT puzzle FROM puzzle WHERE partida = ?", partida)


def arrastres_of(
    cursor: sqlite3.Cursor, encuentros: Sequence[UUID | str]
) -> dict[str, list[ArrastreRow]]:
    """Arrastres by encuentro, of those that are over."""
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
