"""The keeper of the notary: one worker starts it anew if its process has died."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

from api.server.clubs.folder import ClubsFolder
from api.server.clubs.notary import LOCK
from api.server.side_processes import AttachedProcess, is_signing
from projections.runner.runner import runner_lock
from referee.system import ports

LOOKED_EVERY_S: Final = 2.0
STARTS_IN_S: Final = 20.0
"""Time in which a notary that was started has its lock."""
_LOCK: Final = "notary.keeper"


def notary_of_clubs() -> AttachedProcess:
    """The process of the notary; the environment names the folder."""
    return AttachedProcess(is_signing, "api.server.clubs.notary")


def keep_notary(folder: ClubsFolder) -> None:
    """Look for ever whether a notary is there, unless another worker does; start one if none is."""
    if not is_signing():
        return
    with runner_lock(folder.path / _LOCK, threading.Event()):
        missed = time.monotonic() + STARTS_IN_S  # the master has just started one
        while True:
            time.sleep(LOOKED_EVERY_S)
            if _is_locked(folder.path / f"{LOCK}.leader"):
                missed = time.monotonic() + LOOKED_EVERY_S
            elif time.monotonic() >= missed:
                notary = notary_of_clubs()  # it ends with this process, as it has its input
                notary.start(None)
                missed = time.monotonic() + STARTS_IN_S


def _is_locked(lock: Path) -> bool:
    try:
        with lock.open("a") as file:
            return ports.is_locked(file.fileno())
    except OSError:
        return False
