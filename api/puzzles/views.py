"""The problem of a week, for whoever may be shown it."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

import msgspec

from api.http import moments
from api.http.services import Services, current_services
from projections.puzzles import PuzzleData, PuzzleDay, find_puzzle_view, puzzle_days_before
from referee.errors import NotFound
from referee.rules.cards import RANKS, SUITS, Pack
from referee.rules.profile.options import options_from_values
from referee.rules.seats import SEATS, Seat, order_from

_ROUND: Final = ("south", "east", "north", "west")
_MIRRORED: Final = {"east": "west", "west": "east"}


@dataclass(frozen=True, slots=True)
class HandDisplay:
    """A seat by its place on the page, the cards it holds, and the card it has laid, if any."""

    at: str
    cards: tuple[str, ...]
    laid: str


@dataclass(frozen=True, slots=True)
class DiagramDisplay:
    """Four hands around a table. ``places``: by seat; ``line``: places and cards of a solution."""

    hands: tuple[HandDisplay, ...]
    places: dict[Seat, str]
    trump: str
    pack: Pack
    target: int
    line: tuple[tuple[str, str], ...]

    @property
    def cards(self) -> frozenset[str]:
        """Every card that the diagram shows."""
        return frozenset(card for hand in self.hands for card in (*hand.cards, hand.laid) if card)


def _order_in_hand(card: str) -> tuple[int, int]:
    """Sort key of a card in a hand: by suit, then the strongest first."""
    return SUITS.index(card[1]), -RANKS.index(card[0])


def diagram_of(puzzle: PuzzleData) -> DiagramDisplay:
    """The diagram of a problem; whoever solves it sits at the bottom."""
    known, options = puzzle.known, options_from_values(puzzle.known.options)
    places = {
        seat: _MIRRORED.get(at, at) if options.direction == "clockwise" else at
        for seat, at in zip(SEATS[options.players], _ROUND, strict=True)
    }
    seats: tuple[Seat, ...] = order_from(known.leader, len(places))
    laid = dict(zip(seats, known.laid, strict=False))
    return DiagramDisplay(
        tuple(
            HandDisplay(
                at, tuple(sorted(known.hands[seat], key=_order_in_hand)), laid.get(seat, "")
            )
            for seat, at in places.items()
        ),
        places,
        known.trump,
        options.pack,
        options.target,
        tuple((places[seat], card) for seat, card in puzzle.line),
    )


MOST_WEEKS: Final = 52
"""Weeks that the archive lists."""
WEEK: Final = timedelta(weeks=1)


class WeekData(msgspec.Struct, frozen=True):
    """The problem of a week, which is named by its Monday: ``2026-11-23``."""

    week: str
    puzzle: PuzzleData


class WeeksData(msgspec.Struct, frozen=True):
    """Weeks that have a problem, the latest first."""

    weeks: list[str]


class WeekShown(NamedTuple):
    """The problem of a week, and all weeks that can be looked at."""

    week: str
    puzzle: PuzzleData
    weeks: list[str]


def may_everybody_see_puzzles() -> bool:
    """Whether the club lets everybody see its problem of the week."""
    return current_services().referee.settings.puzzle_audience() == "everybody"


def may_everybody_see_week(week: str) -> bool:
    """Whether everybody may see the page of a week, which the club decides for all weeks."""
    del week
    return may_everybody_see_puzzles()


def latest_puzzles(here: Services, rows: sqlite3.Cursor) -> list[SetPuzzle]:
    """Problems of the latest weeks, the latest first; each is listed where it was set last."""
    zone = moments.time_zone_or_utc(here.referee.settings.time_zone_name())
    this = monday_of(moments.day_in_zone(zone, here.clock()))
    every = puzzle_of_each_week(puzzle_days_before(rows, this.isoformat()), this)
    latest: dict[str, SetPuzzle] = {one.partida: one for one in every}
    return sorted(latest.values(), reverse=True)[:MOST_WEEKS]


def week_on_board(here: Services, rows: sqlite3.Cursor) -> str:
    """The week whose problem the board of the hall shows; empty if everybody may not see it."""
    if here.referee.settings.puzzle_audience() != "everybody":
        return ""
    found = latest_puzzles(here, rows)
    return found[0].monday.isoformat() if found else ""


def puzzle_of_latest_week() -> WeekShown | None:
    """The problem of the latest week, with all weeks that have one; None while there is none.

    :raises NotFound: the club has no problem of the week
    """
    here = require_puzzles()
    with here.reads.reading() as rows:
        found = latest_puzzles(here, rows)
        return _week_to_show(rows, found, found[0]) if found else None


def require_puzzle_of_week(week: str) -> WeekShown:
    """The problem of a week, with all weeks that have one.

    :raises NotFound: the club has no problem of the week, or none in this one
    """
    here = require_puzzles()
    with here.reads.reading() as rows:
        found = latest_puzzles(here, rows)
        chosen = [one for one in found if one.monday.isoformat() == week]
        if not chosen:
            raise NotFound(week)
        return _week_to_show(rows, found, chosen[0])


def weeks_with_puzzle() -> list[str]:
    """Weeks that have a problem, the latest first.

    :raises NotFound: the club has no problem of the week
    """
    here = require_puzzles()
    with here.reads.reading() as rows:
        return _mondays_of_puzzles(latest_puzzles(here, rows))


def require_puzzles() -> Services:
    """The services of the club, if it shows a problem of the week to anybody.

    :raises NotFound: it has none
    """
    here = current_services()
    if here.referee.settings.puzzle_audience() == "nobody":
        raise NotFound("puzzles")
    return here


def _week_to_show(rows: sqlite3.Cursor, every: Sequence[SetPuzzle], one: SetPuzzle) -> WeekShown:
    puzzle = find_puzzle_view(rows, one.partida)
    assert puzzle is not None, "the row that the week was chosen from"
    return WeekShown(one.monday.isoformat(), puzzle, _mondays_of_puzzles(every))


def _mondays_of_puzzles(every: Sequence[SetPuzzle]) -> list[str]:
    return [one.monday.isoformat() for one in every]


class SetPuzzle(NamedTuple):
    """The problem of a week: its Monday, and the partida that it is from."""

    monday: date
    partida: str


def monday_of(day: date) -> date:
    """The Monday of the week of a day."""
    return day - timedelta(days=day.weekday())


def puzzle_of_each_week(puzzles: Sequence[PuzzleDay], until: date) -> list[SetPuzzle]:
    """The problem of each week up to the week of a day, the earliest first.

    Of those played before the week began, the one that reads best and was not set yet; when all
    were, the one that was set longest ago. ``puzzles`` are in the order of their days.
    """
    if not puzzles:
        return []
    monday = monday_of(date.fromisoformat(puzzles[0].day)) + WEEK
    waiting: list[tuple[int, int, str, str]] = []
    found, at = [], 0
    while monday <= until:
        while at < len(puzzles) and puzzles[at].day < monday.isoformat():
            one = puzzles[at]
            heapq.heappush(waiting, (0, -one.merit, one.day, one.partida))
            at += 1
        _, merit, day, partida = waiting[0]
        heapq.heapreplace(waiting, (monday.toordinal(), merit, day, partida))
        found.append(SetPuzzle(monday, partida))
        monday += WEEK
    return found
