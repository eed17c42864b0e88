"""A road as data, from its state: what is on its row, and what a preview compares."""

from __future__ import annotations

from collections.abc import Mapping

from projections.roads.views import (
    RoadData,
    RoadEntryData,
    RoadQualifierData,
    RoadShortData,
)
from referee.aggregates.road.places import RoadEntry, entries_of, places_given
from referee.aggregates.road.state import INVITED, Road, RoadQualifier, SamePair


def road_short(key: str, state: Road) -> RoadShortData:
    """A road in a list."""
    assert state.opened is not None
    return {
        "id": key,
        "name": state.opened.name,
        "version": state.version,
        "places": state.places,
        "filled": sum(one.has_place for one in entries_of(state)),
        "qualifiers": len(state.qualifiers),
    }


def road_data(key: str, state: Road) -> RoadData:
    """A whole road."""
    assert state.opened is not None
    found = entries_of(state)
    numbers = {frozenset(one.players): one.pair for one in state.final_pairs}
    return {
        "id": key,
        "name": state.opened.name,
        "contact": state.opened.contact,
        "version": state.version,
        "final": state.opened.final,
        "places": state.places,
        "filled": sum(one.has_place for one in found),
        "free": state.places - places_given(state),
        "qualifiers": [
            _qualifier(one, [_entry(each, state, numbers) for each in found if _is_of(each, one)])
            for one in state.qualifiers.values()
        ],
        "invitations": [_entry(one, state, numbers) for one in found if one.qualifier == INVITED],
        "keys": list(state.keys),
    }


def _is_of(entry: RoadEntry, qualifier: RoadQualifier) -> bool:
    return entry.qualifier == qualifier.id


def _qualifier(one: RoadQualifier, entries: list[RoadEntryData]) -> RoadQualifierData:
    holding = sum(each["standing"] in ("by_right", "moved_up") for each in entries)
    taken = one.taken
    return {
        "qualifier": one.id,
        "name": one.name,
        "places": one.places,
        "tournament": one.tournament or ("" if taken is None else taken.tournament),
        "is_here": bool(one.tournament),
        "is_taken": taken is not None,
        "key": "" if taken is None else taken.key,
        "free": one.places - holding,
        "entries": entries,
    }


def _entry(one: RoadEntry, state: Road, numbers: Mapping[SamePair, str]) -> RoadEntryData:
    invitation = state.invitations.get(one.id.partition("-")[2]) if not one.place else None
    pair = frozenset(one.players)
    given = "" if invitation is None else invitation.reason
    return {
        "entry": one.id,
        "place": one.place,
        "players": list(one.players),
        "standing": one.standing,
        "reason": state.renounced.get(pair, given),
        "final_pair": numbers.get(pair, ""),
    }
