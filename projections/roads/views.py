"""Types of the answers about roads; persons and texts by their ids until names are put in."""

from __future__ import annotations

from typing import TypedDict

from referee.aggregates.road.places import PlaceStanding
from referee.events.base import PersonId, TextId
from referee.events.road import PlaceId, QualifierId


class RoadEntryData(TypedDict):
    """A pair on the road. ``place``: in its qualifier, 0 by invitation; ``reason``: as given."""

    entry: PlaceId
    place: int
    players: list[PersonId]
    standing: PlaceStanding
    reason: TextId
    final_pair: str


class RoadQualifierData(TypedDict):
    """A qualifier, and who stands how. ``key``: of the house whose list it is."""

    qualifier: QualifierId
    name: TextId
    places: int
    tournament: str
    is_here: bool
    is_taken: bool
    key: str
    free: int
    entries: list[RoadEntryData]


class RoadShortData(TypedDict):
    """A road in a list. ``filled``: places that somebody has."""

    id: str
    name: TextId
    version: int
    places: int
    filled: int
    qualifiers: int


class RoadData(TypedDict):
    """A whole road. ``free``: places that no qualifier has yet, nor an invitation."""

    id: str
    name: TextId
    contact: TextId
    version: int
    final: str
    places: int
    filled: int
    free: int
    qualifiers: list[RoadQualifierData]
    invitations: list[RoadEntryData]
    keys: list[str]
