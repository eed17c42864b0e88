"""Difference of two profiles: what changes for a table that goes from one to the other."""

from __future__ import annotations

from referee.rules.profile.changes import SETS
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import Profile


def differing(one: Profile, other: Profile, players: int) -> tuple[str, ...]:
    """Options in which two profiles differ for a number of players, in the order of ``Options``.

    The ``deck`` is among them when they allow other decks. ``BadProfile``: one of them is not for
    so many.

    >>> from referee.rules.profile.profile import profile
    >>> differing(profile("club"), profile("ludoteka"), 4)[:3]
    ('deal_packets', 'swap_only_for_value', 'cante_20_shown')
    """
    first, second = one.options(players), other.options(players)
    found = {n for n in OPTION_NAMES if n not in SETS and getattr(first, n) != getattr(second, n)}
    if one.decks != other.decks:
        found.add("deck")
    return tuple(name for name in OPTION_NAMES if name in found)
