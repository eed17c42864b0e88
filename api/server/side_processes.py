"""Processes beside the server, the notary and the projector: started before the workers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

GRACE_S: Final = 10.0
NOTARY_VARIABLE: Final = "GUINOTE_NOTARY"
SIGNING_VARIABLE: Final = "GUINOTE_SIGNING"
DEFAULT_NOTARY: Final = "notary"
EVERY_S: Final = 20
PROJECTOR_VARIABLE: Final = "GUINOTE_PROJECTOR"
STANDBY: Final = "standby"
TAKEOVER_TIMEOUT_S: Final = 5.0
"""Delay after which a worker follows if the projector process does not."""


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


def is_signing() -> bool:
    """Whether the server starts the notary: ``guinote serve`` says so, gunicorn alone does not."""
    return os.environ.get(SIGNING_VARIABLE) == "on"


def keys_of(data: Path, usual: Path) -> Path:
    """Folder of the notary of a data folder; beside it, if it is not the usual one."""
    if said := os.environ.get(NOTARY_VARIABLE):
        return Path(said)
    there = data.resolve()
    is_usual = there == usual.resolve()
    return Path(DEFAULT_NOTARY) if is_usual else there.with_name(f"{there.name}-notary")


def notary_process() -> AttachedProcess:
    """Its process; the environment names the data folder and the folder of keys."""
    words = ("notary", "--every", str(EVERY_S), "--attached")
    return AttachedProcess(is_signing, "api.cli", *words)


def has_own_projector() -> bool:
    """Whether the server starts the projector."""
    return os.environ.get(PROJECTOR_VARIABLE, "on").lower() not in ("off", "0", "no", "false")


def takeover_timeout_s() -> float:
    """Delay after which this process follows if no other does."""
    return TAKEOVER_TIMEOUT_S if os.environ.get(PROJECTOR_VARIABLE) == STANDBY else 0.0


class Projector(AttachedProcess):
    """The projector process; the workers, which are forked later, stand by."""

    def __init__(self, *words: str) -> None:
        super().__init__(has_own_projector, *words)

    def start(self, arbiter: Any) -> None:
        """Start it, if the server is to."""
        super().start(arbiter)
        if has_own_projector():
            os.environ[PROJECTOR_VARIABLE] = STANDBY
