"""A road as a decider: what is impossible is refused, with the fact against it."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.aggregates.road.places import (
    RoadEntry,
    entries_of,
    places_given,
    with_place,
)
from referee.aggregates.road.rules import RoadRule
from referee.aggregates.road.state import INVITED, Road, RoadQualifier
from referee.errors import Refused
from referee.events.road import (
    FinalEntered,
    KeyTrusted,
    ListTaken,
    PairInvited,
    PlaceId,
    PlaceReclaimed,
    PlaceRenounced,
    QualifierAdded,
    QualifierChanged,
    QualifierId,
    RoadAct,
    RoadOpened,
)

FEWEST_PLACES: Final = 2
MOST_PLACES: Final = 256


def decide(act: RoadAct, state: Road) -> tuple[RoadAct, ...]:  # noqa: C901 - a case an act
    """The act that was asked to be recorded, with its number.

    :raises Refused: it cannot be true
    """
    match act:
        case RoadOpened():
            _refuse_opening(act, state)
        case QualifierAdded() | QualifierChanged():
            return (_qualifier(act, state),)
        case KeyTrusted(key):
            if key in state.keys:
                raise Refused(RoadRule.KEY_KNOWN, key=key)
        case ListTaken():
            _refuse_list(act, state)
        case PairInvited():
            return (_invitation(act, state),)
        case PlaceRenounced(entry):
            if _entry(entry, state).standing == "renounced":
                raise Refused(RoadRule.RENOUNCED_ALREADY, entry=entry)
        case PlaceReclaimed(entry):
            _refuse_return(_entry(entry, state), state)
        case FinalEntered():
            _refuse_final(act, state)
    return (act,)


def _refuse_opening(act: RoadOpened, state: Road) -> None:
    if state.opened is not None:
        raise Refused(RoadRule.ROAD_OPEN)
    if not FEWEST_PLACES <= act.places <= MOST_PLACES:
        raise Refused(RoadRule.PLACES_NUMBER, least=FEWEST_PLACES, most=MOST_PLACES)


def _refuse_full(given: int, state: Road) -> None:
    if given > state.places:
        raise Refused(RoadRule.PLACES_FULL, places=state.places, given=given)


# --- qualifiers and their lists ------------------------------------------------------------------


def find_qualifier(qualifier: QualifierId, state: Road) -> RoadQualifier:
    """A qualifier of a road.

    :raises Refused: there is none of this number
    """
    found = state.qualifiers.get(qualifier)
    if found is None:
        raise Refused(RoadRule.QUALIFIER_UNKNOWN, qualifier=qualifier)
    return found


def _qualifier(
    act: QualifierAdded | QualifierChanged, state: Road
) -> QualifierAdded | QualifierChanged:
    """A new qualifier with its number, or one that is another way now."""
    if act.places < 1:
        raise Refused(RoadRule.PLACES_NUMBER, least=1, most=MOST_PLACES)
    if isinstance(act, QualifierChanged):
        before = find_qualifier(act.qualifier, state).places
        _refuse_full(places_given(state) - before + act.places, state)
        return act
    assert state.opened is not None
    known = {state.opened.final, *(one.tournament for one in state.qualifiers.values())}
    if act.tournament and act.tournament in known:
        raise Refused(RoadRule.TOURNAMENT_TWICE)
    _refuse_full(places_given(state) + act.places, state)
    return replace(act, qualifier=str(len(state.qualifiers) + 1))


def _refuse_list(act: ListTaken, state: Road) -> None:
    found = find_qualifier(act.qualifier, state)
    if not act.pairs:
        raise Refused(RoadRule.LIST_EMPTY)
    seen: set[str] = set()
    for line, listed in enumerate(act.pairs, 1):
        named = {f"pair {listed.pair}", *listed.players}
        if len(set(listed.players)) < len(listed.players) or not seen.isdisjoint(named):
            raise Refused(RoadRule.LISTED_TWICE, line=line)
        seen |= named
    if found.tournament:
        if act.key:
            raise Refused(RoadRule.QUALIFIER_HERE, qualifier=found.id)
    else:
        _refuse_signed_list(act, found, state)
    if found.taken is not None and found.taken.pairs == act.pairs:
        raise Refused(RoadRule.LIST_SAME)


def _refuse_signed_list(act: ListTaken, found: RoadQualifier, state: Road) -> None:
    """Refuse a list of another house: its key, its tournament or its moment is not the right one.

    :raises Refused: so it is
    """
    if not act.key:
        raise Refused(RoadRule.QUALIFIER_ELSEWHERE, qualifier=found.id)
    if found.taken is not None:
        _refuse_other_list(act, found.taken)
    if act.key not in state.keys:
        raise Refused(RoadRule.KEY_UNTRUSTED, key=act.key)
    for other in state.qualifiers.values():
        is_used = other.taken is not None and _source(other.taken) == _source(act)
        if is_used and other.id != found.id:
            raise Refused(RoadRule.LIST_USED, qualifier=other.id)


def _refuse_other_list(act: ListTaken, before: ListTaken) -> None:
    """Refuse a list that is not a later one of the same tournament."""
    if act.key != before.key:
        raise Refused(RoadRule.KEY_OTHER, key=act.key)
    if act.tournament != before.tournament:
        raise Refused(RoadRule.TOURNAMENT_OTHER)
    if act.index < before.index:
        raise Refused(RoadRule.LIST_OLDER)
    if act.index == before.index:
        raise Refused(RoadRule.LIST_SAME)


def _source(taken: ListTaken) -> tuple[str, str]:
    return taken.key, taken.tournament


# --- places --------------------------------------------------------------------------------------


def _invitation(act: PairInvited, state: Road) -> PairInvited:
    """An invitation with its number."""
    placed = {person for one in with_place(state) for person in one.players}
    if len(set(act.players)) < len(act.players) or not act.players:
        raise Refused(RoadRule.LISTED_TWICE, line=1)
    if not placed.isdisjoint(act.players):
        raise Refused(RoadRule.PLAYER_HAS_PLACE)
    if frozenset(act.players) in state.renounced:
        raise Refused(RoadRule.RENOUNCED_ALREADY, entry="")
    _refuse_full(places_given(state) + 1, state)
    return replace(act, invitation=str(len(state.invitations) + 1))


def _entry(entry: PlaceId, state: Road) -> RoadEntry:
    found = next((one for one in entries_of(state) if one.id == entry), None)
    if found is None:
        raise Refused(RoadRule.ENTRY_UNKNOWN, entry=entry)
    return found


def _refuse_return(found: RoadEntry, state: Road) -> None:
    if found.standing != "renounced":
        raise Refused(RoadRule.NOT_RENOUNCED, entry=found.id)
    if found.qualifier == INVITED:
        placed = {person for one in with_place(state) for person in one.players}
        if not placed.isdisjoint(found.players):
            raise Refused(RoadRule.PLAYER_HAS_PLACE)
        _refuse_full(places_given(state) + 1, state)


def _refuse_final(act: FinalEntered, state: Road) -> None:
    """Refuse pairs that are not those who have a place, and nothing new."""
    if act.pairs == state.final_pairs:
        raise Refused(RoadRule.FINAL_CURRENT)
    entered = [frozenset(one.players) for one in act.pairs]
    numbers = {one.pair for one in act.pairs}
    wanted = {frozenset(one.players) for one in with_place(state)}
    if set(entered) != wanted or len(numbers) < len(act.pairs) or len(entered) > len(wanted):
        raise Refused(RoadRule.FINAL_OTHERWISE)
