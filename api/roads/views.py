"""Views of roads with names and texts in place of their ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

import msgspec

from api.http.access.prefix import prefix
from api.http.rows import one_row, place_of, with_texts
from api.http.services import current_services
from projections.roads import (
    RoadData,
    RoadEntryData,
    RoadShortData,
    road_row,
    road_rows,
)
from projections.views import widen
from referee.aggregates.road import Road
from referee.events import PersonId
from referee.events.road import QualifierId


class WholeRoadData(RoadData, frozen=True):
    """A road as it is sent; ``names``: of persons by their ids, null of those erased.

    ``to_take``: qualifiers of this house whose list, as it stands now, was not taken.
    """

    names: dict[PersonId, str | None]
    to_take: list[QualifierId]


class RoadPageData(msgspec.Struct, frozen=True):
    """A page of the list of roads; ``next``: the cursor of the page after it."""

    items: list[RoadShortData]
    next: str | None


def road(road_id: UUID) -> WholeRoadData:
    """A road with its names.

    :raises NotFound: there is none
    """
    view = one_row(lambda rows: road_row(rows, road_id), road_id)
    return with_names(view, current_services().referee.roads.road(road_id), {})


def roads(cursor: str, limit: int) -> RoadPageData:
    """One page of the list of roads, the latest first."""
    before, here = place_of(cursor), current_services()
    with here.reads.reading() as rows:
        found = road_rows(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    shown = with_texts([view for _, view in found[:limit]])
    return RoadPageData(items=shown, next=more)


def with_names(view: RoadData, state: Road, new: Mapping[PersonId, str | None]) -> WholeRoadData:
    """A road with texts in place of ids, and the names of its pairs. ``new``: not stored yet."""
    worded = with_texts(view)
    persons = {one: None for entry in entries_of_view(view) for one in entry.players}
    names = current_services().persons.names_of(one for one in persons if one not in new)
    to_take = current_services().referee.roads.lists_to_take(state)
    return widen(WholeRoadData, worded, names={**names, **new}, to_take=to_take)


def entries_of_view(view: RoadData) -> Iterator[RoadEntryData]:
    """Everybody on a road, by invitation first."""
    yield from view.invitations
    for one in view.qualifiers:
        yield from one.entries


def address(road_id: UUID | str) -> str:
    """Address of a road."""
    return f"{prefix()}/api/v1/roads/{road_id}"
