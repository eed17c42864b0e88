"""Opening an encuentro: its profile, frozen for the table."""

from __future__ import annotations

import msgspec

from referee.events import FrozenProfile
from referee.rules.profile.profile import Profile, frozen


def frozen_profile(profile: Profile, players: int, deck: int | None = None) -> FrozenProfile:
    """The profile with every value it has for this number of players and this deck.

    :raises BadProfile: nobody could play by it; the options are named
    """
    table = frozen(profile, players, deck)
    names = FrozenProfile.__struct_fields__
    held = {name: value or "" for name, value in table.items() if name in names}
    return msgspec.convert(held, FrozenProfile)
