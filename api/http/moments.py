"""Days and moments in words, in the time zone of the club.

The log, the answers of the API and every computation are in UTC. What a person reads is in the time
zone of the club, whatever machine serves it and whatever device shows it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo, available_timezones

from flask import current_app, g, has_request_context

from referee.aggregates.settings import USUAL_TIME_ZONE

Instant: TypeAlias = str | datetime
"""A moment: as the log has it (``2026-11-24T19:30:00.000Z``), or with its time zone."""
Words: TypeAlias = Mapping[str, str]
"""Texts of one language, by key."""
MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|\+00:00)")
"""A moment in UTC, as the log and the API write it."""
_REGIONS: Final = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia")
_MORE_REGIONS: Final = ("Europe", "Indian", "Pacific")
OF_SPAIN: Final = (USUAL_TIME_ZONE, "Atlantic/Canary", "Africa/Ceuta")


@cache
def time_zones_by_region() -> Mapping[str, tuple[str, ...]]:
    """Names of the time zones that a club can choose, by region; those of Spain first."""
    names = sorted(available_timezones() - set(OF_SPAIN))
    regions = {
        region: tuple(one for one in names if one.startswith(f"{region}/"))
        for region in (*_REGIONS, *_MORE_REGIONS)
    }
    return {"": OF_SPAIN, **regions, "UTC": ("UTC",)}


def is_time_zone(name: str) -> bool:
    """Whether a club can choose a time zone of this name.

    >>> is_time_zone("Europe/Madrid"), is_time_zone("Madrid"), is_time_zone("../Europe/Madrid")
    (True, False, False)
    """
    return any(name in names for names in time_zones_by_region().values())


def time_zone_or_utc(name: str) -> ZoneInfo:
    """Time zone by name; UTC if this machine does not know it."""
    return ZoneInfo(name if is_time_zone(name) else "UTC")


def club_zone() -> ZoneInfo:
    """Time zone of the club whose request is answered."""
    if not has_request_context():
        return ZoneInfo(USUAL_TIME_ZONE)
    if "zone" not in g:
        g.zone = time_zone_or_utc(current_app.extensions["time_zone"]())
    found: ZoneInfo = g.zone
    return found


def club_time(moment: Instant) -> datetime:
    """A moment in the time zone of the club.

    >>> club_time("2026-07-01T19:30:00.000Z").isoformat(timespec="minutes")
    '2026-07-01T21:30+02:00'
    """
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return found.astimezone(club_zone())


def day_words(day: str, words: Words) -> str:
    """A day (``2026-10-12``) in words; a text that is no day is returned unchanged."""
    found = _parse_day(day)
    return day if found is None else _fill_pattern("day", words, **_day_facts(found, words))


def day_words_with_weekday(day: str, words: Words) -> str:
    """A day in words, with the day of the week."""
    found = _parse_day(day)
    return day if found is None else _fill_pattern("weekday", words, **_day_facts(found, words))


def short_day(day: str, words: Words) -> str:
    """A day in figures, for tables."""
    found = _parse_day(day)
    return day if found is None else _fill_pattern("short", words, **_day_figures(found))


def moment_words(moment: Instant, words: Words) -> str:
    """A moment in words: the day of the week, the day, and the time of the club."""
    at = club_time(moment)
    return _fill_pattern(
        "moment",
        words,
        weekday=_fill_pattern("weekday", words, **_day_facts(at, words)),
        time=time_of(at),
    )


def short_moment(moment: Instant, words: Words) -> str:
    """A moment in figures, for tables."""
    at = club_time(moment)
    return f"{_fill_pattern('short', words, **_day_figures(at))} {time_of(at)}"


def time_of(moment: Instant) -> str:
    """Time of day of a moment in the club; with its zone if the clock shows that hour twice.

    >>> [time_of(f"2026-10-25T0{hour}:30:00Z") for hour in range(3)]
    ['02:30 CEST', '02:30 CET', '03:30']
    """
    at = club_time(moment)
    time = f"{at:%H:%M}"
    is_ambiguous = at.replace(fold=0).utcoffset() != at.replace(fold=1).utcoffset()
    return f"{time} {at.tzname()}" if is_ambiguous else time


def zone_sentence(words: Words) -> str:
    """Sentence about the time zone in which a page shows times."""
    name = club_zone().key
    return _fill_pattern("zone", words, place=place_of_time_zone(name), zone=name)


def place_of_time_zone(zone: str) -> str:
    """Place after which a time zone is named.

    >>> place_of_time_zone("America/New_York"), place_of_time_zone("UTC")
    ('New York', 'UTC')
    """
    return zone.rpartition("/")[2].replace("_", " ")


def club_day(now: datetime) -> date:
    """Date of this moment in the time zone of the club."""
    return day_in_zone(club_zone(), now)


def day_in_zone(zone: ZoneInfo, now: datetime) -> date:
    """Date of a moment in a time zone."""
    return now.astimezone(zone).date()


def _parse_day(day: str) -> date | None:
    try:
        return date.fromisoformat(day)
    except ValueError:
        return None


def _day_facts(day: date, words: Words) -> dict[str, str]:
    return {
        "weekday": words[f"calendar.weekday_{day.isoweekday()}"],
        "day": str(day.day),
        "month": words[f"calendar.month_{day.month}"],
        "year": str(day.year),
    }


def _day_figures(day: date) -> dict[str, str]:
    return {"day": f"{day.day:02}", "month": f"{day.month:02}", "year": str(day.year)}


def _fill_pattern(pattern: str, words: Words, **facts: str) -> str:
    return words[f"calendar.{pattern}"].format(**facts)
