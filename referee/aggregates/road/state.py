"""The state of a road to a final: qualifiers with their lists, invitations, who renounced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from referee.events import PersonId, TextId
from referee.events.road import (
    FinalPair,
    ListTaken,
    PairInvited,
    QualifierId,
    RoadOpened,
)

SamePair: TypeAlias = frozenset[PersonId]
"""A pair by its players, in no order."""
INVITED: Final[QualifierId] = "0"
"""In place of the number of a qualifier: by invitation."""


class RoadQualifier(msgspec.Struct, frozen=True):
    """A qualifier. ``tournament``: of this house, empty for another; ``taken``: its latest list."""

    id: QualifierId
    name: TextId
    places: int
    tournament: str = ""
    taken: ListTaken | None = None


class Road(msgspec.Struct, frozen=True):
    """A road folded from its log; ``version`` counts its acts.

    ``taken``: qualifiers with a list, in the order in which they gave places. ``keys``: of other
    houses, that the organiser compared. ``renounced``: pairs that do not come, and why.
    ``final_pairs``: pairs that were entered in the final.
    """

    opened: RoadOpened | None = None
    qualifiers: Mapping[QualifierId, RoadQualifier] = {}
    taken: tuple[QualifierId, ...] = ()
    keys: tuple[str, ...] = ()
    invitations: Mapping[str, PairInvited] = {}
    renounced: Mapping[SamePair, TextId] = {}
    final_pairs: tuple[FinalPair, ...] = ()
    version: int = 0

    @property
    def places(self) -> int:
        """Pairs that play the final."""
        return 0 if self.opened is None else self.opened.places


INITIAL: Final = Road()
