"""Roads to a final: qualifiers, places by result and by invitation, renunciations, refills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, Literal, TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from referee.errors import Refused
from referee.events import PersonId, TextId
from referee.events import road as ev


class RoadRule(StrEnum):
    """Why something cannot be recorded in a road to a final."""

    ROAD_OPEN = "road-open"
    PLACES_NUMBER = "places-number"
    PLACES_FULL = "places-full"
    FINAL_UNKNOWN = "final-unknown"
    TOURNAMENT_UNKNOWN = "tournament-unknown"
    TOURNAMENT_TWICE = "tournament-twice"
    QUALIFIER_UNKNOWN = "qualifier-unknown"
    QUALIFIER_RUNNING = "qualifier-running"
    QUALIFIER_HERE = "qualifier-here"
    QUALIFIER_ELSEWHERE = "qualifier-elsewhere"
    KEY_KNOWN = "key-known"
    KEY_UNTRUSTED = "key-untrusted"
    KEY_OTHER = "key-other"
    TOURNAMENT_OTHER = "tournament-other"
    LIST_USED = "list-used"
    LIST_OLDER = "list-older"
    LIST_SAME = "list-same"
    LIST_EMPTY = "list-empty"
    LISTED_TWICE = "listed-twice"
    PLAYER_HAS_PLACE = "player-has-place"
    ENTRY_UNKNOWN = "entry-unknown"
    RENOUNCED_ALREADY = "renounced-already"
    NOT_RENOUNCED = "not-renounced"
    FINAL_CURRENT = "final-current"
    FINAL_OTHERWISE = "final-otherwise"
    FIELD_BROKEN = "field-broken"
    LINE_BROKEN = "line-broken"
    PAIRS_OF = "pairs-of"


SamePair: TypeAlias = frozenset[PersonId]
"""A pair by its players, in no order."""
INVITED: Final[ev.QualifierId] = "0"
"""In place of the number of a qualifier: by invitation."""


class RoadQualifier(msgspec.Struct, frozen=True):
    """A qualifier. ``tournament``: of this house, empty for another; ``taken``: its latest list."""

    id: ev.QualifierId
    name: TextId
    places: int
    tournament: str = ""
    taken: ev.ListTaken | None = None


class Road(msgspec.Struct, frozen=True):
    """A road folded from its log; ``version`` counts its acts.

    ``taken``: qualifiers with a list, in the order in which they gave places. ``keys``: of other
    houses, that the organiser compared. ``renounced``: pairs that do not come, and why.
    ``final_pairs``: pairs that were entered in the final.
    """

    opened: ev.RoadOpened | None = None
    qualifiers: Mapping[ev.QualifierId, RoadQualifier] = {}
    taken: tuple[ev.QualifierId, ...] = ()
    keys: tuple[str, ...] = ()
    invitations: Mapping[str, ev.PairInvited] = {}
    renounced: Mapping[SamePair, TextId] = {}
    final_pairs: tuple[ev.FinalPair, ...] = ()
    version: int = 0

    @property
    def places(self) -> int:
        """Number of pairs that play the final."""
        return 0 if self.opened is None else self.opened.places


INITIAL: Final = Road()


PlaceStanding: TypeAlias = Literal["by_right", "moved_up", "renounced", "elsewhere", "waiting"]
WITH_PLACE: Final[tuple[PlaceStanding, ...]] = ("by_right", "moved_up")


class RoadEntry(msgspec.Struct, frozen=True):
    """A pair of a list or by invitation, and how it stands.

    ``place``: in its qualifier, 0 by invitation. ``elsewhere``: one of them has a place otherwise.
    """

    id: ev.PlaceId
    qualifier: ev.QualifierId
    place: int
    players: tuple[PersonId, ...]
    standing: PlaceStanding

    @property
    def has_place(self) -> bool:
        """Whether the pair has a place in the final."""
        return self.standing in WITH_PLACE


def entries_of_road(state: Road) -> tuple[RoadEntry, ...]:
    """Every pair on the road: first those that were invited, then those of each list."""
    found = [
        RoadEntry(
            f"{INVITED}-{one.invitation}",
            INVITED,
            0,
            one.players,
            "renounced" if frozenset(one.players) in state.renounced else "by_right",
        )
        for one in state.invitations.values()
    ]
    placed = {person for one in found if one.has_place for person in one.players}
    for qualifier in state.taken:
        for entry in _entries_of_list(state, state.qualifiers[qualifier], placed):
            found.append(entry)
            placed.update(entry.players if entry.has_place else ())
    return tuple(found)


def _entries_of_list(state: Road, one: RoadQualifier, placed: set[PersonId]) -> Iterator[RoadEntry]:
    """The pairs of the list of a qualifier.

    ``placed``: Who has a place already, with the pairs before.
    """
    assert one.taken is not None
    left = one.places
    for line, listed in enumerate(one.taken.pairs):
        standing: PlaceStanding
        if frozenset(listed.players) in state.renounced:
            standing = "renounced"
        elif not placed.isdisjoint(listed.players):
            standing = "elsewhere"
        elif left:
            standing = "by_right" if line < one.places else "moved_up"
        else:
            standing = "waiting"
        left -= standing in WITH_PLACE
        yield RoadEntry(f"{one.id}-{listed.pair}", one.id, listed.place, listed.players, standing)


def entries_with_place(state: Road) -> tuple[RoadEntry, ...]:
    """Every pair on the road that plays the final."""
    return tuple(one for one in entries_of_road(state) if one.has_place)


def players_of_entry_id(state: Road, entry: ev.PlaceId) -> tuple[PersonId, ...]:
    """The players of a pair on the road; nobody if there is no such pair."""
    qualifier, _, which = entry.partition("-")
    if qualifier == INVITED:
        found = state.invitations.get(which)
        return () if found is None else found.players
    known = state.qualifiers.get(qualifier)
    listed = () if known is None or known.taken is None else known.taken.pairs
    return next((one.players for one in listed if one.pair == which), ())


def count_given_places(state: Road) -> int:
    """Number of places that qualifiers and invitations have, filled or not."""
    invited = [one for one in entries_of_road(state) if one.qualifier == INVITED and one.has_place]
    return sum(one.places for one in state.qualifiers.values()) + len(invited)


class FinalChanges(msgspec.Struct, frozen=True):
    """What entering the final changes: pairs that stay, pairs that go, and who comes."""

    stay: tuple[ev.FinalPair, ...]
    go: tuple[ev.FinalPair, ...]
    come: tuple[RoadEntry, ...]


def pair_changes_in_final(state: Road) -> FinalChanges:
    """Which pairs stay in the final, which leave it and which enter it, by who has a place now."""
    holding = {frozenset(one.players): one for one in entries_with_place(state)}
    known = {frozenset(one.players): one for one in state.final_pairs}
    return FinalChanges(
        tuple(one for pair, one in known.items() if pair in holding),
        tuple(one for pair, one in known.items() if pair not in holding),
        tuple(one for pair, one in holding.items() if pair not in known),
    )


def evolve(state: Road, event: ev.RoadAct) -> Road:
    """The road after one event."""
    state = replace(state, version=state.version + 1)
    match event:
        case ev.RoadOpened():
            return replace(state, opened=event)
        case ev.QualifierAdded() | ev.QualifierChanged() | ev.ListTaken():
            return _with_qualifier(state, event)
        case ev.KeyTrusted(key):
            return replace(state, keys=(*state.keys, key))
        case ev.PairInvited(invitation=invitation):
            return replace(state, invitations={**state.invitations, invitation: event})
        case ev.PlaceRenounced() | ev.PlaceReclaimed():
            return _with_renunciation_or_return(state, event)
        case ev.FinalEntered(pairs):
            return replace(state, final_pairs=pairs)
        case _:
            assert_never(event)


def _with_qualifier(
    state: Road, event: ev.QualifierAdded | ev.QualifierChanged | ev.ListTaken
) -> Road:
    """The road with a qualifier more, or with one as it is now."""
    if isinstance(event, ev.QualifierAdded):
        made = RoadQualifier(event.qualifier, event.name, event.places, event.tournament)
        return replace(state, qualifiers={**state.qualifiers, made.id: made})
    found = state.qualifiers.get(event.qualifier)
    if found is None:
        return state
    if isinstance(event, ev.QualifierChanged):
        found = replace(found, name=event.name, places=event.places)
    else:
        state = replace(state, taken=tuple(dict.fromkeys((*state.taken, found.id))))
        found = replace(found, taken=event)
    return replace(state, qualifiers={**state.qualifiers, found.id: found})


def _with_renunciation_or_return(state: Road, event: ev.PlaceRenounced | ev.PlaceReclaimed) -> Road:
    """The road after a pair renounced, or came back."""
    pair = frozenset(players_of_entry_id(state, event.entry))
    others = {other: why for other, why in state.renounced.items() if other != pair}
    if isinstance(event, ev.PlaceRenounced):
        others[pair] = event.reason
    return replace(state, renounced=others)


FEWEST_PLACES: Final = 2
MOST_PLACES: Final = 256


def decide(act: ev.RoadAct, state: Road) -> tuple[ev.RoadAct, ...]:  # noqa: C901 - a case an act
    """The act that was asked to be recorded, with its number.

    :raises Refused: it cannot be true
    """
    match act:
        case ev.RoadOpened():
            _refuse_opening(act, state)
        case ev.QualifierAdded() | ev.QualifierChanged():
            return (_decide_qualifier(act, state),)
        case ev.KeyTrusted(key):
            if key in state.keys:
                raise Refused(RoadRule.KEY_KNOWN, key=key)
        case ev.ListTaken():
            _refuse_list(act, state)
        case ev.PairInvited():
            return (_decide_invitation(act, state),)
        case ev.PlaceRenounced(entry):
            if _require_entry(entry, state).standing == "renounced":
                raise Refused(RoadRule.RENOUNCED_ALREADY, entry=entry)
        case ev.PlaceReclaimed(entry):
            _refuse_impossible_reclaim(_require_entry(entry, state), state)
        case ev.FinalEntered():
            _refuse_final(act, state)
    return (act,)


def _refuse_opening(act: ev.RoadOpened, state: Road) -> None:
    if state.opened is not None:
        raise Refused(RoadRule.ROAD_OPEN)
    if not FEWEST_PLACES <= act.places <= MOST_PLACES:
        raise Refused(RoadRule.PLACES_NUMBER, least=FEWEST_PLACES, most=MOST_PLACES)


def _refuse_too_many_places(given: int, state: Road) -> None:
    if given > state.places:
        raise Refused(RoadRule.PLACES_FULL, places=state.places, given=given)


# --- qualifiers and their lists ------------------------------------------------------------------


def require_qualifier(qualifier: ev.QualifierId, state: Road) -> RoadQualifier:
    """A qualifier of a road.

    :raises Refused: there is none of this number
    """
    found = state.qualifiers.get(qualifier)
    if found is None:
        raise Refused(RoadRule.QUALIFIER_UNKNOWN, qualifier=qualifier)
    return found


def _decide_qualifier(
    act: ev.QualifierAdded | ev.QualifierChanged, state: Road
) -> ev.QualifierAdded | ev.QualifierChanged:
    """A new qualifier with its number, or a change of one, if there are places for it."""
    if act.places < 1:
        raise Refused(RoadRule.PLACES_NUMBER, least=1, most=MOST_PLACES)
    if isinstance(act, ev.QualifierChanged):
        before = require_qualifier(act.qualifier, state).places
        _refuse_too_many_places(count_given_places(state) - before + act.places, state)
        return act
    assert state.opened is not None
    known = {state.opened.final, *(one.tournament for one in state.qualifiers.values())}
    if act.tournament and act.tournament in known:
        raise Refused(RoadRule.TOURNAMENT_TWICE)
    _refuse_too_many_places(count_given_places(state) + act.places, state)
    return replace(act, qualifier=str(len(state.qualifiers) + 1))


def _refuse_list(act: ev.ListTaken, state: Road) -> None:
    found = require_qualifier(act.qualifier, state)
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
        _refuse_bad_foreign_list(act, found, state)
    if found.taken is not None and found.taken.pairs == act.pairs:
        raise Refused(RoadRule.LIST_SAME)


def _refuse_bad_foreign_list(act: ev.ListTaken, found: RoadQualifier, state: Road) -> None:
    """Refuse a list of another house: its key, its tournament or its moment is not the right one.

    :raises Refused: so it is
    """
    if not act.key:
        raise Refused(RoadRule.QUALIFIER_ELSEWHERE, qualifier=found.id)
    if found.taken is not None:
        _refuse_list_not_later(act, found.taken)
    if act.key not in state.keys:
        raise Refused(RoadRule.KEY_UNTRUSTED, key=act.key)
    for other in state.qualifiers.values():
        is_used = other.taken is not None and _key_and_tournament_of_list(
            other.taken
        ) == _key_and_tournament_of_list(act)
        if is_used and other.id != found.id:
            raise Refused(RoadRule.LIST_USED, qualifier=other.id)


def _refuse_list_not_later(act: ev.ListTaken, before: ev.ListTaken) -> None:
    """Refuse a list that is not a later one of the same tournament."""
    if act.key != before.key:
        raise Refused(RoadRule.KEY_OTHER, key=act.key)
    if act.tournament != before.tournament:
        raise Refused(RoadRule.TOURNAMENT_OTHER)
    if act.index < before.index:
        raise Refused(RoadRule.LIST_OLDER)
    if act.index == before.index:
        raise Refused(RoadRule.LIST_SAME)


def _key_and_tournament_of_list(taken: ev.ListTaken) -> tuple[str, str]:
    return taken.key, taken.tournament


# --- places --------------------------------------------------------------------------------------


def _decide_invitation(act: ev.PairInvited, state: Road) -> ev.PairInvited:
    """An invitation with its number, if there is a place for it."""
    placed = {person for one in entries_with_place(state) for person in one.players}
    if len(set(act.players)) < len(act.players) or not act.players:
        raise Refused(RoadRule.LISTED_TWICE, line=1)
    if not placed.isdisjoint(act.players):
        raise Refused(RoadRule.PLAYER_HAS_PLACE)
    if frozenset(act.players) in state.renounced:
        raise Refused(RoadRule.RENOUNCED_ALREADY, entry="")
    _refuse_too_many_places(count_given_places(state) + 1, state)
    return replace(act, invitation=str(len(state.invitations) + 1))


def _require_entry(entry: ev.PlaceId, state: Road) -> RoadEntry:
    found = next((one for one in entries_of_road(state) if one.id == entry), None)
    if found is None:
        raise Refused(RoadRule.ENTRY_UNKNOWN, entry=entry)
    return found


def _refuse_impossible_reclaim(found: RoadEntry, state: Road) -> None:
    if found.standing != "renounced":
        raise Refused(RoadRule.NOT_RENOUNCED, entry=found.id)
    if found.qualifier == INVITED:
        placed = {person for one in entries_with_place(state) for person in one.players}
        if not placed.isdisjoint(found.players):
            raise Refused(RoadRule.PLAYER_HAS_PLACE)
        _refuse_too_many_places(count_given_places(state) + 1, state)


def _refuse_final(act: ev.FinalEntered, state: Road) -> None:
    """Refuse the pairs of the final if as before, or not exactly those who have a place."""
    if act.pairs == state.final_pairs:
        raise Refused(RoadRule.FINAL_CURRENT)
    entered = [frozenset(one.players) for one in act.pairs]
    numbers = {one.pair for one in act.pairs}
    wanted = {frozenset(one.players) for one in entries_with_place(state)}
    if set(entered) != wanted or len(numbers) < len(act.pairs) or len(entered) > len(wanted):
        raise Refused(RoadRule.FINAL_OTHERWISE)
