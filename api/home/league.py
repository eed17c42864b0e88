"""The season of the club on the home page: its first five, and their points by evening as lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from api.http.rows import one_row
from api.http.services import current_services
from api.seasons import views
from api.seasons.charts.points_lines import (
    MARKS,
    SMALL,
    PointsPicture,
    points_by_evening,
    points_picture,
)
from api.seasons.points import StandingLineData, scoring_of, standings_in, table_view
from projections.seasons import queries as seasons

_FIRST: Final = len(MARKS)


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
        sessions = seasons.sessions_of(rows, one["id"], seasons.ALL_EVENINGS)[::-1]
        first = [row.person for row in table[:_FIRST]]
        points = points_by_evening(rows, view, [each["id"] for each in sessions], first)
    days = [each["date"] for each in sessions]
    shown = table_view(table[:_FIRST], view["of"])
    return League(
        *(one["id"], one["name"], one["closed"], view["of"]),
        tuple(zip(MARKS, shown, strict=False)),
        *(len(table), len(sessions)),
        points_picture(points, days, MARKS, SMALL) if days and any(map(any, points)) else None,
    )
