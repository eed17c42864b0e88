"""A road as its pages show it: names in place of ids, and of each list those who matter now."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.services import current_services
from api.roads.previews import ChangedPlaceData
from api.roads.views import WholeRoadData, entries_of_view
from projections.roads import RoadEntryData, RoadQualifierData
from referee.events import PersonId
from referee.events.road import PlaceId

_NOBODY: Final = "…"
_SEEN_WAITING: Final = 1
"""Pairs without a place that a list shows: who moves up next."""


class ShownList(NamedTuple):
    """A qualifier, those of its list who matter now, and the others."""

    data: RoadQualifierData
    shown: list[RoadEntryData]
    rest: list[RoadEntryData]
    is_to_take: bool


class RoadDisplay:
    """A road with names."""

    def __init__(self, view: WholeRoadData) -> None:
        self.view = view
        self.home = f"{prefix()}/caminos/{view.id}"
        self.lists = [self._list(one) for one in view.qualifiers]

    def _list(self, one: RoadQualifierData) -> ShownList:
        last = max(
            (at for at, each in enumerate(one.entries, 1) if each.standing != "waiting"),
            default=0,
        )
        shown = last + _SEEN_WAITING
        is_to_take = one.qualifier in self.view.to_take
        return ShownList(one, one.entries[:shown], one.entries[shown:], is_to_take)

    def pair(self, players: list[PersonId]) -> str:
        """The names of a pair."""
        return " · ".join(self.view.names.get(one) or _NOBODY for one in players)

    def place_in_words(self, one: ChangedPlaceData) -> str:
        """A pair of a preview, with its qualifier."""
        return f"{self.pair(one.players)} ({self.way(one.entry)})"

    def way(self, entry: PlaceId) -> str:
        """How a pair comes to the final: the name of its qualifier, or by invitation."""
        number = entry.partition("-")[0]
        named = (one.name for one in self.view.qualifiers if one.qualifier == number)
        return next(named, say("road.by_invitation", language()))

    @property
    def left(self) -> int:
        """Places of the final that nobody has."""
        return self.view.places - self.view.filled

    @property
    def final_name(self) -> str:
        """The name of the tournament of the final."""
        final = current_services().referee.tournaments.tournament(UUID(self.view.final))
        assert final.opened is not None
        return current_services().persons.text(final.opened.name) or _NOBODY

    @property
    def renounced(self) -> list[RoadEntryData]:
        """Pairs that do not come."""
        return [one for one in entries_of_view(self.view) if one.standing == "renounced"]
