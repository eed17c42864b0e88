"""The pace of tokens: how many requests one of them may send in a minute to a process.

Each process counts by itself, in memory: a write for every request would cost more than most reads.
"""

from __future__ import annotations

import threading
from typing import Final

WITHIN_S: Final = 60.0
MOST_REQUESTS: Final = 600
"""Ten a second: far more than a table makes, or a page that is read by a person."""


class TokenPace:
    """Requests of each token in the minute that is running."""

    def __init__(self, most: int = MOST_REQUESTS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._begun = float("-inf")
        self._counts: dict[str, int] = {}

    def wait_s(self, token: str, now: float) -> float:
        """Seconds until a token may send another request; 0 if this one is within its pace."""
        with self._lock:
            if now >= self._begun + WITHIN_S:
                self._begun, self._counts = now, {}
            count = self._counts[token] = self._counts.get(token, 0) + 1
            return 0.0 if count <= self._most else self._begun + WITHIN_S - now
