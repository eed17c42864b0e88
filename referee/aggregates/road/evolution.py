"""How a road changes by each event. Nothing is refused here: only ``decide`` checks rules."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from referee.aggregates.road.places import players_of_entry
from referee.aggregates.road.state import Road, RoadQualifier
from referee.events.road import (
    FinalEntered,
    KeyTrusted,
    ListTaken,
    PairInvited,
    PlaceReclaimed,
    PlaceRenounced,
    QualifierAdded,
    QualifierChanged,
    RoadAct,
    RoadOpened,
)


def evolve(state: Road, event: RoadAct) -> Road:
    """The road after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case RoadOpened():
            return replace(state, opened=event)
        case QualifierAdded() | QualifierChanged() | ListTaken():
            return _with_qualifier(state, event)
        case KeyTrusted(key):
            return replace(state, keys=(*state.keys, key))
        case PairInvited(invitation=invitation):
            return replace(state, invitations={**state.invitations, invitation: event})
        case PlaceRenounced() | PlaceReclaimed():
            return _with_answer(state, event)
        case FinalEntered(pairs):
            return replace(state, final_pairs=pairs)
        case _:
            assert_never(event)


def _with_qualifier(state: Road, event: QualifierAdded | QualifierChanged | ListTaken) -> Road:
    """The road with a qualifier more, or with one as it is now."""
    if isinstance(event, QualifierAdded):
        made = RoadQualifier(event.qualifier, event.name, event.places, event.tournament)
        return replace(state, qualifiers={**state.qualifiers, made.id: made})
    found = state.qualifiers.get(event.qualifier)
    if found is None:
        return state
    if isinstance(event, QualifierChanged):
        found = replace(found, name=event.name, places=event.places)
    else:
        state = replace(state, taken=tuple(dict.fromkeys((*state.taken, found.id))))
        found = replace(found, taken=event)
    return replace(state, qualifiers={**state.qualifiers, found.id: found})


def _with_answer(state: Road, event: PlaceRenounced | PlaceReclaimed) -> Road:
    """The road after a pair renounced, or came back."""
    pair = frozenset(players_of_entry(state, event.entry))
    others = {other: why for other, why in state.renounced.items() if other != pair}
    if isinstance(event, PlaceRenounced):
        others[pair] = event.reason
    return replace(state, renounced=others)
