"""Roads to a final: qualifiers, places, who renounced and who moved up, all of them public."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec

from projections.runner.projection import FoldedBatch, Projection, as_json, decode_first_row_or_none
from referee.aggregates.road import (
    INVITED,
    PlaceStanding,
    Road,
    RoadEntry,
    RoadQualifier,
    SamePair,
    count_given_places,
    entries_of_road,
)
from referee.events.base import PersonId, TextId
from referee.events.road import PlaceId, QualifierId


class RoadEntryData(msgspec.Struct, frozen=True):
    """A pair on the road. ``place``: in its qualifier, 0 by invitation; ``reason``: as given."""

    entry: PlaceId
    place: int
    players: list[PersonId]
    standing: PlaceStanding
    reason: TextId
    final_pair: str


class RoadQualifierData(msgspec.Struct, frozen=True):
    """A qualifier with its pairs. ``key``: public key of the house whose list was accepted."""

    qualifier: QualifierId
    name: TextId
    places: int
    tournament: str
    is_here: bool
    is_taken: bool
    key: str
    free: int
    entries: list[RoadEntryData]


class RoadShortData(msgspec.Struct, frozen=True):
    """A road in a list. ``filled``: number of places that a pair has."""

    id: str
    name: TextId
    version: int
    places: int
    filled: int
    qualifiers: int


class RoadData(msgspec.Struct, frozen=True):
    """A whole road.

    ``free``: places of the final given neither to a qualifier nor by invitation.
    """

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


def road_short(key: str, state: Road) -> RoadShortData:
    """View of a road to a final for a list."""
    assert state.opened is not None
    return RoadShortData(
        id=key,
        name=state.opened.name,
        version=state.version,
        places=state.places,
        filled=sum(one.has_place for one in entries_of_road(state)),
        qualifiers=len(state.qualifiers),
    )


def road_data(key: str, state: Road) -> RoadData:
    """View of a whole road to a final."""
    assert state.opened is not None
    found = entries_of_road(state)
    numbers = {frozenset(one.players): one.pair for one in state.final_pairs}
    return RoadData(
        id=key,
        name=state.opened.name,
        contact=state.opened.contact,
        version=state.version,
        final=state.opened.final,
        places=state.places,
        filled=sum(one.has_place for one in found),
        free=state.places - count_given_places(state),
        qualifiers=[
            _qualifier_data(
                one,
                [
                    _entry_data(each, state, numbers)
                    for each in found
                    if _is_entry_of_qualifier(each, one)
                ],
            )
            for one in state.qualifiers.values()
        ],
        invitations=[_entry_data(one, state, numbers) for one in found if one.qualifier == INVITED],
        keys=list(state.keys),
    )


def _is_entry_of_qualifier(entry: RoadEntry, qualifier: RoadQualifier) -> bool:
    return entry.qualifier == qualifier.id


def _qualifier_data(one: RoadQualifier, entries: list[RoadEntryData]) -> RoadQualifierData:
    holding = sum(each.standing in ("by_right", "moved_up") for each in entries)
    taken = one.taken
    return RoadQualifierData(
        qualifier=one.id,
        name=one.name,
        places=one.places,
        tournament=one.tournament or ("" if taken is None else taken.tournament),
        is_here=bool(one.tournament),
        is_taken=taken is not None,
        key="" if taken is None else taken.key,
        free=one.places - holding,
        entries=entries,
    )


def _entry_data(one: RoadEntry, state: Road, numbers: Mapping[SamePair, str]) -> RoadEntryData:
    invitation = state.invitations.get(one.id.partition("-")[2]) if not one.place else None
    pair = frozenset(one.players)
    given = "" if invitation is None else invitation.reason
    return RoadEntryData(
        entry=one.id,
        place=one.place,
        players=list(one.players),
        standing=one.standing,
        reason=state.renounced.get(pair, given),
        final_pair=numbers.get(pair, ""),
    )


class RoadsProjection(Projection):
    """Public views of roads: whole, and short for lists."""

    name = "roads"
    version = 1
    tables: Mapping[str, str] = {
        "road": "CREATE TABLE road (id TEXT PRIMARY KEY, opened INTEGER, short TEXT,"
        " view TEXT) WITHOUT ROWID",
    }
    indexes: Sequence[str] = ("CREATE INDEX road_opened ON road (opened)",)

    def apply(self, batch: FoldedBatch, cursor: sqlite3.Cursor) -> None:
        """Write the rows of each road that the batch changed."""
        cursor.executemany(
            "INSERT OR REPLACE INTO road VALUES (?, ?, '', '')",
            batch.positions_of_new_streams(Road),
        )
        for key, state in batch.states_of_kind(Road):
            docs = as_json(road_short(key, state)), as_json(road_data(key, state))
            cursor.execute("UPDATE road SET short = ?, view = ? WHERE id = ?", (*docs, key))


def find_road_view(cursor: sqlite3.Cursor, road_id: UUID) -> RoadData | None:
    """View of a whole road to a final; None if it does not exist."""
    return decode_first_row_or_none(
        cursor, RoadData, "SELECT view FROM road WHERE id = ?", str(road_id)
    )


def roads_opened_before(
    cursor: sqlite3.Cursor, before: int | None, limit: int
) -> list[tuple[int, RoadShortData]]:
    """Roads for a list, opened before a log position, the latest first, each with its position."""
    cursor.execute(
        "SELECT opened, short FROM road WHERE opened < ? ORDER BY opened DESC LIMIT ?",
        (2**62 if before is None else before, limit),
    )
    return [(opened, msgspec.json.decode(doc, type=RoadShortData)) for opened, doc in cursor]
