"""Days proposed for the calendar of a season: the same day of every week, less those unticked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from api.http.bodies import Body
from api.seasons.schemas import MOST_DAYS
from api.seasons.views import ListedSeasonData, ListedSessionData, PlannedDayData

WEEKDAYS: Final = range(7)
"""Monday is 0."""
USUAL_TIME: Final = "20:30"
_NEXT: Final = 3
_LASTS: Final = timedelta(weeks=39)


class Plan(NamedTuple):
    """A weekly plan of evenings: weekday (Monday is 0), first and last day, time and place."""

    weekday: int
    since: str
    until: str
    time: str
    place: str


class ProposedDay(NamedTuple):
    """A day in the form. ``own``: its time and place, where they are not those of the others."""

    date: str
    is_ticked: bool
    own: tuple[str, str] | None = None

    @property
    def weekday_from_monday(self) -> int:
        """Its day of the week; Monday is 0."""
        return date.fromisoformat(self.date).weekday()


def preset_plan(
    season: ListedSeasonData,
    others: list[ListedSeasonData],
    latest: list[ListedSessionData],
    today: date,
) -> Plan:
    """The plan that a form begins with: by the season's calendar, else by the last evening.

    Where nothing is known, it is the day of the week on which the season begins.

    >>> from types import SimpleNamespace
    >>> season = SimpleNamespace(calendar=[], since="2026-11-28", until="")
    >>> preset_plan(season, [], [], date(2026, 11, 2)).weekday  # a Saturday
    5
    """
    before = latest[0] if latest else None
    days = [one.date for one in season.calendar] or ([before.date] if before else [])
    weekdays = Counter(date.fromisoformat(day).weekday() for day in days)
    since = season.since or today.isoformat()
    until = season.until or (date.fromisoformat(since) + _LASTS).isoformat()
    first = date.fromisoformat(since).weekday()
    weekday = weekdays.most_common(1)[0][0] if weekdays else first
    if season.calendar:
        return Plan(weekday, since, until, *usual_time_and_place(season.calendar))
    other = next((one.calendar for one in others if one.calendar), [])
    time, place = usual_time_and_place(other)
    return Plan(weekday, since, until, time or USUAL_TIME, place or (before and before.place) or "")


def read_plan_or_preset(given: Mapping[str, str], preset: Plan) -> Plan:
    """The plan of a form; a value that is missing or impossible is that of the preset."""
    weekday = given.get("weekday", "")
    return Plan(
        int(weekday) if weekday in map(str, WEEKDAYS) else preset.weekday,
        _iso_day_or_empty(given.get("since", "")) or preset.since,
        _iso_day_or_empty(given.get("until", "")) or preset.until,
        given.get("time", preset.time).strip(),
        given.get("place", preset.place).strip(),
    )


def weekly_days(plan: Plan) -> list[str]:
    """Days of a plan, at most as many as a calendar holds.

    >>> weekly_days(Plan(3, "2026-11-20", "2026-12-10", "", ""))
    ['2026-11-26', '2026-12-03', '2026-12-10']
    """
    first, last = date.fromisoformat(plan.since), date.fromisoformat(plan.until)
    begin = first.toordinal() + (plan.weekday - first.weekday()) % 7
    days = range(begin, last.toordinal() + 1, 7)
    return [date.fromordinal(day).isoformat() for day in days[:MOST_DAYS]]


def propose_days(
    calendar: list[PlannedDayData], plan: Plan, today: date, *, is_new: bool
) -> list[ProposedDay]:
    """Days that the form offers: those of the plan, and those in the calendar as it is.

    ``is_new``: the days of the plan are ticked, and of the others those that have been; else
    the days of the calendar are.
    """
    days, held = weekly_days(plan), {one.date: one for one in calendar}
    past = {day for day in held if day < today.isoformat()}
    ticked = {*days, *past} if is_new else set(held)
    common = usual_time_and_place(calendar)
    return [
        ProposedDay(day, day in ticked, _own_time_and_place(held.get(day), common))
        for day in sorted({*days, *held})
    ]


def coming_days(calendar: list[PlannedDayData], today: date) -> list[PlannedDayData]:
    """The next days of a calendar, as many as a page shows unasked."""
    return [one for one in calendar if one.date >= today.isoformat()][:_NEXT]


def group_by_month(days: list[ProposedDay]) -> list[tuple[date, list[ProposedDay]]]:
    """Days by month: the first day of each month, with the proposed days in it."""
    months = groupby(days, lambda one: date.fromisoformat(one.date).replace(day=1))
    return [(month, list(found)) for month, found in months]


def calendar_body(calendar: list[PlannedDayData], days: list[str], time: str, place: str) -> Body:
    """Calendar of a season as a request body; a day with its own time or place keeps it."""
    held, common = {one.date: one for one in calendar}, usual_time_and_place(calendar)
    return {
        "sessions": [
            _day_body(day, _own_time_and_place(held.get(day), common) or (time, place))
            for day in days
        ]
    }


def usual_time_and_place(calendar: list[PlannedDayData]) -> tuple[str, str]:
    """Time and place of most days."""
    found = Counter((one.time, one.place or "") for one in calendar)
    return found.most_common(1)[0][0] if found else ("", "")


def _own_time_and_place(
    one: PlannedDayData | None, common: tuple[str, str]
) -> tuple[str, str] | None:
    own = None if one is None else (one.time, one.place or "")
    return None if own == common else own


def _day_body(day: str, at: tuple[str, str]) -> Body:
    time, place = at
    return {"date": day, **({"time": time} if time else {}), **({"place": place} if place else {})}


def _iso_day_or_empty(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""
