"""Previews: the road as it would be after some acts, who loses a place and who gains one."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec

from api.http.acts.kinds import AskedAct, UnstoredTexts
from api.http.services import current_services
from api.roads.acts import event_of
from api.roads.views import WholeRoadData, with_names
from projections.roads import road_data
from referee.aggregates.road import Road, with_place
from referee.events import PersonId
from referee.events.road import PlaceId


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


def preview(road_id: UUID, acts: Sequence[AskedAct]) -> RoadPreviewData:
    """What acts would change on a road; nothing is recorded.

    :raises Refused: one of them is impossible
    """
    roads, put = current_services().referee.roads, UnstoredTexts()
    before = roads.road(road_id)
    after = roads.state_after(road_id, [event_of(before, one, put) for one in acts])
    return RoadPreviewData(
        version=before.version,
        lost=_without(before, after),
        gained=_without(after, before),
        final=_final_changes(before, after),
        road=with_names(road_data(str(road_id), after), after, put.names),
    )


def _without(one: Road, other: Road) -> list[ChangedPlaceData]:
    """Pairs with a place on one road that have none on another."""
    there = {frozenset(entry.players) for entry in with_place(other)}
    return [
        ChangedPlaceData(entry=entry.id, players=list(entry.players))
        for entry in with_place(one)
        if frozenset(entry.players) not in there
    ]


def _final_changes(before: Road, after: Road) -> list[FinalChangeData]:
    old, new = ({one.pair: one.players for one in road.final_pairs} for road in (before, after))
    return [
        FinalChangeData(pair=pair, players=list(new.get(pair, ())), before=list(old.get(pair, ())))
        for pair in sorted({*old, *new}, key=int)
        if old.get(pair) != new.get(pair)
    ]
