"""What cannot be in a tournament."""

from __future__ import annotations

from collections.abc import Mapping


class TournamentError(Exception):
    """What cannot be drawn, paired or counted like this: a code, and the facts against it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, object] = facts
