"""Events about a house: one log with the names, accounts and views that belong to it."""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act


class HouseFounded(Act, frozen=True, tag="house_founded"):
    """The first event of a new log. A log of before begins with another, and is a house as well."""


class HouseRestored(Act, frozen=True, tag="house_restored"):
    """An older copy of the log was taken back on purpose.

    ``signed``: events under the latest checkpoint, or that were shown, whichever are more.
    ``kept``: those of them that the copy may have.
    """

    signed: int
    kept: int


class NotaryNamed(Act, frozen=True, tag="notary_named"):
    """Whose checkpoints are those of the log, from now on. ``key``: the public key in a line."""

    key: str


HouseAct: TypeAlias = HouseFounded | HouseRestored | NotaryNamed
