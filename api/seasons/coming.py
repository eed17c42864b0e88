"""The next evening of the calendars of open seasons."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple
from uuid import UUID

from api.http.services import current_services
from api.seasons import views
from api.seasons.views import ListedSeasonData, PlannedDayData
from projections.seasons import queries as seasons
from projections.seasons.views import SessionFactsData


class ComingEvening(NamedTuple):
    """A day of the calendar of a season on which no evening was held yet."""

    season: ListedSeasonData
    day: PlannedDayData

    def is_on(self, today: date) -> bool:
        """Whether it is today."""
        return self.day["date"] == today.isoformat()


def coming_evening(today: date) -> ComingEvening | None:
    """The next day of the calendars of open seasons, today if no evening was opened for it yet."""
    held = {(one["season"], one["date"]) for one in views.latest_sessions()}
    days = [
        ComingEvening(season, day)
        for season in views.open_seasons()
        for day in season["calendar"]
        if day["date"] >= today.isoformat() and (season["id"], day["date"]) not in held
    ]
    return min(days, key=lambda one: (one.day["date"], one.day["time"]), default=None)


def hour_of(evening: SessionFactsData) -> str:
    """The hour of an evening by the calendar of its season; empty if it is not said."""
    if not evening["season"]:
        return ""
    with current_services().reads.reading() as rows:
        season = seasons.season_row(rows, UUID(evening["season"]))
    days = season["calendar"] if season else []
    return next((one["time"] for one in days if one["date"] == evening["date"]), "")
