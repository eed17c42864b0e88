"""The evening to be opened: by the calendar of its season, and as it was last time."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from api.http import moments
from api.http.rows import await_row_or_not_found
from api.http.services import current_services
from api.profiles.own.views import profile_choices, usual_profile_id
from api.seasons import views
from api.seasons.day_proposals import usual_time_and_place
from api.seasons.views import ListedSeasonData, ListedSessionData, PlannedDayData
from projections.seasons import projection as seasons
from projections.seasons.views import SessionData, SessionFactsData
from referee.events import Competitors

_WEEK: Final = timedelta(days=7)


class Proposal(NamedTuple):
    """An evening as it may be opened. ``last``: who was there last time, persons or pairs.

    ``profile``: empty for the rules of its season; ``is_planned``: a calendar has its day.
    """

    date: str
    place: str
    profile: str
    season: str
    season_name: str
    of: Competitors
    tables: int
    time: str = ""
    last: tuple[str, ...] = ()
    is_planned: bool = False


def propose_evening_today(
    today: date, latest: list[ListedSessionData], open_seasons: list[ListedSeasonData]
) -> Proposal:
    """Proposal for an evening today: of the season that plans today, else of the running one.

    Without a season it is held as the latest one was.
    """
    due = evening_due_on(today)
    season = due.season if due else season_within_a_week(today, open_seasons, latest)
    same = propose_repeat(today, latest, open_seasons)
    day = today.isoformat()
    if season is None:
        held = same or Proposal(day, "", usual_profile_id(), "", "", "persons", 0)
        return held._replace(date=day, time="", season="", season_name="", last=())
    before = next((one for one in latest if one.season == season.id), None)
    return Proposal(
        day,
        _place_planned_or_former(due.day if due else None, before)
        or usual_time_and_place(season.calendar)[1],
        "" if season.rules else _former_or_usual_profile_id(before),
        season.id,
        season.name or "",
        season.of,
        0,
        due.day.time if due else "",
        is_planned=due is not None,
    )


def propose_repeat(
    today: date, latest: list[ListedSessionData], open_seasons: list[ListedSeasonData]
) -> Proposal | None:
    """Proposal to repeat the latest evening on its next day; None if there was none.

    If today is a day of a season, the latest of that season, else of its kind.
    """
    due = evening_due_on(today)
    before = _evening_to_repeat_or_none(latest, due.season if due else None)
    if before is None:
        return None
    season = due.season if due else _season_of_evening_or_none(before, open_seasons)
    planned = due.day if due else _next_calendar_day(today, before.date, season)
    session = _session_by_id(before.id)
    is_other = bool(season and season.rules and season.id != before.season)
    return Proposal(
        planned.date if planned else next_weekly_day(today, before.date).isoformat(),
        _place_planned_or_former(planned, before),
        "" if is_other else _former_or_usual_profile_id(before),
        season.id if season else "",
        (season and season.name) or "",
        before.of,
        session.tables,
        planned.time if planned else "",
        competitor_ids_of_session(session),
        is_planned=planned is not None,
    )


def _evening_to_repeat_or_none(
    latest: list[ListedSessionData], season: ListedSeasonData | None
) -> ListedSessionData | None:
    """The evening to repeat: the season's latest, else of its kind; of all without; or None."""
    of_it = [one for one in latest if season is not None and one.season == season.id]
    alike = [one for one in latest if season is None or one.of == season.of]
    return next(iter([*of_it, *alike]), None)


def _season_of_evening_or_none(
    before: ListedSessionData, open_seasons: list[ListedSeasonData]
) -> ListedSeasonData | None:
    return next((one for one in open_seasons if one.id == before.season), None)


def _place_planned_or_former(
    planned: views.PlannedDayData | None, before: ListedSessionData | None
) -> str:
    """Place of an evening: from the calendar, else that of the evening before."""
    return (planned and planned.place) or (before and before.place) or ""


def _former_or_usual_profile_id(before: ListedSessionData | None) -> str:
    """Id of the rules of the evening before if they are still offered; else of the usual ones."""
    known = {one.id for one in profile_choices()}
    return before.profile.id if before and before.profile.id in known else usual_profile_id()


def evening_due_on(today: date) -> ComingEvening | None:
    """The planned evening of today, if it was not opened yet."""
    coming = next_evening_in_calendars(today)
    return coming if coming is not None and coming.is_on(today) else None


def season_within_a_week(
    today: date, open_seasons: list[ListedSeasonData], latest: list[ListedSessionData]
) -> ListedSeasonData | None:
    """The open season that today belongs to; else the nearest that ended or begins within a week.

    Of several the one that was played last.
    """
    near = [one for one in open_seasons if _days_away(today, one) <= _WEEK.days]
    last = latest[0].season if latest else ""
    return min(near, key=lambda one: (_days_away(today, one), one.id != last), default=None)


def _days_away(today: date, season: ListedSeasonData) -> int:
    """Days until a season begins or since it ended; 0 while it runs, also without dates."""
    since = date.fromisoformat(season.since) if season.since else today
    until = date.fromisoformat(season.until) if season.until else today
    return max(0, (since - today).days, (today - until).days)


def _next_calendar_day(
    today: date, before: str, season: ListedSeasonData | None
) -> views.PlannedDayData | None:
    """The next day of the calendar on which no evening was held yet."""
    days = season.calendar if season else []
    coming = (one for one in days if one.date >= today.isoformat() and one.date > before)
    return next(coming, None)


def next_weekly_day(today: date, before: str) -> date:
    """Today, or the next day of the week of the last evening, which is not held twice a day.

    >>> next_weekly_day(date(2026, 11, 26), "2026-11-19").isoformat()
    '2026-11-26'
    >>> next_weekly_day(date(2026, 11, 24), "2026-11-19").isoformat()
    '2026-11-26'
    >>> next_weekly_day(date(2026, 11, 26), "2026-11-26").isoformat()
    '2026-12-03'
    """
    last = date.fromisoformat(before)
    if last >= today:
        return last + _WEEK
    return today + timedelta(days=(last.weekday() - today.weekday()) % 7)


def competitor_ids_of_session(session: SessionData) -> tuple[str, ...]:
    """Ids of the persons or pairs of an evening."""
    if session.of == "pairs":
        played = (pair for table in session.opened for pair in table.pairs)
        return tuple(dict.fromkeys([*played, *session.pairs]))
    return tuple(session.attended)


def competitor_ids_at_latest_evening(
    latest: list[ListedSessionData], of: Competitors, than: str = ""
) -> tuple[str, ...]:
    """Persons or pairs at the latest evening of this kind, without the evening ``than``."""
    earlier = (one for one in latest if one.of == of and one.id != than and one.attended)
    before = next(earlier, None)
    return () if before is None else competitor_ids_of_session(_session_by_id(before.id))


def _session_by_id(session_id: str) -> SessionData:
    key = UUID(session_id)
    return await_row_or_not_found(lambda rows: seasons.find_session_view(rows, key), key)


def today() -> date:
    """Today's date in the time zone of the club."""
    return moments.club_day(current_services().clock())


class ComingEvening(NamedTuple):
    """A day of the calendar of a season on which no evening was held yet."""

    season: ListedSeasonData
    day: PlannedDayData

    def is_on(self, today: date) -> bool:
        """Whether the evening is planned for this day."""
        return self.day.date == today.isoformat()


def next_evening_in_calendars(today: date) -> ComingEvening | None:
    """The next day of the calendars of open seasons, today if no evening was opened for it yet."""
    held = {(one.season, one.date) for one in views.latest_sessions()}
    days = [
        ComingEvening(season, day)
        for season in views.open_seasons()
        for day in season.calendar
        if day.date >= today.isoformat() and (season.id, day.date) not in held
    ]
    return min(days, key=lambda one: (one.day.date, one.day.time), default=None)


def hour_of_evening(evening: SessionFactsData) -> str:
    """The hour of an evening by the calendar of its season; empty if it is not said."""
    if not evening.season:
        return ""
    with current_services().reads.reading() as rows:
        season = seasons.find_season_view(rows, UUID(evening.season))
    days = season.calendar if season else []
    return next((one.time for one in days if one.date == evening.date), "")
