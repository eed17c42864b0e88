"""The calendar of a season as iCalendar."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from icalendar import Event

from api.html.calendar_files import new_calendar
from api.seasons.views import PlannedDayData, WholeSeasonData

PRODUCT: Final = "-//guinote-referee//temporadas//ES"
_LASTS: Final = timedelta(hours=3)


def as_icalendar(view: WholeSeasonData, now: datetime, address: str, zone: ZoneInfo) -> bytes:
    """Days of a season: at their time, which is that of the club, or the whole day."""
    found = new_calendar(PRODUCT, view["name"] or "")
    for one in view["calendar"]:
        found.add_component(_event(view, one, now, address, zone))
    found.add_missing_timezones()
    return bytes(found.to_ical())


def _event(
    view: WholeSeasonData, one: PlannedDayData, now: datetime, address: str, zone: ZoneInfo
) -> Event:
    day, event = date.fromisoformat(one["date"]), Event()
    event.add("uid", f"{view['id']}-{one['date']}@guinote")
    event.add("dtstamp", now)
    begin = datetime.combine(day, time.fromisoformat(one["time"]), zone) if one["time"] else day
    event.add("dtstart", begin)
    event.add("dtend", begin + (_LASTS if one["time"] else timedelta(days=1)))
    event.add("summary", view["name"] or "")
    if one["place"]:
        event.add("location", one["place"])
    event.add("url", address)
    return event
