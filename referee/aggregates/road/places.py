"""Who has a place in the final: by invitation, and from each list the first who come.

A pair that renounced, or that has its place by another way, is passed over, and the next of the
same list moves up. Lists count in the order in which the first of each was taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.road.state import INVITED, Road, RoadQualifier
from referee.events import PersonId
from referee.events.road import FinalPair, PlaceId, QualifierId

PlaceStanding: TypeAlias = Literal["by_right", "moved_up", "renounced", "elsewhere", "waiting"]
WITH_PLACE: Final[tuple[PlaceStanding, ...]] = ("by_right", "moved_up")


class RoadEntry(msgspec.Struct, frozen=True):
    """A pair of a list or by invitation, and how it stands.

    ``place``: in its qualifier, 0 by invitation. ``elsewhere``: one of them has a place otherwise.
    """

    id: PlaceId
    qualifier: QualifierId
    place: int
    players: tuple[PersonId, ...]
    standing: PlaceStanding

    @property
    def has_place(self) -> bool:
        """Whether it plays the final."""
        return self.standing in WITH_PLACE


def entries_of(state: Road) -> tuple[RoadEntry, ...]:
    """Everybody on the road: invitations first, then each list."""
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
        for entry in _of_list(state, state.qualifiers[qualifier], placed):
            found.append(entry)
            placed.update(entry.players if entry.has_place else ())
    return tuple(found)


def _of_list(state: Road, one: RoadQualifier, placed: set[PersonId]) -> Iterator[RoadEntry]:
    """The pairs of a list; ``placed``: who has a place, of the pairs before too."""
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


def with_place(state: Road) -> tuple[RoadEntry, ...]:
    """Everybody who plays the final."""
    return tuple(one for one in entries_of(state) if one.has_place)


def players_of_entry(state: Road, entry: PlaceId) -> tuple[PersonId, ...]:
    """The players of a pair on the road; nobody if there is no such pair."""
    qualifier, _, which = entry.partition("-")
    if qualifier == INVITED:
        found = state.invitations.get(which)
        return () if found is None else found.players
    known = state.qualifiers.get(qualifier)
    listed = () if known is None or known.taken is None else known.taken.pairs
    return next((one.players for one in listed if one.pair == which), ())


def places_given(state: Road) -> int:
    """Places that qualifiers and invitations have, filled or not."""
    invited = [one for one in entries_of(state) if one.qualifier == INVITED and one.has_place]
    return sum(one.places for one in state.qualifiers.values()) + len(invited)


class FinalChanges(msgspec.Struct, frozen=True):
    """What entering the final changes: pairs that stay, pairs that go, and who comes."""

    stay: tuple[FinalPair, ...]
    go: tuple[FinalPair, ...]
    come: tuple[RoadEntry, ...]


def final_changes(state: Road) -> FinalChanges:
    """Pairs of the final against those who have a place."""
    holding = {frozenset(one.players): one for one in with_place(state)}
    known = {frozenset(one.players): one for one in state.final_pairs}
    return FinalChanges(
        tuple(one for pair, one in known.items() if pair in holding),
        tuple(one for pair, one in known.items() if pair not in holding),
        tuple(one for pair, one in holding.items() if pair not in known),
    )
