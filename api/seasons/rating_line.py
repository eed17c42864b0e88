"""The drawing of ratings by day: a line with a band for the deviation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from api.seasons.views import RatedDayData

WIDTH: Final = 640
HEIGHT: Final = 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 12, 28
_STEP: Final = 100
"""Ratings between two lines of the grid."""


@dataclass(frozen=True, slots=True)
class RatingLine:
    """Data for the template: a polygon, a line, its last point, lines of the grid."""

    band: str
    line: str
    last: tuple[float, float]
    grid: tuple[tuple[float, int], ...]
    days: tuple[str, str]


def geometry_of_rating_line(ratings: Sequence[RatedDayData]) -> RatingLine | None:
    """Coordinates for ratings drawn as a line, the oldest first; None if there are none.

    >>> line = geometry_of_rating_line([RatedDayData(day="2026-11-20", rating=1500, deviation=100)])
    >>> line.grid[0][1], line.grid[-1][1], line.days
    (1400, 1600, ('2026-11-20', '2026-11-20'))
    """
    if not ratings:
        return None
    if len(ratings) == 1:
        return geometry_of_rating_line([*ratings, *ratings])  # a single day fills the width
    low: int = min(one.rating - one.deviation for one in ratings) // _STEP * _STEP
    high: int = -(-max(one.rating + one.deviation for one in ratings) // _STEP) * _STEP
    inner, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def x_of(place: int) -> float:
        return round(_LEFT + inner * place / (len(ratings) - 1), 1)

    def y_of(rating: int) -> float:
        return round(_TOP + tall * (high - rating) / (high - low), 1)

    above = [(x_of(n), y_of(one.rating + one.deviation)) for n, one in enumerate(ratings)]
    below = [(x_of(n), y_of(one.rating - one.deviation)) for n, one in enumerate(ratings)]
    middle = [(x_of(n), y_of(one.rating)) for n, one in enumerate(ratings)]
    return RatingLine(
        _svg_points([*above, *reversed(below)]),
        _svg_points(middle),
        middle[-1],
        tuple((y_of(rating), rating) for rating in range(low, high + 1, _STEP)),
        (ratings[0].day, ratings[-1].day),
    )


def _svg_points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)
