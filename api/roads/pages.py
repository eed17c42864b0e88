"""Public pages of roads: all of them, and one with its qualifiers, places and renunciations."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, request

from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.services import await_position_in_request, current_services
from api.roads import views as road_views
from api.roads.views import ChangedPlaceData, WholeRoadData, entries_of_view
from projections.roads import RoadEntryData, RoadQualifierData
from referee.events import PersonId
from referee.events.road import PlaceId

_NOBODY: Final = "…"
_SEEN_WAITING: Final = 1
"""Pairs without a place that a list shows: who moves up next."""


class ShownList(NamedTuple):
    """A qualifier, the pairs of its list that matter now, and the other pairs."""

    data: RoadQualifierData
    shown: list[RoadEntryData]
    rest: list[RoadEntryData]
    is_to_take: bool


class RoadDisplay:
    """A road with names."""

    def __init__(self, view: WholeRoadData) -> None:
        self.view = view
        self.home = f"{prefix()}/caminos/{view.id}"
        self.lists = [self._qualifier_list_to_show(one) for one in view.qualifiers]

    def _qualifier_list_to_show(self, one: RoadQualifierData) -> ShownList:
        last = max(
            (at for at, each in enumerate(one.entries, 1) if each.standing != "waiting"),
            default=0,
        )
        shown = last + _SEEN_WAITING
        is_to_take = one.qualifier in self.view.to_take
        return ShownList(one, one.entries[:shown], one.entries[shown:], is_to_take)

    def pair_names(self, players: list[PersonId]) -> str:
        """The names of a pair in one text, from the ids of its players."""
        return " · ".join(self.view.names.get(one) or _NOBODY for one in players)

    def pair_and_way_in_words(self, one: ChangedPlaceData) -> str:
        """A pair of a preview, with its qualifier."""
        return f"{self.pair_names(one.players)} ({self.way_in_words(one.entry)})"

    def way_in_words(self, entry: PlaceId) -> str:
        """How a pair comes to the final: the name of its qualifier, or by invitation."""
        number = entry.partition("-")[0]
        named = (one.name for one in self.view.qualifiers if one.qualifier == number)
        return next(named, say("road.by_invitation", language()))

    @property
    def free_places(self) -> int:
        """Places of the final that nobody has."""
        return self.view.places - self.view.filled

    @property
    def final_name(self) -> str:
        """The name of the tournament of the final."""
        final = current_services().referee.tournaments.tournament(UUID(self.view.final))
        assert final.opened is not None
        return current_services().persons.text_by_id(final.opened.name) or _NOBODY

    @property
    def renounced(self) -> list[RoadEntryData]:
        """Pairs that renounced their place."""
        return [one for one in entries_of_view(self.view) if one.standing == "renounced"]


blp = Blueprint("roads", __name__)
ROAD: Final = "/caminos/<uuid:road_id>"
_AT_ONCE: Final = 50


@blp.get("/caminos/")
@guard.open_to_all
def index() -> Response:
    """All roads to a final"""
    await_position_in_request()
    found = road_views.road_list_page(request.args.get("cursor", ""), _AT_ONCE)
    return page("roads/roads.html", found=found.items, next=found.next)


@blp.get(ROAD)
@guard.open_to_all
def show(road_id: UUID) -> Response:
    """A road: who has a place by which way, who renounced, who moved up, what is left"""
    await_position_in_request()
    return render_road_page("roads/road.html", display_of(road_id))


def display_of(road_id: UUID) -> RoadDisplay:
    """Display of a road, read from the views.

    :raises NotFound: there is none
    """
    return RoadDisplay(road_views.road(road_id))


def render_road_page(template: str, display: RoadDisplay, **values: Any) -> Response:
    """Page of a template, filled from the display of a road and these values."""
    return page(template, display=display, view=display.view, home=display.home, **values)
