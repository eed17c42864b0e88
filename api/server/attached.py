"""Processes beside the server: started before the workers, ended with the server.

They end also if the server is killed, because their standard input ends then.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

GRACE_S: Final = 10.0


class AttachedProcess:
    """A process of this program that ends with this one. It writes to the server's stderr only.

    ``words``: the module that it runs, and arguments. ``is_wanted``: asked when the server starts.
    """

    def __init__(self, is_wanted: Callable[[], bool], *words: str) -> None:
        self._is_wanted, self._words = is_wanted, words
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, arbiter: Any) -> None:
        """Start it, before the workers, if it is wanted."""
        del arbiter
        if self._is_wanted():
            self._process = subprocess.Popen(  # noqa: S603 - our own
                [sys.executable, "-m", *self._words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
            )

    def stop(self, arbiter: Any) -> None:
        """End it, after the workers, if it was started."""
        del arbiter
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_S)
