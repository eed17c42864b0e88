"""The problem of a week, for whoever may be shown it."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

import msgspec

from api.http import moments
from api.http.services import Services, current_services
from projections.puzzles import PuzzleData, PuzzleDay, puzzle_days, puzzle_row
from referee.errors import NotFound

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


def is_public() -> bool:
    """Whether the club lets everybody see its problem of the week."""
    return current_services().referee.settings.puzzle_audience() == "everybody"


def is_public_week(week: str) -> bool:
    """The same, of the address of a week."""
    del week
    return is_public()


def weeks(here: Services, rows: sqlite3.Cursor) -> list[SetPuzzle]:
    """Problems of the latest weeks, the latest first; each is listed where it was set last."""
    zone = moments.zone_named(here.referee.settings.time_zone())
    this = monday_of(moments.day_in(zone, here.clock()))
    every = rota(puzzle_days(rows, this.isoformat()), this)
    latest: dict[str, SetPuzzle] = {one.partida: one for one in every}
    return sorted(latest.values(), reverse=True)[:MOST_WEEKS]


def week_on_board(here: Services, rows: sqlite3.Cursor) -> str:
    """The week whose problem the board of the hall shows; empty if everybody may not see it."""
    if here.referee.settings.puzzle_audience() != "everybody":
        return ""
    found = weeks(here, rows)
    return found[0].monday.isoformat() if found else ""


def latest_week() -> WeekShown | None:
    """The problem of this week; None while there is none.

    :raises NotFound: the club has no problem of the week
    """
    here = club_with_puzzles()
    with here.reads.reading() as rows:
        found = weeks(here, rows)
        return _week(rows, found, found[0]) if found else None


def one_week(week: str) -> WeekShown:
    """The problem of a week.

    :raises NotFound: the club has no problem of the week, or none in this one
    """
    here = club_with_puzzles()
    with here.reads.reading() as rows:
        found = weeks(here, rows)
        chosen = [one for one in found if one.monday.isoformat() == week]
        if not chosen:
            raise NotFound(week)
        return _week(rows, found, chosen[0])


def every_week() -> list[str]:
    """Weeks that have a problem, the latest first.

    :raises NotFound: the club has no problem of the week
    """
    here = club_with_puzzles()
    with here.reads.reading() as rows:
        return _names(weeks(here, rows))


def club_with_puzzles() -> Services:
    """The services of a club that has a problem of the week.

    :raises NotFound: it has none
    """
    here = current_services()
    if here.referee.settings.puzzle_audience() == "nobody":
        raise NotFound("puzzles")
    return here


def _week(rows: sqlite3.Cursor, every: Sequence[SetPuzzle], one: SetPuzzle) -> WeekShown:
    puzzle = puzzle_row(rows, one.partida)
    assert puzzle is not None, "the row that the week was chosen from"
    return WeekShown(one.monday.isoformat(), puzzle, _names(every))


def _names(every: Sequence[SetPuzzle]) -> list[str]:
    return [one.monday.isoformat() for one in every]


class SetPuzzle(NamedTuple):
    """The problem of a week: its Monday, and the partida that it is from."""

    monday: date
    partida: str


def monday_of(day: date) -> date:
    """The Monday of the week of a day."""
    return day - timedelta(days=day.weekday())


def rota(puzzles: Sequence[PuzzleDay], until: date) -> list[SetPuzzle]:
    """The problem of each week up to the one of a day, the first first.

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
