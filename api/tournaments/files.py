"""A tournament as files: tables for a spreadsheet, dates for a calendar."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from icalendar import Calendar, Event

from api.http.languages import say
from api.tournaments import standings as standings_face
from api.tournaments.face import TournamentFace
from api.tournaments.rounds import PairFace
from api.tournaments.views import ListedTournamentData

PRODUCT: Final = "-//guinote-referee//torneos//ES"
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def pairs(face: TournamentFace) -> str:
    """Every pair with its players."""
    most = max((len(pair.players) for pair in face.pairs.values()), default=0)
    head = _said(face, "pair")
    head += [say("tournament_page.player_n", face.lang, n=n + 1) for n in range(most)]
    return _table(head, ([pair.number, *pair.players] for pair in face.pairs.values()))


def meetings(face: TournamentFace) -> str:
    """Every cruce as drawn, with its result."""
    head = [
        *(
            say(f"tournament_page.{one}", face.lang)
            for one in ("round", "table", "pair", "players")
        ),
        *(say(f"tournament_page.{one}", face.lang) for one in ("pair", "players")),
        *(say(f"tournament_page.{one}", face.lang) for one in ("cotos", "cotos_against")),
        *(say(f"tournament_page.{one}", face.lang) for one in ("partidas", "partidas_against")),
        say("tournament_page.winner", face.lang),
        say("tournament_page.result", face.lang),
    ]
    return _table(
        head,
        (
            [
                one.title,
                one.table or "",
                *_cells(one.pairs[0]),
                *_cells(one.pairs[1]),
                *(one.cotos or ("", "")),
                *(one.partidas or ("", "")),
                one.winner or "",
                say(
                    f"tournament_page.mark_{'walkover' if one.is_walkover else one.mark}", face.lang
                ),
            ]
            for one in face.meetings.values()
        ),
    )


def standings(face: TournamentFace) -> str:
    """The standings, then those of each group, with the criterion that decided each place."""
    view, lang = face.view, face.lang
    criteria = view["plan"]["criteria"]
    head = [
        *_said(face, "group", "place_n", "pair", "players", "points"),
        *(say(f"standings.{one}", lang) for one in criteria if one != "points"),
        *_said(face, "tie_break"),
    ]
    found: list[list[object]] = []
    for number, rows in (
        ("", view["standings"]),
        *((str(group["number"]), group["standings"]) for group in view["groups"]),
    ):
        for row, worded in zip(rows, standings_face.rows(rows, lang), strict=True):
            values = {item["criterion"]: item["value"] for item in row["items"]}
            breaks = [values.get(one, "") for one in criteria if one != "points"]
            cells = _cells(face.pairs[row["pair"]])
            found.append([number, row["place"], *cells, row["points"], *breaks, worded.why])
    return _table(head, found)


def calendar(
    views: Iterable[ListedTournamentData], lang: str, address: str, now: datetime
) -> bytes:
    """Days of tournaments as iCalendar; ``address``: of a tournament, with ``{id}`` in it."""
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    found.add("x-wr-calname", say("tournament_page.all", lang))
    for view in views:
        if view["date"]:
            found.add_component(_event(view, address.format(id=view["id"]), now))
    return bytes(found.to_ical())


def _event(view: ListedTournamentData, address: str, now: datetime) -> Event:
    day = date.fromisoformat(view["date"])
    event = Event()
    event.add("uid", f"{view['id']}@guinote")
    event.add("dtstamp", now)
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("summary", view["name"])
    if view["place"]:
        event.add("location", view["place"])
    event.add("url", address)
    return event


def _said(face: TournamentFace, *texts: str) -> list[str]:
    return [say(f"tournament_page.{text}", face.lang) for text in texts]


def _cells(pair: PairFace) -> tuple[str, str]:
    return pair.number, pair.name


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV, with a byte order mark for spreadsheets."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    return f"\ufeff{text.getvalue()}"


def _plain(cell: object) -> object:
    """A cell that no spreadsheet reads as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
