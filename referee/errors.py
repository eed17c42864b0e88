"""Errors of the write side."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """The act is impossible or not allowed: the rule, and the facts against it.

    ``rule``: a ``Rule`` of the law, a ``SeatDrawRule`` or a ``TournamentRule``.
    """

    def __init__(self, rule: StrEnum, **facts: object) -> None:
        super().__init__(rule.value, facts)
        self.rule = rule
        self.facts: Mapping[str, object] = facts


class Stale(Exception):  # noqa: N818 - the name states the condition
    """The command is for another version of a stream; ``of`` names a stream that was only read."""

    def __init__(self, version: int, of: str = "") -> None:
        super().__init__(version)
        self.version = version
        self.of = of


class KeyReused(Exception):  # noqa: N818 - the name states the condition
    """An idempotency key was used before for another request."""


class NotFound(Exception):  # noqa: N818 - the name states the condition
    """Nothing is recorded under the id."""
