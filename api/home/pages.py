"""The front page: the links for the role of the reader, and the encuentros they may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from flask import Blueprint, Response, g, request

from api.encuentros import reading
from api.encuentros.seated_at import seated_in
from api.html import ways
from api.html.pages import page
from api.http.access import guard
from api.http.access.roles import Actor
from api.http.languages import language, side_name
from api.http.seated import at_table
from api.http.services import current_services
from api.seasons import views as season_views
from api.tournaments import views as tournament_views
from referee.rules.seats import SIDES

blp = Blueprint("home", __name__)

_LIST: Final = 50
_LATEST: Final = 20


@blp.get("/")
@guard.open_to_all
@guard.identifies_everybody
def home() -> Response:
    """What there is to do here, and the encuentros that the reader may see"""
    actor: Actor | None = g.actor
    bar = ways.bar()
    found: reading.EncuentroPageData = {"items": [], "next": None}
    if may_read := actor is not None and "read" in actor.permissions:
        assert actor is not None
        found = reading.encuentros(request.args.get("cursor", ""), _LIST, actor.encuentro)
    is_anywhere = actor is not None and not actor.encuentro
    rows = [_row(one) for one in found["items"]]
    return page(
        "home/home.html",
        jobs=[*bar.main, *bar.more],
        now=[*_tournaments(), *(_evenings() if may_read and is_anywhere else ())],
        may_read=may_read,
        encuentros=rows,
        next=found["next"],
        asks_for_settings=_asks_for_settings(actor),
        is_empty=may_read and not rows and "cursor" not in request.args,
    )


def _row(one: reading.ListedEncuentroData) -> dict[str, object]:
    """An encuentro of the list, with the names of its sides and of the one that won."""
    table, winner = seated_in(one), one["decided"] and one["decided"]["winner"]
    with at_table(table):
        sides = [side_name(side, language()) for side in SIDES[table.players]]
        won = side_name(winner, language()) if winner else ""
    return {**one, "sides": sides if table.names else [], "winner": won}


def _asks_for_settings(actor: Actor | None) -> bool:
    """Whether the reader may choose for the club, and it chose nothing yet."""
    may_choose = actor is not None and "access:manage" in actor.permissions
    return may_choose and current_services().referee.settings.settings().four_eyes is None


class Running(NamedTuple):
    """Something that is running: its address, name if any, day and place."""

    kind: Literal["tournament", "session", "season"]
    path: str
    name: str | None
    day: str
    place: str | None = None


def _tournaments() -> Iterator[Running]:
    """Tournaments that are not over."""
    for one in tournament_views.tournaments("", _LATEST)["items"]:
        if one["stage"] != "over":
            path = f"/torneos/{one['id']}"
            yield Running("tournament", path, one["name"], one["date"], one["place"])


def _evenings() -> Iterator[Running]:
    """Sessions and seasons that are open."""
    for one in season_views.latest_sessions():
        if not one["closed"]:
            path = f"/jornadas/{one['id']}"
            yield Running("session", path, one["name"], one["date"], one["place"])
    for season in season_views.every_season():
        if not season["closed"]:
            yield Running("season", f"/temporadas/{season['id']}", season["name"], season["since"])
