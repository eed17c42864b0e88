"""Which problem is set in which week: the same problems give the same weeks."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from projections.puzzles.queries import PuzzleDay

WEEK: Final = timedelta(weeks=1)


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
