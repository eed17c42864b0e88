"""The same evening as last time: its day, place, rules, season, and who was there."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from api.http import moments
from api.http.rows import one_row
from api.http.services import current_services
from api.profiles.own.reading import offered, usual_profile
from api.seasons import views
from api.seasons.views import ListedSeasonData, ListedSessionData
from projections.seasons import queries as seasons
from projections.seasons.views import SessionData
from referee.events import Competitors

_WEEK: Final = timedelta(days=7)


class Proposal(NamedTuple):
    """An evening as it may be opened. ``last``: who was there last time, persons or pairs."""

    date: str
    place: str
    profile: str
    season: str
    season_name: str
    of: Competitors
    tables: int
    time: str = ""
    last: tuple[str, ...] = ()


def fresh(today: date) -> Proposal:
    """A first evening: today, by the usual rules."""
    return Proposal(today.isoformat(), "", usual_profile(), "", "", "persons", 0)


def same_again(
    today: date, latest: list[ListedSessionData], open_seasons: list[ListedSeasonData]
) -> Proposal | None:
    """The latest evening once more, on its next day; None if there was none yet."""
    if not latest:
        return None
    before = latest[0]
    season = next((one for one in open_seasons if one["id"] == before["season"]), None)
    planned = _planned(today, before["date"], season)
    known = {one.id for one in offered()}
    session = _session(before["id"])
    return Proposal(
        planned["date"] if planned else next_day(today, before["date"]).isoformat(),
        (planned and planned["place"]) or before["place"] or "",
        before["profile"]["id"] if before["profile"]["id"] in known else usual_profile(),
        season["id"] if season else "",
        (season and season["name"]) or "",
        before["of"],
        session["tables"],
        planned["time"] if planned else "",
        were_there(session),
    )


def _planned(
    today: date, before: str, season: ListedSeasonData | None
) -> views.PlannedDayData | None:
    """The next day of the calendar on which no evening was held yet."""
    days = season["calendar"] if season else []
    coming = (one for one in days if one["date"] >= today.isoformat() and one["date"] > before)
    return next(coming, None)


def next_day(today: date, before: str) -> date:
    """Today, or the next day of the week of the last evening, which is not held twice a day.

    >>> next_day(date(2026, 11, 26), "2026-11-19").isoformat()
    '2026-11-26'
    >>> next_day(date(2026, 11, 24), "2026-11-19").isoformat()
    '2026-11-26'
    >>> next_day(date(2026, 11, 26), "2026-11-26").isoformat()
    '2026-12-03'
    """
    last = date.fromisoformat(before)
    if last >= today:
        return last + _WEEK
    return today + timedelta(days=(last.weekday() - today.weekday()) % 7)


def were_there(session: SessionData) -> tuple[str, ...]:
    """Ids of the persons or pairs of an evening."""
    if session["of"] == "pairs":
        played = (pair for table in session["opened"] for pair in table["pairs"])
        return tuple(dict.fromkeys([*played, *session["pairs"]]))
    return tuple(session["attended"])


def last_time(latest: list[ListedSessionData], of: Competitors, than: str = "") -> tuple[str, ...]:
    """Who was at the latest other evening of the same kind; ``than``: an evening left out."""
    earlier = (one for one in latest if one["of"] == of and one["id"] != than and one["attended"])
    before = next(earlier, None)
    return () if before is None else were_there(_session(before["id"]))


def _session(session_id: str) -> SessionData:
    key = UUID(session_id)
    return one_row(lambda rows: seasons.session_row(rows, key), key)


def today() -> date:
    """The day that it is in the club."""
    return moments.today(current_services().clock())
