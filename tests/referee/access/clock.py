"""A clock that a test sets."""

from __future__ import annotations


class SetClock:
    """Seconds since 1970; ``now`` is set by hand."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        """The time that was set."""
        return self.now
