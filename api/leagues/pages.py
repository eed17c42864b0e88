"""Public pages of leagues: today, table, results, calendar, sanctions, rules; teams and matches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request
from icalendar import Event

from api.html import qr_codes
from api.html.addresses import origin_for_others
from api.html.calendar_files import empty_calendar
from api.html.pages import may, page
from api.http import moments
from api.http.access import guard
from api.http.languages import say
from api.http.services import are_team_leagues_public, await_position_in_request, current_services
from api.http.spreadsheets import Cell, print_csv
from api.leagues import views as league_views
from api.leagues.acts import MOST_DIVISIONS
from api.leagues.display import LeagueDisplay, MatchDisplay
from projections.leagues.views import DivisionData, TieBreakData
from referee.errors import NotFound

PRODUCT: Final = "-//guinote//leagues//ES"
_LASTS: Final = timedelta(hours=3)
_COLUMNS: Final = ("place", "team", "points", "played", "won", "level", "lost")
_SCORES: Final = ("partidas_for", "partidas_against")


def standings_csv_text(display: LeagueDisplay) -> str:
    """The tables of all divisions as the text of a CSV file; each tie-break has a column."""
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
            rows.append([*cells, *map(_tie_break_cell, row.tie_breaks)])
    first = [say("league.division", lang)] if several else []
    return print_csv([*first, *head], rows, lang)


def _tie_break_cell(one: TieBreakData) -> Cell:
    """Value of a tie-break as a number; a quotient as a decimal, none if no partida was lost."""
    if one.tie_break != "quotient":
        return int(one.value) if one.value else ""
    won, lost = map(int, one.value.split("/"))
    return round(won / lost, 3) if lost else ""


def icalendar_bytes(
    display: LeagueDisplay,
    name: str,
    matches: Iterable[MatchDisplay],
    now: datetime,
    origin: str,
    zone: ZoneInfo,
) -> bytes:
    """Matches as an iCalendar file for a phone, at their hour or on the whole day.

    Those without a day are not in it, nor those that a withdrawn team does not play any more.
    """
    found = empty_calendar(PRODUCT, name)
    for one in matches:
        is_off = one.is_open and one.is_of_withdrawn
        if not is_off and one.data.stage not in ("postponed", "annulled"):
            found.add_component(_calendar_entry(display, one, now, origin, zone))
    found.add_missing_timezones()
    return bytes(found.to_ical())


def _calendar_entry(
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


blp = Blueprint("leagues", __name__)
LEAGUE: Final = "/ligas/<uuid:league_id>"
_AT_ONCE: Final = 50
CALENDAR_TYPE: Final = "text/calendar; charset=utf-8"


@blp.get("/ligas/")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def index() -> Response:
    """All leagues of teams"""
    await_position_in_request()
    found = league_views.league_list_page(request.args.get("cursor", ""), _AT_ONCE)
    return page("leagues/leagues.html", found=found.items, next=found.next)


@blp.get(LEAGUE)
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def show_league_page(league_id: UUID) -> Response:
    """A league: what is played today, the table, results, calendar, sanctions and rules"""
    await_position_in_request()
    display, division = display_and_division_in_query(league_id)
    return render_league_page("leagues/league.html", display, division=division)


@blp.get(f"{LEAGUE}/equipos/<team>")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def show_team(league_id: UUID, team: str) -> Response:
    """A team: its players and since when, its matches"""
    await_position_in_request()
    display = _league_display_for_team(league_id, team)
    return render_league_page(
        "leagues/team.html", display, team=display.team(team), matches=display.matches_of_team(team)
    )


@blp.get(f"{LEAGUE}/encuentros/<match>")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def show_match(league_id: UUID, match: str) -> Response:
    """A match: when and where, its pairs, what came of each partida"""
    await_position_in_request()
    display = _league_display_for_match(league_id, match)
    return render_league_page("leagues/match.html", display, one=display.match(match))


@blp.get(f"{LEAGUE}/encuentros/<match>/hoja")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def show_match_sheet(league_id: UUID, match: str) -> Response:
    """A match on paper: pairs and winners to be filled in by hand, signatures, a QR code"""
    await_position_in_request()
    display = _league_display_for_match(league_id, match, sees_lineups=may("tournaments:run"))
    one = display.match(match)
    title = f"{say('league.sheet', display.lang)}: {one.home} \u2013 {one.away}"
    return render_league_page(
        "leagues/match_sheet.html", display, title=title, sheets=[_sheet_of(one)]
    )


@blp.get(f"{LEAGUE}/jornadas/<int(min=1,max=999):n>/hojas")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def show_round_sheets(league_id: UUID, n: int) -> Response:
    """Every match of a round of a division on paper, to be printed in one go"""
    await_position_in_request()
    display, division = display_and_division_in_query(
        league_id, sees_lineups=may("tournaments:run")
    )
    rounds = {one.number: one.matches for one in display.rounds_of_division(division.division)}
    if n not in rounds:
        raise NotFound(str(n))
    name = [display.division_name(division), say("league.round_n", display.lang, n=n)]
    title = f"{say('league.sheets', display.lang)}: {' · '.join(filter(None, name))}"
    sheets = [_sheet_of(one) for one in rounds[n]]
    return render_league_page("leagues/match_sheet.html", display, title=title, sheets=sheets)


class MatchSheet(NamedTuple):
    """A match to be printed, with its address and the QR code of that."""

    match: MatchDisplay
    address: str
    qr: str


def _sheet_of(one: MatchDisplay) -> MatchSheet:
    address = origin_for_others() + one.path
    return MatchSheet(one, address, qr_codes.qr_inline(address, omitsize=True, light="#fff"))


def _league_display_for_team(league_id: UUID, team: str) -> LeagueDisplay:
    """Display of a league with the one division in which a team plays."""
    return display_of(league_id, league_views.division_of_team(league_id, team))


def _league_display_for_match(
    league_id: UUID, match: str, *, sees_lineups: bool = False
) -> LeagueDisplay:
    """Display of a league with the one division of a match, which the match's id begins with."""
    division = re.match(r"([0-9]{1,2})-", match)
    number = int(division[1]) if division else 0
    return display_of(league_id, number, sees_lineups=sees_lineups)


@blp.get(f"{LEAGUE}/clasificacion.csv")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def download_standings_csv(league_id: UUID) -> Response:
    """The table for a spreadsheet"""
    await_position_in_request()
    table = standings_csv_text(display_of(league_id)).encode()
    made = Response(table, content_type="text/csv; charset=utf-8")
    made.headers["Content-Disposition"] = 'attachment; filename="clasificacion.csv"'
    return made


@blp.get(f"{LEAGUE}/calendario.ics")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def download_calendar(league_id: UUID) -> Response:
    """Every match for the calendar of a phone, or those of a venue (`sede`)"""
    await_position_in_request()
    display = display_of(league_id)
    venue = request.args.get("sede", "")
    matches = display.matches_at_venue(venue) if venue else display.matches
    name = " · ".join(filter(None, (venue, display.view.name)))
    return _calendar_response(display, name, matches)


@blp.get(f"{LEAGUE}/equipos/<team>/calendario.ics")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
def download_team_calendar(league_id: UUID, team: str) -> Response:
    """The matches of a team for the calendar of a phone"""
    await_position_in_request()
    display = _league_display_for_team(league_id, team)
    return _calendar_response(display, display.team(team).name, display.matches_of_team(team))


def _calendar_response(display: LeagueDisplay, name: str, matches: list[MatchDisplay]) -> Response:
    now, origin = current_services().clock(), origin_for_others()
    made = icalendar_bytes(display, name, matches, now, origin, moments.club_zone())
    return Response(made, content_type=CALENDAR_TYPE)


def display_of(
    league_id: UUID, division: int | None = None, *, sees_lineups: bool = False
) -> LeagueDisplay:
    """Display of a league by its id: whole, or with one division alone.

    :raises NotFound: there is none, or it has no such division
    """
    if division is not None and not 1 <= division <= MOST_DIVISIONS:
        raise NotFound(str(division))
    return LeagueDisplay(league_views.league(league_id, division, sees_lineups=sees_lineups))


def display_and_division_in_query(
    league_id: UUID, *, sees_lineups: bool = False
) -> tuple[LeagueDisplay, DivisionData]:
    """Display of a league with the division that the query asks for (else the first), and that.

    :raises NotFound: there is none
    """
    asked = request.args.get("division", 1, type=int)
    display = display_of(league_id, asked, sees_lineups=sees_lineups)
    division = next((one for one in display.view.divisions if one.division == asked), None)
    if division is None:
        raise NotFound(str(asked))
    return display, division


def render_league_page(template: str, display: LeagueDisplay, **values: Any) -> Response:
    """HTTP response with a template filled from the display of a league and these values."""
    view, home, is_public = display.view, display.home, are_team_leagues_public()
    return page(template, display=display, view=view, home=home, is_public=is_public, **values)
