"""Points of a season by evening, drawn as lines: the first with a mark each, the rest faint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from sqlite3 import Cursor
from typing import Final, NamedTuple

from api.seasons.points import merge_target_by_id, scoring_of_season
from projections.seasons import standings
from projections.seasons.views import SeasonData


class PictureSize(NamedTuple):
    """Width and height of a picture, and the width of a mark at the end of a line."""

    width: int
    height: int
    icon: int


SMALL: Final = PictureSize(640, 260, 30)
LARGE: Final = PictureSize(640, 400, 30)
_LEFT, _RIGHT, _TOP, _BOTTOM = 6, 48, 20, 12
_GRID: Final = 3
MARKS: Final = ("O", "C", "E", "B", "")
"""Suits that mark the first five, in their table and at the ends of their lines."""
MARKS_OF_EIGHT: Final = ("O", "C", "E", "B", "O dashed", "C dashed", "E dashed", "B dashed")
"""Marks of the first eight: a suit has one whole line and one of dashes."""
FAINT: Final = "faint"
MOST_EVENINGS: Final = 60
"""Evenings of a picture, the latest: of those before only the points are seen."""


class PointsLine(NamedTuple):
    """The points of one competitor: its mark, a line, and where its mark stands."""

    mark: str
    line: str
    at: tuple[float, float]


class PointsPicture(NamedTuple):
    """Points by evening: lines with a mark, faint ones, the grid, first and last evening."""

    lines: tuple[PointsLine, ...]
    faint: tuple[PointsLine, ...]
    grid: tuple[tuple[float, int], ...]
    days: tuple[str, str]
    size: PictureSize


def points_by_evening(
    rows: Cursor, view: SeasonData, sessions: Sequence[str], competitors: Sequence[str]
) -> list[list[int]]:
    """Points of each competitor before the first evening (none) and after each."""
    kept = merge_target_by_id(rows, view.of)
    found = standings.tally_by_session_and_competitor(rows, view.id, kept, view.of)
    scoring = scoring_of_season(view)

    def points_in(tallies: Mapping[str, standings.Tally], who: str) -> int:
        items = standings.points_items_of_tally(tallies.get(who, standings.Tally()), scoring)
        return sum(item.points for item in items)

    return [
        [*accumulate((points_in(found.get(session, {}), who) for session in sessions), initial=0)]
        for who in competitors
    ]


def points_picture_data(
    points: Sequence[Sequence[int]],
    days: Sequence[str],
    marks: Sequence[str],
    size: PictureSize,
) -> PointsPicture:
    """Coordinates of lines, from the points before the first of some days to those after the last.

    The first competitor is on top. Those who have no mark of ``marks`` get a faint line.

    >>> days = ["2026-11-12", "2026-11-19"]
    >>> picture = points_picture_data([[0, 3, 7], [0, 1, 2], [0, 0, 1]], days, ("O", "C"), SMALL)
    >>> [one.mark for one in picture.lines], len(picture.faint), [at for _, at in picture.grid]
    (['O', 'C'], 1, [0, 3, 6, 9])
    """
    step = max(1, -(-max(map(max, points)) // _GRID))
    most = step * _GRID
    inner, tall = size.width - _LEFT - _RIGHT, size.height - _TOP - _BOTTOM

    def y_of(value: int) -> float:
        return round(_TOP + tall * (1 - value / most), 1)

    def x_of(evening: int) -> float:
        return round(_LEFT + inner * evening / len(days), 1)

    lines = []
    for place, made in enumerate(points):
        places = [(x_of(n), y_of(value)) for n, value in enumerate(made)]
        mark = marks[place] if place < len(marks) else FAINT
        lines.append(PointsLine(mark, " ".join(f"{x},{y}" for x, y in places), places[-1]))
    grid = tuple((y_of(n * step), n * step) for n in range(_GRID + 1))
    marked, faint = lines[: len(marks)], tuple(lines[len(marks) :])
    return PointsPicture(_separate_marks(marked, size), faint, grid, (days[0], days[-1]), size)


def _separate_marks(lines: Sequence[PointsLine], size: PictureSize) -> tuple[PointsLine, ...]:
    """These lines, given highest end first, with marks that do not cover each other."""
    placed: list[PointsLine] = []
    lowest = size.height - len(lines) * size.icon + size.icon / 2
    for n, one in enumerate(lines):
        above = placed[-1].at[1] + size.icon if placed else 0.0
        y = min(max(one.at[1], above), lowest + n * size.icon)
        placed.append(one._replace(at=(one.at[0] + size.icon / 2 + 4, y)))
    return tuple(placed)
