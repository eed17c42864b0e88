"""Events about the rules of the club: its own sets of rules, each from one of the six profiles.

Sets of rules are short random ids. Their names are texts of the erasable store.
"""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act, TextId

RulesId: TypeAlias = str
RuleValue: TypeAlias = bool | int | str | list[str | int]
RuleChanges: TypeAlias = dict[str, RuleValue | dict[str, RuleValue]]
"""Changed options by name; a value may be a table by number of players."""


class RulesStated(Act, frozen=True, tag="rules"):
    """The club states a set of rules: a profile, of an edition, and what the club changes in it.

    Stated again, with other changes, they are a new edition of the set.
    """

    rules: RulesId
    name: TextId
    base: str
    base_edition: str
    changes: RuleChanges = {}


class RulesRetired(Act, frozen=True, tag="rules_retire"):
    """A set of rules is not offered any more; stated again, it is offered as before."""

    rules: RulesId


RulesAct: TypeAlias = RulesStated | RulesRetired
