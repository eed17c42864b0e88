"""A tournament as files: tables for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from icalendar import Event

from api.html.calendar_files import empty_calendar
from api.http.languages import UNKNOWN, say
from api.http.spreadsheets import Cell, print_csv
from api.tournaments import standings as standings_display
from api.tournaments.display import TournamentDisplay
from api.tournaments.rounds import PairDisplay
from api.tournaments.standings import RowDisplay
from api.tournaments.views import LinkedTournamentData, ListedTournamentData
from projections.tournaments.view import PlaceData

PRODUCT: Final = "-//guinote-referee//torneos//ES"
_DAY: Final = timedelta(days=1)


class Appointment(NamedTuple):
    """An entry of a calendar, from a day to a day or from a moment to a moment."""

    uid: str
    title: str
    place: str | None
    begin: date
    end: date
    address: str


def day_appointments_of_tournaments(
    views: Iterable[ListedTournamentData], root: str
) -> Iterator[Appointment]:
    """Calendar entries of the days of tournaments."""
    for view in views:
        yield from _day_appointment_if_any(view, root)


def day_and_round_appointments(display: TournamentDisplay, root: str) -> Iterator[Appointment]:
    """Calendar entries of a tournament's day, and of each round whose clock was started."""
    view = display.view
    yield from _day_appointment_if_any(view, root)
    for number, one in enumerate(display.rounds, 1):
        if hours := _span_of_round_or_none(display, number):
            title = f"{one.title} · {display.name}"
            yield Appointment(
                f"{view.id}-{number}", title, view.place, *hours, _tournament_url(view, root)
            )


def appointments_of_pair(display: TournamentDisplay, pair: str, root: str) -> Iterator[Appointment]:
    """Calendar entries of a pair's cruces, on the day if their round was not started yet.

    Before one is drawn, the day of the tournament.
    """
    view = display.view
    is_drawn = False
    for number, drawn in enumerate(display.rounds, 1):
        begin, end = (
            _span_of_round_or_none(display, number)
            or _span_of_day_or_none(view.date)
            or (None, None)
        )
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
                    f"{_tournament_url(view, root)}/pareja/{pair}",
                )
    if not is_drawn:
        yield from _day_appointment_if_any(view, root)


def icalendar_bytes(name: str, appointments: Iterable[Appointment], now: datetime) -> bytes:
    """Bytes of a calendar as iCalendar; ``name`` is what the phone lists it under."""
    found = empty_calendar(PRODUCT, name)
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


def _day_appointment_if_any(
    view: ListedTournamentData | LinkedTournamentData, root: str
) -> Iterator[Appointment]:
    if day := _span_of_day_or_none(view.date):
        title = view.name or UNKNOWN
        yield Appointment(view.id, title, view.place, *day, _tournament_url(view, root))


def _tournament_url(view: ListedTournamentData | LinkedTournamentData, root: str) -> str:
    return f"{root}torneos/{view.id}"


def _span_of_day_or_none(day: str) -> tuple[date, date] | None:
    """A day and the next one; None if there is no day."""
    return (date.fromisoformat(day), date.fromisoformat(day) + _DAY) if day else None


def _span_of_round_or_none(display: TournamentDisplay, number: int) -> tuple[date, date] | None:
    """When a round began and ends; None if its clock was not started."""
    clock = display.view.rounds[number - 1].clock
    if clock is None:
        return None
    begin = datetime.fromisoformat(clock.started)
    return begin, begin + timedelta(minutes=clock.minutes)


def pairs_csv_text(display: TournamentDisplay) -> str:
    """CSV text of every pair with its players."""
    most = max((len(pair.players) for pair in display.pairs_by_number.values()), default=0)
    head = _column_titles(display, "pair")
    head += [say("tournament_page.player_n", display.lang, n=n + 1) for n in range(most)]
    rows = ([pair.number, *pair.players] for pair in display.pairs_by_number.values())
    return print_csv(head, rows, display.lang)


def meetings_csv_text(display: TournamentDisplay) -> str:
    """CSV text of every cruce as drawn, with its result."""
    head = [
        *(
            say(f"tournament_page.{one}", display.lang)
            for one in ("round", "table", "pair", "players")
        ),
        *(say(f"tournament_page.{one}", display.lang) for one in ("pair", "players")),
        *(say(f"tournament_page.{one}", display.lang) for one in ("cotos", "cotos_against")),
        *(say(f"tournament_page.{one}", display.lang) for one in ("partidas", "partidas_against")),
        say("tournament_page.winner", display.lang),
        say("tournament_page.result", display.lang),
    ]
    return print_csv(
        head,
        (
            [
                one.title,
                one.table or "",
                *_pair_cells(one.pairs[0]),
                *_pair_cells(one.pairs[1]),
                *(one.cotos or ("", "")),
                *(one.partidas or ("", "")),
                one.winner or "",
                say(
                    f"tournament_page.mark_{one.stage_or_absence}",
                    display.lang,
                ),
            ]
            for one in display.meetings_by_id.values()
        ),
        display.lang,
    )


def standings_csv_text(display: TournamentDisplay) -> str:
    """CSV text of the standings, then those of each group, with what decided each place."""
    view, lang = display.view, display.lang
    tables = [_StandingsTable("", view.standings, by_points=display.is_by_points)]
    tables += [_StandingsTable(str(one.number), one.standings) for one in view.groups]
    criteria = [one for one in view.plan["criteria"] if one != "points"]
    has_points = any(one.by_points for one in tables)
    head = _column_titles(display, "group", "place_n", "pair", "players")
    if has_points:
        head += _column_titles(display, "points")
        head += [*(say(f"standings.{one}", lang) for one in criteria)]
        head += _column_titles(display, "tie_break")
    if not display.is_by_points:
        head += _column_titles(display, "reached")
    found: list[list[Cell]] = []
    for table in tables:
        for row, worded in zip(table.rows, _standings_row_displays(display, table), strict=True):
            values = {item.criterion: item.value for item in row.items}
            points = [row.points, *(values.get(one, "") for one in criteria), worded.why]
            of_points = points if table.by_points else [""] * len(points)
            reached = [] if display.is_by_points else ["" if table.by_points else worded.why]
            cells = table.group, row.place, *_pair_cells(display.pairs_by_number[row.pair])
            found.append([*cells, *(of_points if has_points else []), *reached])
    return print_csv(head, found, lang)


class _StandingsTable(NamedTuple):
    """The standings of a group, or of all (no group); of a knock-out without points."""

    group: str
    rows: Sequence[PlaceData]
    by_points: bool = True


def _standings_row_displays(
    display: TournamentDisplay, table: _StandingsTable
) -> Sequence[RowDisplay]:
    if table.by_points:
        return standings_display.standings_rows(table.rows, display.lang)
    return standings_display.tournament_standings_rows(display)


def _column_titles(display: TournamentDisplay, *texts: str) -> list[str]:
    return [say(f"tournament_page.{text}", display.lang) for text in texts]


def _pair_cells(pair: PairDisplay) -> tuple[str, str]:
    return pair.number, pair.name
