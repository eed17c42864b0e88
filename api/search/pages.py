"""The page of the search."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, request

from api.html.pages import may, page
from api.http.access import guard
from api.http.access.roles import Actor
from api.search.finding import MOST, found
from api.seasons.views import is_league_public

blp = Blueprint("search", __name__)
_LONGEST: Final = 80


@blp.get("/buscar")
@guard.open_to_all
def search() -> Response:
    """People, pairs, tournaments, evenings and seasons of which the reader may know"""
    sought, actor = request.args.get("q", "")[:_LONGEST].replace("\0", ""), g.actor
    is_bound = isinstance(actor, Actor) and bool(actor.encuentro)
    groups = found(sought, reads=may("read") and not is_bound, is_public=is_league_public())
    return page("search/search.html", sought=sought, groups=groups, most=MOST)
