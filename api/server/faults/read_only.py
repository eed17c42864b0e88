"""A copy of a data folder in memory, to be read while the disk of the folder takes no writes.

SQLite writes files beside those that it reads, so a folder on a full or a read-only disk may not be
readable where it is.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from referee.log.faults import StoreFault, store_fault_or_none

READABLE: Final = (StoreFault.FULL, StoreFault.READ_ONLY)
"""Faults under which all that is stored can be read."""
_COPIED: Final = ("*.sqlite", "*.sqlite-wal", "log.checkpoint", "log.vkey")
_LINKED: Final = ("*.key",)
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - the folder made in it is of its owner alone
WRITABLE_ASKED_EVERY_S: Final = 2.0
_PROBE_BYTES: Final = 64 * 1024
"""What the shared memory beside an SQLite file takes, and a little more."""


def error_of_trial_write(folder: Path) -> OSError | None:
    """Error that a trial write into a folder raises; None if it succeeds."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error
    return None


def fault_of_trial_write(folder: Path) -> StoreFault | None:
    """Kind of fault that keeps a folder from being written; None if it can be written."""
    return store_fault_or_none(error_of_trial_write(folder))


def run_when_writable(folder: Path, act: Callable[[], None]) -> None:
    """Call ``act`` in a thread of its own as soon as a folder can be written again."""

    def wait_and_act() -> None:
        while fault_of_trial_write(folder) is not None:
            time.sleep(WRITABLE_ASKED_EVERY_S)
        act()

    threading.Thread(target=wait_and_act, name="room", daemon=True).start()


def copy_to_ram_disk(folder: Path, closing: ExitStack) -> Path:
    """Copy of the stores of a folder in memory, which the stack removes.

    Keys are linked, not copied.

    :raises OSError: there is no room for it
    """
    copy = Path(tempfile.mkdtemp(prefix="guinote-", dir=_MEMORY if _MEMORY.is_dir() else None))
    closing.callback(shutil.rmtree, copy, ignore_errors=True)
    for pattern in _COPIED:
        for file in folder.glob(pattern):
            if file.is_file():
                shutil.copyfile(file, copy / file.name)
    for pattern in _LINKED:
        for file in folder.glob(pattern):
            (copy / file.name).symlink_to(file.resolve())
    return copy
