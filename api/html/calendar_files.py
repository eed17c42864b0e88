"""The head of every calendar file: iCalendar (RFC 5545) that phones subscribe to."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from icalendar import Calendar, vDuration

REFRESHED: Final = timedelta(hours=12)
"""How often a subscriber is asked to fetch it again."""


def empty_calendar(product: str, name: str) -> Calendar:
    r"""A calendar without events; ``name`` is what the phone lists it under.

    >>> print(empty_calendar("-//a//b//ES", "Liga").to_ical().decode().replace("\r\n", "\n"))
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//a//b//ES
    X-WR-CALNAME:Liga
    REFRESH-INTERVAL;VALUE=DURATION:PT12H
    X-PUBLISHED-TTL:PT12H
    END:VCALENDAR
    <BLANKLINE>
    """
    found = Calendar()
    found.add("prodid", product)
    found.add("version", "2.0")
    found.add("x-wr-calname", name)
    found.add("refresh-interval", vDuration(REFRESHED), parameters={"VALUE": "DURATION"})
    found.add("x-published-ttl", vDuration(REFRESHED))
    return found
