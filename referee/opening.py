"""Opening an encuentro: its profile, frozen for the table."""

from __future__ import annotations

import msgspec

from referee.events import FrozenProfile
from referee.rules.profile import Profile, frozen


def frozen_profile(profile: Profile, players: int, deck: int | None = None) -> FrozenProfile:
    """The profile with every value it has for this number of players and this deck.

    :raises BadProfile: nobody could play by it; the options are named
    """
    table = frozen(profile, players, deck)
    names = FrozenProfile.__struct_fields__
    held = {name: value or "" for name, value in table.items() if name in names}
    return msgspec.convert(held, FrozenProfile)


def article_in(profile: FrozenProfile, option: str) -> dict[str, str] | None:
    """Article on which an option rests: profile, option, section, basis; None of one unknown."""
    if option not in profile.options:
        return None
    section = profile.sections.get(option, "")
    basis = profile.basis.get(option, "silent")
    is_of_base = profile.base and (section or basis == "silent")
    name = profile.base if is_of_base else profile.id
    return {"profile": name, "option": option, "section": section, "basis": basis}
