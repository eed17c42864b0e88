"""What the write side says when it cannot do what was asked."""

from __future__ import annotations

from collections.abc import Mapping

from referee.rules.articles import Rule


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """An act that cannot be true, with the rule and the facts against it."""

    def __init__(self, rule: Rule, **facts: object) -> None:
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
