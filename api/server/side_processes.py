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
    """A child process of the server, which ends with it and writes to its stderr only.

    ``words``: the module that it runs, and arguments. ``is_wanted``: asked when the server starts.
    """

    def __init__(self, is_wanted: Callable[[], bool], *words: str) -> None:
        self._is_wanted, self._words = is_wanted, words
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, arbiter: Any) -> None:
        """Start the process, before the workers, if the settings want it."""
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


def is_to_start_notary() -> bool:
    """Whether the server starts the notary: ``guinote serve`` says so, gunicorn alone does not."""
    return os.environ.get(SIGNING_VARIABLE) == "on"


def notary_folder_of(data: Path, usual: Path) -> Path:
    """Folder of the notary's key and checkpoints for a data folder."""
    if said := os.environ.get(NOTARY_VARIABLE):
        return Path(said)
    there = data.resolve()
    is_usual = there == usual.resolve()
    return Path(DEFAULT_NOTARY) if is_usual else there.with_name(f"{there.name}-notary")


def notary_process() -> AttachedProcess:
    """Process of the notary, not yet started; the environment names its folders."""
    words = ("notary", "--every", str(EVERY_S), "--attached")
    return AttachedProcess(is_to_start_notary, "api.cli", *words)


def is_to_start_projector() -> bool:
    """Whether the server starts the projector."""
    return os.environ.get(PROJECTOR_VARIABLE, "on").lower() not in ("off", "0", "no", "false")


def takeover_timeout_s() -> float:
    """Seconds after which this process updates the views if no other process does."""
    return TAKEOVER_TIMEOUT_S if os.environ.get(PROJECTOR_VARIABLE) == STANDBY else 0.0


class Projector(AttachedProcess):
    """The projector process; the workers, which are forked later, stand by."""

    def __init__(self, *words: str) -> None:
        super().__init__(is_to_start_projector, *words)

    def start(self, arbiter: Any) -> None:
        """Start the projector process, if the settings want it."""
        super().start(arbiter)
        if is_to_start_projector():
            os.environ[PROJECTOR_VARIABLE] = STANDBY
