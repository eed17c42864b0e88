"""Calendars for phones: days of tournaments, the rounds of one, the cruces of a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from icalendar import Event

from api.html.calendar_files import new_calendar
from api.http.languages import UNKNOWN, say
from api.tournaments.display import TournamentDisplay
from api.tournaments.views import LinkedTournamentData, ListedTournamentData

PRODUCT: Final = "-//guinote-referee//torneos//ES"
_DAY: Final = timedelta(days=1)


class Appointment(NamedTuple):
    """What is in a calendar, from a day to a day or from a moment to a moment."""

    uid: str
    title: str
    place: str | None
    begin: date
    end: date
    address: str


def tournament_days(views: Iterable[ListedTournamentData], root: str) -> Iterator[Appointment]:
    """The days of tournaments."""
    for view in views:
        yield from _day_of(view, root)


def rounds_of(display: TournamentDisplay, root: str) -> Iterator[Appointment]:
    """The day of a tournament, and each of its rounds whose clock was started."""
    view = display.view
    yield from _day_of(view, root)
    for number, one in enumerate(display.rounds, 1):
        if hours := _hours(display, number):
            title = f"{one.title} · {display.name}"
            yield Appointment(
                f"{view.id}-{number}", title, view.place, *hours, _address(view, root)
            )


def cruces_of(display: TournamentDisplay, pair: str, root: str) -> Iterator[Appointment]:
    """The cruces of a pair, on the day if the clock of their round was not started yet.

    Before one is drawn, the day of the tournament.
    """
    view = display.view
    is_drawn = False
    for number, drawn in enumerate(display.rounds, 1):
        begin, end = _hours(display, number) or _all_day(view.date) or (None, None)
        for one in drawn.meetings:
            if begin and end and any(each.number == pair for each in one.pairs):
                is_drawn = True
                both = " \u2013 ".join(each.name for each in one.pairs)
                table = say("tournament_page.table_n", display.lang, n=one.table)
                yield Appointment(
                    f"{view.id}-{one.id}",
                    f"{one.title}: {both}",
                    " · ".join(filter(None, (view.place, table if one.table else ""))),
                    begin,
                    end,
                    f"{_address(view, root)}/pareja/{pair}",
                )
    if not is_drawn:
        yield from _day_of(view, root)


def calendar_file(name: str, appointments: Iterable[Appointment], now: datetime) -> bytes:
    """A calendar as iCalendar; ``name`` is what the phone lists it under."""
    found = new_calendar(PRODUCT, name)
    for one in appointments:
        event = Event()
        event.add("uid", f"{one.uid}@guinote")
        event.add("dtstamp", now)
        event.add("dtstart", one.begin)
        event.add("dtend", one.end)
        event.add("summary", one.title)
        if one.place:
            event.add("location", one.place)
        event.add("url", one.address)
        found.add_component(event)
    return bytes(found.to_ical())


def _day_of(view: ListedTournamentData | LinkedTournamentData, root: str) -> Iterator[Appointment]:
    if day := _all_day(view.date):
        title = view.name or UNKNOWN
        yield Appointment(view.id, title, view.place, *day, _address(view, root))


def _address(view: ListedTournamentData | LinkedTournamentData, root: str) -> str:
    return f"{root}torneos/{view.id}"


def _all_day(day: str) -> tuple[date, date] | None:
    """A day and the next one; None if there is no day."""
    return (date.fromisoformat(day), date.fromisoformat(day) + _DAY) if day else None


def _hours(display: TournamentDisplay, number: int) -> tuple[date, date] | None:
    """When a round began and ends; None if its clock was not started."""
    clock = display.view.rounds[number - 1].clock
    if clock is None:
        return None
    begin = datetime.fromisoformat(clock.started)
    return begin, begin + timedelta(minutes=clock.minutes)
