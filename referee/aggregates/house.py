"""The house as an aggregate.

The notary of its one log, and the checkpoints that a restoration on purpose fell behind.
"""

from __future__ import annotations

from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee.events import HouseAct, HouseFounded, HouseRestored, NotaryNamed


class House(msgspec.Struct, frozen=True):
    """``given_up``: greatest size of a checkpoint that need not be of the log.

    ``notary``: public key of the notary, in a line; empty if none was named. ``version`` counts
    the acts.
    """

    given_up: int = 0
    notary: str = ""
    version: int = 0


INITIAL: Final = House()


def evolve(state: House, event: HouseAct) -> House:
    """The house after one event."""
    version = state.version + 1
    match event:
        case HouseFounded():
            return replace(state, version=version)
        case HouseRestored(signed):
            return replace(state, given_up=max(signed, state.given_up), version=version)
        case NotaryNamed(key):
            return replace(state, notary=key, version=version)
        case _:
            assert_never(event)
