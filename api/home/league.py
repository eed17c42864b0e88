"""The season of the club on the home page: its first five, and their points by evening as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from sqlite3 import Cursor
from typing import Final, NamedTuple
from uuid import UUID

from api.http.rows import one_row
from api.http.services import current_services
from api.seasons import views
from api.seasons.points import StandingLineData, kept_of, scoring_of, standings_in, table_view
from projections.rows import seasons
from projections.rows.seasons import SeasonData
from projections.seasons import standings

WIDTH: Final = 640
HEIGHT: Final = 260
ICON: Final = 30
_LEFT, _RIGHT, _TOP, _BOTTOM = 6, 48, 20, 12
_GRID: Final = 3
MARKS: Final = ("O", "C", "E", "B", "")
"""Suits that mark the first five in the table and at the ends of their lines."""
_EVENINGS: Final = 60


class PointsLine(NamedTuple):
    """The points of one competitor: its mark, a line, and where its mark stands."""

    mark: str
    line: str
    at: tuple[float, float]


class PointsPicture(NamedTuple):
    """Points by evening: lines, heights of the grid, first and last evening."""

    lines: tuple[PointsLine, ...]
    grid: tuple[tuple[float, int], ...]
    days: tuple[str, str]


@dataclass(frozen=True, slots=True)
class League:
    """A season: its first rows, each with its mark, and the picture if an evening was played."""

    id: str
    name: str | None
    closed: bool
    of: str
    rows: tuple[tuple[str, StandingLineData], ...]
    competitors: int
    evenings: int
    picture: PointsPicture | None

    @property
    def path(self) -> str:
        """Address of its page."""
        return f"/temporadas/{self.id}"

    def path_of(self, row: StandingLineData) -> str:
        """Address of the page of a player, or of a pair in the season."""
        return f"{self.path}/pareja/{row['pair']}" if row["pair"] else f"/jugador/{row['person']}"


def league() -> League | None:
    """The latest season that is open, else the latest of all; None if there is none."""
    every = views.every_season()
    one = next((season for season in every if not season["closed"]), next(iter(every), None))
    if one is None:
        return None
    key = UUID(one["id"])
    view = one_row(lambda rows: seasons.season_row(rows, key), key)
    with current_services().reads.reading() as rows:
        table = standings_in(rows, "season", one["id"], scoring_of(view), view["of"])
        sessions = seasons.sessions_of(rows, one["id"], _EVENINGS)[::-1]
        first = [row.person for row in table[: len(MARKS)]]
        points = _points_by_evening(rows, view, [each["id"] for each in sessions], first)
    days = [each["date"] for each in sessions]
    shown = table_view(table[: len(MARKS)], view["of"])
    return League(
        *(one["id"], one["name"], one["closed"], view["of"]),
        tuple(zip(MARKS, shown, strict=False)),
        *(len(table), len(sessions)),
        points_picture(points, days) if days and any(map(any, points)) else None,
    )


def _points_by_evening(
    rows: Cursor, view: SeasonData, sessions: Sequence[str], competitors: Sequence[str]
) -> list[list[int]]:
    """Points of each competitor after each evening."""
    kept = kept_of(rows, view["of"])
    found = standings.tallies_by_session(rows, view["id"], kept, view["of"])
    scoring = scoring_of(view)

    def made(tallies: Mapping[str, standings.Tally], who: str) -> int:
        items = standings.items_of(tallies.get(who, standings.Tally()), scoring)
        return sum(item.points for item in items)

    return [
        [*accumulate(made(found.get(session, {}), who) for session in sessions)]
        for who in competitors
    ]


def points_picture(points: Sequence[Sequence[int]], days: Sequence[str]) -> PointsPicture:
    """Lines from nothing to the points after the last evening, the first competitor on top.

    >>> picture = points_picture([[3, 7], [1, 2]], ["2026-11-12", "2026-11-19"])
    >>> [one.mark for one in picture.lines], [at for _, at in picture.grid], picture.days
    (['O', 'C'], [0, 3, 6, 9], ('2026-11-12', '2026-11-19'))
    """
    step = max(1, -(-max(map(max, points)) // _GRID))
    most = step * _GRID
    inner, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def up(value: int) -> float:
        return round(_TOP + tall * (1 - value / most), 1)

    def across(evening: int) -> float:
        return round(_LEFT + inner * evening / len(days), 1)

    lines = []
    for mark, made in zip(MARKS, points, strict=False):
        places = [(across(n), up(value)) for n, value in enumerate((0, *made))]
        lines.append(PointsLine(mark, " ".join(f"{x},{y}" for x, y in places), places[-1]))
    grid = tuple((up(n * step), n * step) for n in range(_GRID + 1))
    return PointsPicture(_apart(lines), grid, (days[0], days[-1]))


def _apart(lines: Sequence[PointsLine]) -> tuple[PointsLine, ...]:
    """The lines, in the order of their ends, with marks that do not cover each other."""
    placed: list[PointsLine] = []
    lowest = HEIGHT - len(lines) * ICON + ICON / 2
    for n, one in enumerate(lines):
        above = placed[-1].at[1] + ICON if placed else 0.0
        y = min(max(one.at[1], above), lowest + n * ICON)
        placed.append(one._replace(at=(one.at[0] + ICON / 2 + 4, y)))
    return tuple(placed)
