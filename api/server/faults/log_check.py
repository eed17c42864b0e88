"""The check of whole files, the log first: at a start, once a day, when a request meets damage.

A damaged page is met only by who reads it, and every other table goes on. Names are read wholly at
each start, and views mend themselves. One worker of a house
checks; what it found is in a file of the data folder, which the others read.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from referee.log.durable import FILE_MODE, write_file_atomically
from referee.log.ports import Address
from referee.log.sqlite.schema import ANY_TABLE, damage_of_file_or_empty
from referee.log.stores import is_postgres
from referee.system import ports

CHECKED: Final = "log.checked"
"""The file: when all was read last, and what was found. It may be deleted at any time."""
EVERY_S: Final = 86_400.0
_ASKED_EVERY_S: Final = 5.0
_LOWEST: Final = 19
"""Niceness of the thread that checks: it takes what nobody else wants of the processor."""

_log = logging.getLogger(__name__)


class CheckedLog(msgspec.Struct, frozen=True):
    """When a log was checked, in seconds since 1970, and its damage in a line; empty if sound."""

    at: float = 0.0
    fault: str = ""


class LogCheck:
    """Integrity check of the log, the accounts and the security log. Safe for any thread.

    ``files``: the log, accounts, the security log. ``clock``: seconds since 1970. ``tell``: called
    with damage that was not known before.
    """

    def __init__(
        self,
        files: Sequence[Address],
        folder: Path,
        clock: Callable[[], float],
        tell: Callable[[str], None],
    ) -> None:
        self._files, self._file = tuple(files), folder / CHECKED
        self._clock, self._tell = clock, tell
        self._turn = threading.Lock()
        self._last = CheckedLog()
        self._met = threading.Event()

    def damage_in_last_check(self) -> str:
        """Damage that the last check by any worker found; empty if none."""
        return self._last_result().fault

    def request_early_check(self) -> None:
        """Note that a request met damage, so that the log is checked soon."""
        self._met.set()

    def check(self) -> str:
        """Read every page of the files, store the result, and return the damage; empty if sound."""
        with self._turn:
            known = self.damage_in_last_check()
            found = next(filter(None, map(_damage_in, map(Path, self._files))), "")
            self._store_result(CheckedLog(self._clock(), found))
        if found and found != known:
            _log.error("a file of the house is damaged: %s", found)
            self._tell(found)
        return found

    def start(self, began: float) -> None:
        """Start a thread that checks. ``began``: when the service was started."""
        if any(map(is_postgres, self._files)):  # it checks its own pages
            return
        threading.Thread(target=self._run, args=(began,), name="log check", daemon=True).start()

    def _run(self, began: float) -> None:
        with suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)
        while True:
            was_met = self._met.is_set()
            self._met.clear()
            try:
                if was_met:
                    self.check()
                else:
                    self._check_if_due(began)
            except Exception as error:  # noqa: BLE001 - it is said, and tried again
                _log.warning("the log was not checked: %s", error)
            if was_met:
                time.sleep(_ASKED_EVERY_S)
            self._met.wait(_ASKED_EVERY_S)

    def _check_if_due(self, began: float) -> None:
        """Check if nobody has since the start, or for a day; one worker at a time."""
        if self._is_fresh(began):
            return
        lock_file = self._file.with_name(f"{CHECKED}.lock")
        lock_file.touch(FILE_MODE)
        with lock_file.open("a") as lock:
            if ports.try_lock(lock.fileno()) and not self._is_fresh(began):
                self.check()

    def _is_fresh(self, began: float) -> bool:
        at = self._last_result().at
        return at >= began and self._clock() - at < EVERY_S

    def _last_result(self) -> CheckedLog:
        """Result of the latest check, by this worker or another."""
        try:
            there = msgspec.json.decode(self._file.read_bytes(), type=CheckedLog)
        except (OSError, msgspec.MsgspecError):
            return self._last
        return max(there, self._last, key=lambda one: one.at)

    def _store_result(self, found: CheckedLog) -> None:
        self._last = found
        with suppress(OSError):  # a disk that is full: this worker alone knows
            write_file_atomically(self._file, msgspec.json.encode(found).decode(), FILE_MODE)


def _damage_in(file: Path) -> str:
    """Name of a file and what is wrong with it; empty if nothing is."""
    why = damage_of_file_or_empty(file, ANY_TABLE, wholly=True)
    return f"{file.name}: {why}" if why else ""
