"""What the write side says when it cannot do what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """What cannot be true, or cannot be done: the rule, and the facts against it.

    ``rule``: a ``Rule`` of the law, or a ``TournamentRule``.
    """

    def __init__(self, rule: StrEnum, **facts: object) -> None:
        super().__init__(rule.value, facts)
        self.rule = rule
        self.facts: Mapping[str, object] = facts


class Stale(Exception):  # noqa: N818 - as above
    """A command meant for another version of the stream; ``of`` names one that was only seen."""

    def __init__(self, version: int, of: str = "") -> None:
        super().__init__(version)
        self.version = version
        self.of = of


class KeyReused(Exception):  # noqa: N818 - as above
    """An idempotency key that came back with another body."""


class NotFound(Exception):  # noqa: N818 - as above
    """An id under which nothing is recorded."""
