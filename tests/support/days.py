"""Days of a club of the tests."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from typing import Final

from api.http.moments import club_time
from api.puzzles.views import monday_of

_SOON: Final = timedelta(minutes=1)


def leave_midnight() -> None:
    """In the last minute of a day, wait for the next one.

    The service must not read another day than the test that prepared it.
    """
    now = club_time(datetime.now(UTC))
    if now.date() != (now + _SOON).date():
        time.sleep(_SOON.total_seconds())


def today() -> date:
    """The day that it is in a club with the usual time zone, and still is when it is read."""
    leave_midnight()
    return club_time(datetime.now(UTC)).date()


def friday_of_last_week() -> date:
    """A day of play whose problem is set this week; weeks of problems are named by their Monday."""
    return monday_of(today()) - timedelta(days=3)
