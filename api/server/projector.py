"""Who carries the log into the views: a process beside the workers, and a worker if that one ends.

In a process of its own it takes the interpreter of no thread that answers. It ends with the
server, also with one that is killed: then its standard input ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import Any, Final

PROJECTOR_VARIABLE: Final = "GUINOTE_PROJECTOR"
STANDBY: Final = "standby"
TAKEOVER_TIMEOUT_S: Final = 5.0
"""How long a worker leaves it to the process beside, which starts at the same time."""
GRACE_S: Final = 10.0


def has_own_projector() -> bool:
    """Whether the server carries the log into the views itself."""
    return os.environ.get(PROJECTOR_VARIABLE, "on").lower() not in ("off", "0", "no", "false")


def takeover_timeout_s() -> float:
    """After how long this process does it if nobody else does."""
    return TAKEOVER_TIMEOUT_S if os.environ.get(PROJECTOR_VARIABLE) == STANDBY else 0.0


class Projector:
    """The process beside the workers, started before them and stopped after them."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, arbiter: Any) -> None:
        """Start it; the workers, which are forked later, stand by."""
        del arbiter
        if has_own_projector():
            command = [sys.executable, "-m", "projections", "--attached"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE)  # noqa: S603 - our own
            os.environ[PROJECTOR_VARIABLE] = STANDBY

    def stop(self, arbiter: Any) -> None:
        """Stop it."""
        del arbiter
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_S)
