"""Public pages of roads: all of them, and one with its qualifiers, places and renunciations."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, request

from api.html.pages import page
from api.http.access import guard
from api.http.services import await_position
from api.roads import views as road_views
from api.roads.display import RoadDisplay

blp = Blueprint("roads", __name__)
ROAD: Final = "/caminos/<uuid:road_id>"
_AT_ONCE: Final = 50


@blp.get("/caminos/")
@guard.open_to_all
def index() -> Response:
    """All roads to a final"""
    await_position()
    found = road_views.roads(request.args.get("cursor", ""), _AT_ONCE)
    return page("roads/roads.html", found=found.items, next=found.next)


@blp.get(ROAD)
@guard.open_to_all
def show(road_id: UUID) -> Response:
    """A road: who has a place by which way, who renounced, who moved up, what is left"""
    await_position()
    return road_page("roads/road.html", display_of(road_id))


def display_of(road_id: UUID) -> RoadDisplay:
    """The road of a request.

    :raises NotFound: there is none
    """
    return RoadDisplay(road_views.road(road_id))


def road_page(template: str, display: RoadDisplay, **values: Any) -> Response:
    """A page of a road."""
    return page(template, display=display, view=display.view, home=display.home, **values)
