"""Events of a road to a final: its qualifiers, their lists, invitations, renunciations."""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act, Fact, PersonId, TextId
from referee.events.tournament import ListedPair

QualifierId: TypeAlias = str
"""Number of a qualifier, from 1, in the order in which they were added."""
PlaceId: TypeAlias = str
"""A pair on the list of a qualifier, ``3-12``, or an invitation, ``0-2``."""


class RoadOpened(Act, frozen=True, tag="road_open"):
    """A road to a final begins. ``final``: the tournament; ``places``: pairs that play it."""

    name: TextId
    final: str
    places: int
    contact: TextId = ""


class QualifierAdded(Act, frozen=True, tag="qualifier_add"):
    """So many pairs of a qualifier go to the final. ``qualifier``: the next number if empty.

    ``tournament``: of this house; empty for one whose list another house signs.
    """

    name: TextId
    places: int
    tournament: str = ""
    qualifier: QualifierId = ""


class QualifierChanged(Act, frozen=True, tag="qualifier_change"):
    """A qualifier has another name, or more places or fewer."""

    qualifier: QualifierId
    name: TextId
    places: int


class KeyTrusted(Act, frozen=True, tag="key_trust"):
    """The organiser compared the key of another house and found it to be right."""

    key: str


class ListTaken(Act, frozen=True, tag="list_take"):
    """The standings of a qualifier that is over, the best first; a later list replaces it.

    ``key``, ``tournament``, ``index``: of a signed list the key of the house, the tournament there,
    and where its log has the list. They are empty for a qualifier of this house.
    """

    qualifier: QualifierId
    pairs: tuple[ListedPair, ...] = ()
    key: str = ""
    tournament: str = ""
    index: int = 0


class PairInvited(Act, frozen=True, tag="pair_invite"):
    """A pair plays the final without a qualifier. ``invitation``: the next number if empty."""

    players: tuple[PersonId, ...]
    reason: TextId = ""
    invitation: str = ""


class PlaceRenounced(Act, frozen=True, tag="place_renounce"):
    """A pair does not come to the final; the next of its list has its place."""

    entry: PlaceId
    reason: TextId = ""


class PlaceReclaimed(Act, frozen=True, tag="place_reclaim"):
    """A pair that had renounced comes after all."""

    entry: PlaceId


class FinalPair(Fact, frozen=True):
    """A pair of the final, by its number there."""

    pair: str
    players: tuple[PersonId, ...]


class FinalEntered(Act, frozen=True, tag="final_enter"):
    """The pairs with a place were entered in the final, each in the place of one that lost it."""

    pairs: tuple[FinalPair, ...] = ()


RoadAct: TypeAlias = (
    RoadOpened
    | QualifierAdded
    | QualifierChanged
    | KeyTrusted
    | ListTaken
    | PairInvited
    | PlaceRenounced
    | PlaceReclaimed
    | FinalEntered
)
