"""Public pages of rankings: all of them, the table, a person, a wall, how it is computed."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, request, url_for

from api.html.pages import board_page, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.problems import refusal_words
from api.http.rest import tag_of_view
from api.http.services import await_position_in_request
from api.rankings import views as ranking_views
from projections.rankings.views import RankedClubData, RankedRowData, RankingData
from referee.errors import Refused

WALL_ROWS: Final = 60
"""Rows that a wall shows, page by page."""


class ShownRow(NamedTuple):
    """A row with the name of the person and the names of their clubs."""

    data: RankedRowData
    name: str
    clubs: list[str]


class RankingDisplay:
    """A ranking with names. ``fault``: why its table cannot be computed."""

    def __init__(self, view: RankingData, fault: str = "") -> None:
        self.view, self.fault = view, fault
        self.home = f"{prefix()}/clasificaciones/{view.id}"
        self.clubs = {one.club: one for one in view.clubs}
        self.rows = [self._row_with_names(one) for one in view.rows]
        self._names = {one.data.person: one.name for one in self.rows}

    def _row_with_names(self, one: RankedRowData) -> ShownRow:
        named = [each.name for each in one.members if each.name]
        clubs = list(dict.fromkeys(self.clubs[each.club].name for each in one.members))
        return ShownRow(one, next(iter(named), _words_for_unnamed_person()), clubs)

    @property
    def current_clubs(self) -> list[RankedClubData]:
        """Clubs that take part now."""
        return [one for one in self.view.clubs if not one.is_dropped]

    def rows_of_club(self, club: str) -> list[ShownRow]:
        """Rows of the members of a club; all rows if no club is given."""
        return [
            one
            for one in self.rows
            if not club or any(each.club == club for each in one.data.members)
        ]

    def person_name(self, line: str) -> str:
        """Name of the person whose line this is; words for somebody without a name."""
        return self._names.get(line) or _words_for_unnamed_person()

    def person_names_in_words(self, lines: list[str]) -> str:
        """Names of the persons of these lines, joined into one text."""
        return " · ".join(map(self.person_name, lines))


def _words_for_unnamed_person() -> str:
    return say("ranking.unnamed", language())


blp = Blueprint("ranking_pages", __name__)
RANKING: Final = "/clasificaciones/<uuid:ranking_id>"
PERSON: Final = f"{RANKING}/persona/<line>"
_AT_ONCE: Final = 50


@blp.get("/clasificaciones/")
@guard.open_to_all
def index() -> Response:
    """All rankings between clubs"""
    await_position_in_request()
    found = ranking_views.ranking_list_page(request.args.get("cursor", ""), _AT_ONCE)
    return page("rankings/rankings.html", found=found.items, next=found.next)


@blp.get(RANKING)
@guard.open_to_all
def show(ranking_id: UUID) -> Response:
    """A ranking: its table, the clubs that it is computed from, and how"""
    await_position_in_request()
    display = display_of(ranking_id)
    club = request.args.get("club", "")
    club = club if club in display.clubs else ""
    made = render_ranking_page(
        "rankings/ranking.html", display, rows=display.rows_of_club(club), of_club=club
    )
    if display.fault:
        made.status_code = HTTPStatus.CONFLICT
    return made


@blp.get(PERSON)
@guard.open_to_all
def show_person(ranking_id: UUID, line: str) -> Response:
    """A person in a ranking: rating day by day, results, with whom and against whom"""
    await_position_in_request()
    view = ranking_views.person(ranking_id, line)
    return render_ranking_page(
        "rankings/person.html", display_of(ranking_id), line=line, person=view
    )


@blp.get(f"{RANKING}/pared")
@guard.open_to_all
def wall(ranking_id: UUID) -> Response:
    """The table of a ranking on a wall"""
    await_position_in_request()
    display = display_of(ranking_id)
    return board_page(
        "rankings/wall.html",
        tag_of_view([display.view, display.fault]),
        url_for("rankings.show", ranking_id=ranking_id),
        display=display,
        rows=display.rows[:WALL_ROWS],
    )


def display_of(ranking_id: UUID) -> RankingDisplay:
    """A ranking to be shown; without rows, and with the reason, if its table cannot be computed.

    :raises NotFound: there is none
    """
    try:
        return RankingDisplay(ranking_views.ranking(ranking_id))
    except Refused as refused:
        fault = refusal_words(refused, language())
        return RankingDisplay(ranking_views.ranking_without_table(ranking_id), fault)


def render_ranking_page(template: str, display: RankingDisplay, **values: Any) -> Response:
    """The response: a template filled with the display of a ranking and other values."""
    return page(template, display=display, view=display.view, home=display.home, **values)
