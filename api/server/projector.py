"""The projector: a separate process that updates the views, or a worker if that process ends.

A separate process does not hold the interpreter lock of the workers. It ends with the server.
"""

from __future__ import annotations

import os
from typing import Any, Final

from api.server.attached import AttachedProcess

PROJECTOR_VARIABLE: Final = "GUINOTE_PROJECTOR"
STANDBY: Final = "standby"
TAKEOVER_TIMEOUT_S: Final = 5.0
"""Delay after which a worker follows if the projector process does not."""


def has_own_projector() -> bool:
    """Whether the server starts the projector."""
    return os.environ.get(PROJECTOR_VARIABLE, "on").lower() not in ("off", "0", "no", "false")


def takeover_timeout_s() -> float:
    """Delay after which this process follows if no other does."""
    return TAKEOVER_TIMEOUT_S if os.environ.get(PROJECTOR_VARIABLE) == STANDBY else 0.0


class Projector(AttachedProcess):
    """The projector process; the workers, which are forked later, stand by."""

    def __init__(self) -> None:
        super().__init__(has_own_projector, "projections", "--attached")

    def start(self, arbiter: Any) -> None:
        """Start it, if the server is to."""
        super().start(arbiter)
        if has_own_projector():
            os.environ[PROJECTOR_VARIABLE] = STANDBY
