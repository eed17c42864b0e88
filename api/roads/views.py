"""Views of roads with names and texts in place of their ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

import msgspec

from api.http.access.prefix import prefix
from api.http.acts import AskedAct, UnstoredTexts
from api.http.rows import await_row_or_not_found, parse_cursor, with_texts
from api.http.services import current_services
from api.roads.acts import build_event_of_act
from projections.roads import (
    RoadData,
    RoadEntryData,
    RoadShortData,
    find_road_view,
    road_data,
    roads_opened_before,
)
from projections.views import view_as
from referee.aggregates.road import Road, entries_with_place
from referee.events import PersonId
from referee.events.road import PlaceId, QualifierId


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
    view = await_row_or_not_found(lambda rows: find_road_view(rows, road_id), road_id)
    return with_names(view, current_services().referee.roads.road(road_id), {})


def road_list_page(cursor: str, limit: int) -> RoadPageData:
    """One page of the list of roads, the latest first."""
    before, here = parse_cursor(cursor), current_services()
    with here.reads.reading() as rows:
        found = roads_opened_before(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    shown = with_texts([view for _, view in found[:limit]])
    return RoadPageData(items=shown, next=more)


def with_names(view: RoadData, state: Road, new: Mapping[PersonId, str | None]) -> WholeRoadData:
    """A road with texts in place of ids, and the names of its pairs. ``new``: not stored yet."""
    worded = with_texts(view)
    persons = {one: None for entry in entries_of_view(view) for one in entry.players}
    names = current_services().persons.names_of(one for one in persons if one not in new)
    to_take = current_services().referee.roads.qualifiers_with_untaken_list(state)
    return view_as(WholeRoadData, worded, names={**names, **new}, to_take=to_take)


def entries_of_view(view: RoadData) -> Iterator[RoadEntryData]:
    """Everybody on a road, by invitation first."""
    yield from view.invitations
    for one in view.qualifiers:
        yield from one.entries


def road_api_address(road_id: UUID | str) -> str:
    """Address of a road in the API."""
    return f"{prefix()}/api/v1/roads/{road_id}"


class ChangedPlaceData(msgspec.Struct, frozen=True):
    """A pair that would lose its place or gain one, and where it stands on the road."""

    entry: PlaceId
    players: list[PersonId]


class FinalChangeData(msgspec.Struct, frozen=True):
    """A pair that the final would have under a number, and the pair that it has there now."""

    pair: str
    players: list[PersonId]
    before: list[PersonId]


class RoadPreviewData(msgspec.Struct, frozen=True):
    """What acts would change. ``version``: of the road that this was worked out for.

    ``road``: as it would be. ``final``: pairs of the final that would be others.
    """

    version: int
    lost: list[ChangedPlaceData]
    gained: list[ChangedPlaceData]
    final: list[FinalChangeData]
    road: WholeRoadData


def road_preview(road_id: UUID, acts: Sequence[AskedAct]) -> RoadPreviewData:
    """What acts would change on a road; nothing is recorded.

    :raises Refused: one of them is impossible
    """
    roads, put = current_services().referee.roads, UnstoredTexts()
    before = roads.road(road_id)
    after = roads.state_after_acts(road_id, [build_event_of_act(before, one, put) for one in acts])
    return RoadPreviewData(
        version=before.version,
        lost=_places_lost(before, after),
        gained=_places_lost(after, before),
        final=_final_changes(before, after),
        road=with_names(road_data(str(road_id), after), after, put.names),
    )


def _places_lost(one: Road, other: Road) -> list[ChangedPlaceData]:
    """Pairs that have a place on the first road, and none on the other."""
    there = {frozenset(entry.players) for entry in entries_with_place(other)}
    return [
        ChangedPlaceData(entry=entry.id, players=list(entry.players))
        for entry in entries_with_place(one)
        if frozenset(entry.players) not in there
    ]


def _final_changes(before: Road, after: Road) -> list[FinalChangeData]:
    old, new = ({one.pair: one.players for one in road.final_pairs} for road in (before, after))
    return [
        FinalChangeData(pair=pair, players=list(new.get(pair, ())), before=list(old.get(pair, ())))
        for pair in sorted({*old, *new}, key=int)
        if old.get(pair) != new.get(pair)
    ]
