"""Files of a league: its table for a spreadsheet, its days for a phone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from icalendar import Event

from api.html.calendar_files import new_calendar
from api.http.languages import say
from api.http.spreadsheets import Cell, print_table
from api.leagues.display import LeagueDisplay, MatchDisplay
from projections.leagues.views import TieBreakData

PRODUCT: Final = "-//guinote//leagues//ES"
_LASTS: Final = timedelta(hours=3)
_COLUMNS: Final = ("place", "team", "points", "played", "won", "level", "lost")
_SCORES: Final = ("partidas_for", "partidas_against")


def standings_file(display: LeagueDisplay) -> str:
    """The tables of all divisions; each tie-break has a column."""
    lang, ties = display.lang, display.view.rules["tie_breaks"]
    several = len(display.view.divisions) > 1
    head = [say(f"league.{name}", lang) for name in (*_COLUMNS, *_SCORES)]
    head += [say(f"league.tie.{one}", lang) for one in ties]
    rows: list[list[Cell]] = []
    for division in display.view.divisions:
        for row in division.standings:
            cells: list[Cell] = [display.division_name(division)] if several else []
            cells += [row.place, display.teams[row.team].name, row.points]
            cells += [row.played, row.won, row.level, row.lost, *row.partidas]
            rows.append([*cells, *map(_cell, row.tie_breaks)])
    first = [say("league.division", lang)] if several else []
    return print_table([*first, *head], rows, lang)


def _cell(one: TieBreakData) -> Cell:
    """A value as a number; a quotient as a decimal, none if no partida was lost."""
    if one.tie_break != "quotient":
        return int(one.value) if one.value else ""
    won, lost = map(int, one.value.split("/"))
    return round(won / lost, 3) if lost else ""


def calendar_file(
    display: LeagueDisplay,
    name: str,
    matches: Iterable[MatchDisplay],
    now: datetime,
    origin: str,
    zone: ZoneInfo,
) -> bytes:
    """Matches for a phone, at their hour or on the whole day.

    Those without a day are not in it, nor those that a withdrawn team does not play any more.
    """
    found = new_calendar(PRODUCT, name)
    for one in matches:
        is_off = one.is_open and one.is_of_withdrawn
        if not is_off and one.data.stage not in ("postponed", "annulled"):
            found.add_component(_event(display, one, now, origin, zone))
    found.add_missing_timezones()
    return bytes(found.to_ical())


def _event(
    display: LeagueDisplay, one: MatchDisplay, now: datetime, origin: str, zone: ZoneInfo
) -> Event:
    day, event = date.fromisoformat(one.data.date), Event()
    hour = one.data.time
    event.add("uid", f"{display.view.id}-{one.data.match}@guinote")
    event.add("dtstamp", now)
    begin = datetime.combine(day, time.fromisoformat(hour), zone) if hour else day
    event.add("dtstart", begin)
    event.add("dtend", begin + (_LASTS if hour else timedelta(days=1)))
    event.add("summary", f"{one.home} \u2013 {one.away}")
    if one.data.venue:
        event.add("location", one.data.venue)
    event.add("url", f"{origin}{one.path}")
    return event
