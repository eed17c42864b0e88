"""Locks that say which processes have a club open, so that nobody moves or replaces it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from api.server.data_folder import FILE_MODE
from api.server.faults.exits import WrongHouse
from referee.system import ports

LOCK: Final = "in_use"
"""The file in the data folder: shared by those who have the club open, had alone to change it."""
PATIENCE_S: Final = 30.0
_LOOKED_EVERY_S: Final = 0.1


class StillInUse(Exception):  # noqa: N818 - what is the case
    """A process has the club open."""


@contextmanager
def lock_club_shared(folder: Path) -> Iterator[None]:
    """Hold a club open together with other processes.

    :raises WrongHouse: it is being moved or replaced
    """
    with _hold_lock_file_open(folder) as lock:
        if not ports.try_lock_shared(lock):
            raise WrongHouse(f"{folder}: it is being moved, or a backup is put in its place")
        yield


@contextmanager
def lock_club(folder: Path, patience_s: float = 0.0) -> Iterator[None]:
    """Hold a club exclusively, once no other process has it open.

    :raises StillInUse: a process has it open for longer than ``patience_s``
    """
    if not (folder / LOCK).exists():
        yield
        return
    end = time.monotonic() + patience_s
    with _hold_lock_file_open(folder) as lock:
        while not ports.try_lock(lock):
            if time.monotonic() >= end:
                raise StillInUse(str(folder))
            time.sleep(_LOOKED_EVERY_S)
        yield


@contextmanager
def _hold_lock_file_open(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, FILE_MODE)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
