"""Evenings as the home page tells of them: the one that is held, and the next of a calendar."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple
from uuid import UUID

from api.seasons import views
from api.seasons.views import ListedSeasonData, PlannedDayData


class ComingEvening(NamedTuple):
    """A day of the calendar of a season on which no evening was held yet."""

    season: ListedSeasonData
    day: PlannedDayData

    def is_on(self, today: date) -> bool:
        """Whether it is today."""
        return self.day["date"] == today.isoformat()


class HeldEvening(NamedTuple):
    """An evening that is not closed. ``came``: persons or pairs; ``open_tables``: without result.

    ``tables``: those that were opened; ``is_drawn``: a draw waits to be played.
    """

    id: str
    date: str
    of: str
    came: int
    tables: int
    open_tables: int
    is_drawn: bool


def held_evening(today: date) -> HeldEvening | None:
    """The latest evening that is not closed, today's or an earlier one; else none."""
    latest = (one for one in views.latest_sessions() if one["date"] <= today.isoformat())
    found = next((one for one in latest if not one["closed"]), None)
    if found is None:
        return None
    view = views.session(UUID(found["id"]))
    came = view["pairs"] if view["of"] == "pairs" else view["present"]
    waiting = [one for one in view["encuentros"] if one["decided"] is None]
    tables = len(view["encuentros"]), len(waiting)
    return HeldEvening(
        found["id"], found["date"], view["of"], len(came), *tables, is_drawn=view["waiting"]
    )


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
