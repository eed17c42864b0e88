"""Processes beside the server: started before the workers, ended with the server.

They end also if the server is killed, because their standard input ends then.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

GRACE_S: Final = 10.0


class AttachedProcess:
    """A process of this program that ends with this one. It writes to the server's stderr only."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, module: str, arguments: Sequence[str]) -> None:
        """Start it."""
        self._process = subprocess.Popen(  # noqa: S603 - our own
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )

    def end(self) -> None:
        """End it, if it was started."""
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_S)
