"""The rules of the club as a decider: its own sets of rules, each with its editions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from referee.errors import Refused
from referee.events import RulesAct, RulesId, RulesRetired, RulesStated, TextId
from referee.rules.articles import Rule
from referee.rules.profile.profile import (
    PROFILE_IDS,
    BadProfile,
    Profile,
    UnknownProfile,
    profile,
)


class ClubRules(msgspec.Struct, frozen=True):
    """A set of rules: its name, its editions with the oldest first, whether it is offered."""

    name: TextId
    editions: tuple[RulesStated, ...]
    is_retired: bool = False

    @property
    def newest_edition(self) -> RulesStated:
        """The edition in force."""
        return self.editions[-1]

    @property
    def newest_edition_number(self) -> int:
        """Number of the edition in force; the first is 1."""
        return len(self.editions)


class RulesOfClub(msgspec.Struct, frozen=True):
    """Every set of rules by its id, in the order they were made. ``version`` counts the acts."""

    sets: Mapping[RulesId, ClubRules] = {}
    version: int = 0


INITIAL: Final = RulesOfClub()


def evolve(state: RulesOfClub, event: RulesAct) -> RulesOfClub:
    """The rules after one event. It never refuses: only ``decide`` checks rules."""
    known = state.sets.get(event.rules)
    match event:
        case RulesStated():
            editions = () if known is None else known.editions
            is_other = not editions or _edition_without_name(editions[-1]) != _edition_without_name(
                event
            )
            changed = ClubRules(event.name, (*editions, event) if is_other else editions)
        case RulesRetired():
            before = ClubRules("", ()) if known is None else known
            changed = replace(before, is_retired=True)
        case _:
            assert_never(event)
    return RulesOfClub({**state.sets, event.rules: changed}, state.version + 1)


def _edition_without_name(stated: RulesStated) -> RulesStated:
    """An edition without its name: two editions are the same if these are equal."""
    return replace(stated, name="")


def decide(act: RulesAct, state: RulesOfClub) -> tuple[RulesAct, ...]:
    """The act that was asked to be recorded.

    :raises Refused: if it cannot be so
    """
    known = state.sets.get(act.rules)
    match act:
        case RulesStated():
            if act.rules in PROFILE_IDS:
                raise Refused(Rule.RULES_UNKNOWN)
            try:
                profile_of_edition(act, 1 if known is None else known.newest_edition_number)
            except (BadProfile, UnknownProfile):
                raise Refused(Rule.RULES_CONTRADICTORY) from None
        case RulesRetired():
            if known is None:
                raise Refused(Rule.RULES_UNKNOWN)
            if known.is_retired:
                raise Refused(Rule.RULES_RETIRED)
        case _:
            assert_never(act)
    return (act,)


def profile_of_edition(stated: RulesStated, edition: int) -> Profile:
    """The profile that an edition of a set of rules stands for.

    :raises BadProfile: nobody could play by it; the options are named
    :raises UnknownProfile: its base is none of the six
    """
    base = profile(stated.base, stated.base_edition)
    return base.changed(stated.rules, str(edition), stated.changes)
