"""The page of a player across seasons, and the address that leads to it from every name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Blueprint, Response

from api.html.pages import may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import await_position, is_league_public
from api.seasons import rating_line
from api.seasons.career.views import career
from referee.errors import NotFound
from referee.events import PersonId

blp = Blueprint("career", __name__)
_SHOWN: Final = 5
"""Partners and rivals that are shown unasked."""


def _is_open(person_id: PersonId = "") -> bool:
    """Whether everybody may see the page of a player: if the club publishes its league."""
    del person_id
    return is_league_public()


@blp.get("/jugador/<string(length=32):person_id>")
@guard.requires("read")
@guard.open_when(_is_open)
def show(person_id: PersonId) -> Response:
    """A player: what they won, form, rating, matches, partners and rivals, seasons"""
    await_position()
    view = career(person_id)
    if view.is_new and not may("read"):  # the list of the club is not for everybody
        raise NotFound(person_id)
    line = rating_line.rating_line(view.ratings)
    size = {"width": rating_line.WIDTH, "height": rating_line.HEIGHT}
    return page("seasons/career.html", view=view, line=line, size=size, shown=_SHOWN)


@blp.app_context_processor
def _ways() -> dict[str, Callable[[PersonId], str]]:
    """``player_path(person)``: address of the page of a player; empty if it is not shown."""
    found: list[bool] = []

    def player_path(person: PersonId) -> str:
        if not found:
            found.append(may("read") or is_league_public())
        return f"{prefix()}/jugador/{person}" if person and found[0] else ""

    return {"player_path": player_path}
