"""Public pages of rankings: all of them, the table, a person, a wall, how it is computed."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, request, url_for

from api.html.live_pages import board_page
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language
from api.http.problems import words_of
from api.http.rest import tag_of
from api.http.services import await_position
from api.rankings import views as ranking_views
from api.rankings.display import WALL_ROWS, RankingDisplay
from referee.errors import Refused

blp = Blueprint("ranking_pages", __name__)
RANKING: Final = "/clasificaciones/<uuid:ranking_id>"
_AT_ONCE: Final = 50


@blp.get("/clasificaciones/")
@guard.open_to_all
def index() -> Response:
    """All rankings between clubs"""
    await_position()
    found = ranking_views.rankings(request.args.get("cursor", ""), _AT_ONCE)
    return page("rankings/rankings.html", found=found.items, next=found.next)


@blp.get(RANKING)
@guard.open_to_all
def show(ranking_id: UUID) -> Response:
    """A ranking: its table, the clubs that it is computed from, and how"""
    await_position()
    display = display_of(ranking_id)
    club = request.args.get("club", "")
    club = club if club in display.clubs else ""
    made = ranking_page("rankings/ranking.html", display, rows=display.rows_of(club), of_club=club)
    if display.fault:
        made.status_code = HTTPStatus.CONFLICT
    return made


@blp.get(f"{RANKING}/persona/<line>")
@guard.open_to_all
def show_person(ranking_id: UUID, line: str) -> Response:
    """A person in a ranking: rating day by day, results, with whom and against whom"""
    await_position()
    view = ranking_views.person(ranking_id, line)
    return ranking_page("rankings/person.html", display_of(ranking_id), line=line, person=view)


@blp.get(f"{RANKING}/pared")
@guard.open_to_all
def wall(ranking_id: UUID) -> Response:
    """The table of a ranking on a wall"""
    await_position()
    display = display_of(ranking_id)
    return board_page(
        "rankings/wall.html",
        tag_of([display.view, display.fault]),
        url_for("rankings.show", ranking_id=ranking_id),
        display=display,
        rows=display.rows[:WALL_ROWS],
    )


def display_of(ranking_id: UUID) -> RankingDisplay:
    """The ranking of a request, without rows if its table cannot be computed.

    :raises NotFound: there is none
    """
    try:
        return RankingDisplay(ranking_views.ranking(ranking_id))
    except Refused as refused:
        fault = words_of(refused, language())
        return RankingDisplay(ranking_views.outline(ranking_id), fault)


def ranking_page(template: str, display: RankingDisplay, **values: Any) -> Response:
    """A page of a ranking."""
    return page(template, display=display, view=display.view, home=display.home, **values)
