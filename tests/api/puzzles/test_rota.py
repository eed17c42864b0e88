"""Which problem is set in which week."""

from __future__ import annotations

from datetime import date, timedelta

from api.puzzles.views import SetPuzzle, puzzle_of_each_week
from projections.puzzles import PuzzleDay

MONDAY = date(2026, 11, 2)
AUTUMN = MONDAY + timedelta(weeks=7)


def day(days: int) -> str:
    return (MONDAY + timedelta(days=days)).isoformat()


def weeks(*puzzles: PuzzleDay) -> str:
    return "".join(one.partida for one in puzzle_of_each_week(puzzles, AUTUMN))


def test_a_problem_is_set_in_the_week_after_its_evening_and_no_other_before_it() -> None:
    found = puzzle_of_each_week([PuzzleDay("a", day(4), 10)], MONDAY + timedelta(weeks=1))
    assert found == [SetPuzzle(MONDAY + timedelta(weeks=1), "a")]
    assert puzzle_of_each_week([PuzzleDay("a", day(4), 10)], MONDAY + timedelta(days=6)) == []
    assert puzzle_of_each_week([], AUTUMN) == []


def test_of_those_that_were_not_set_the_one_that_reads_best_then_the_longest_ago() -> None:
    three = [PuzzleDay("a", day(0), 5), PuzzleDay("b", day(1), 9), PuzzleDay("c", day(9), 1)]
    assert weeks(*three) == "bacbacb"


def test_one_that_is_played_later_changes_no_week_before_it() -> None:
    first = [PuzzleDay("a", day(0), 5), PuzzleDay("b", day(1), 9)]
    later = [*first, PuzzleDay("z", day(23), 40)]
    assert weeks(*later)[:3] == weeks(*first)[:3]
    assert weeks(*later)[3] == "z"
