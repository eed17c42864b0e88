"""The problem of a decided partida, and the par of its arrastres.

The engine of the analysis works them out. Its answers depend on nothing but the cards, so the
rows have the same bytes wherever it is there.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypedDict

import msgspec

from referee.aggregates.partida import Partida
from referee.analysis.deals import CannotAnalyse, arrastre_of
from referee.analysis.engine import NoAnalysis
from referee.analysis.position import KnownPositionData
from referee.analysis.puzzles import Puzzle, PuzzleGoal, puzzle_of
from referee.analysis.questions import points_left, value
from referee.rules.cards import TOKENS
from referee.rules.seats import SIDES, Seat, Side
from referee.table.counts import items_of
from referee.table.state import Deal, Table

_TWO_SIDES: Final = 2


class PuzzleData(TypedDict):
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
    """A problem as plain JSON values."""
    return {
        "known": puzzle.known.data(),
        "goal": puzzle.goal.kind,
        "need": puzzle.goal.need,
        "rival": puzzle.goal.rival,
        "scores": puzzle.scores,
        "card": TOKENS[puzzle.card],
        "loss": puzzle.loss,
        "line": [(seat, TOKENS[card]) for seat, card in puzzle.line],
    }


def _price_arrastre(table: Table, deal: Deal) -> list[ArrastreRow]:
    """The arrastre of a deal; none if it was not played out, or not every card is known."""
    if not deal.is_played_out or deal.breaches or deal.ruled:
        return []
    try:
        first = arrastre_of(table, deal)[0]
    except CannotAnalyse:
        return []
    points, par = points_left(first.before), value(first.before, "A")
    if par is None:
        return []
    end = {"A": 0, "B": 0}
    for item in items_of(deal, table.options.last_trick_points, table.ruled_out):
        end[item.side] += item.points
    ahead = (end["A"] - first.made["A"]) - (end["B"] - first.made["B"])
    return [ArrastreRow(deal.number, points, par, (points + ahead) // 2)]
