"""Faults of a store: which kind an error is of, whatever library raised it; and their log.

A full disk and a lost device are no defects of this program. Here is decided what is one of them.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final, NoReturn


class StoreFault(StrEnum):
    """What is wrong with a store."""

    FULL = "full"
    """No room for a write; what is stored can be read."""
    READ_ONLY = "read_only"
    """Nothing may be written; what is stored can be read."""
    LOST = "lost"
    """The device, or the connection to the database, fails."""
    BUSY = "busy"
    """Another process holds the store for too long."""
    DAMAGED = "damaged"
    """The content is not what was written, or is of another program."""
    FORBIDDEN = "forbidden"
    """This user may not open the file."""
    MISSING = "missing"
    """A file or a folder is not there, or is not one."""


_OF_ERRNO: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), StoreFault.FULL),
    errno.EROFS: StoreFault.READ_ONLY,
    **dict.fromkeys((errno.EIO, errno.ENODEV, errno.ENXIO, errno.ESTALE), StoreFault.LOST),
    **dict.fromkeys((errno.EACCES, errno.EPERM), StoreFault.FORBIDDEN),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST), StoreFault.MISSING),
}
_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: StoreFault.FULL,
    sqlite3.SQLITE_READONLY: StoreFault.READ_ONLY,
    sqlite3.SQLITE_IOERR: StoreFault.LOST,
    sqlite3.SQLITE_CANTOPEN: StoreFault.LOST,
    sqlite3.SQLITE_PROTOCOL: StoreFault.BUSY,
    sqlite3.SQLITE_BUSY: StoreFault.BUSY,
    sqlite3.SQLITE_LOCKED: StoreFault.BUSY,
    sqlite3.SQLITE_CORRUPT: StoreFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: StoreFault.DAMAGED,
    sqlite3.SQLITE_PERM: StoreFault.FORBIDDEN,
}
_OF_SQLITE_EXTENDED: Final = {
    # the shared memory beside a file gets its room when the file is opened
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFault.FULL,
}
_PRIMARY: Final = 0xFF
_OF_POSTGRES: Final = {
    "53100": StoreFault.FULL,
    "25006": StoreFault.READ_ONLY,
    "42501": StoreFault.FORBIDDEN,
    "55P03": StoreFault.BUSY,
    "XX001": StoreFault.DAMAGED,
    "XX002": StoreFault.DAMAGED,
}
_OF_POSTGRES_CLASS: Final = {
    "08": StoreFault.LOST,  # the connection
    "53": StoreFault.BUSY,  # too many connections, out of memory
    "57": StoreFault.LOST,  # the server stops or starts
    "58": StoreFault.LOST,  # an error of the system below the server
}


def fault_of(error: BaseException | None) -> StoreFault | None:
    """The fault of a store that an error was raised for, or None: then it is something else.

    Errors of ``sqlite3``, of the system, and of PostgreSQL are known by their codes, also where
    another error was raised from them.

    >>> fault_of(OSError(errno.ENOSPC, "no room")), fault_of(ValueError("no fault of a store"))
    (<StoreFault.FULL: 'full'>, None)
    """
    return next(filter(None, map(_own_fault, _chain(error))), None)


def _own_fault(error: BaseException) -> StoreFault | None:
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0)
        return _OF_SQLITE_EXTENDED.get(code) or _OF_SQLITE.get(code & _PRIMARY)
    if isinstance(error, TimeoutError):
        return StoreFault.BUSY
    if isinstance(error, OSError):
        return _OF_ERRNO.get(error.errno or 0)
    return _fault_in_postgres(error)


def _fault_in_postgres(error: BaseException) -> StoreFault | None:
    """The fault by the state of SQL; the driver may not be installed, so its class is not named."""
    if not hasattr(error, "sqlstate"):
        return None
    state: str | None = error.sqlstate
    if state is None:  # no server answered: there is no connection
        return StoreFault.LOST if type(error).__name__ == "OperationalError" else None
    return _OF_POSTGRES.get(state) or _OF_POSTGRES_CLASS.get(state[:2])


QUIET_S: Final = 60.0
"""A fault that repeats is one line in so many seconds."""


class FaultLog:
    """Writes a fault that repeats once a minute, and then says how often it was met meanwhile."""

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger, self._clock = logger, clock
        self._turn = threading.Lock()
        self._said: dict[str, tuple[float, int]] = {}

    def note(self, what: str, error: BaseException) -> None:
        """Note a fault in one line. ``what`` is one of few texts; faults with one are alike.

        What is no fault of a store may be a defect of the program, and has its traceback.
        """
        fault = fault_of(error)
        key = f"{what} {fault or type(error).__name__}"
        now = self._clock()
        with self._turn:
            since, unsaid = self._said.get(key, (-QUIET_S, 0))
            if now - since < QUIET_S:
                self._said[key] = (since, unsaid + 1)
                return
            self._said[key] = (now, 0)
        more = f" ({unsaid} more since the last line)" if unsaid else ""
        place = None if fault else error
        self._logger.error("%s: %s%s", what, in_one_line(error), more, exc_info=place)


def repeat_in_thread(
    name: str,
    act: Callable[[], object],
    every_s: float,
    logger: logging.Logger,
    *,
    wait_s: float = 0.0,
) -> None:
    """Do something again and again, in a thread of this name; a fault of it is logged.

    ``wait_s``: time before the first.
    """

    def go_on() -> None:
        time.sleep(wait_s)
        repeat_here(name, act, every_s, logger)

    threading.Thread(target=go_on, name=name, daemon=True).start()


def repeat_here(
    name: str, act: Callable[[], object], every_s: float, logger: logging.Logger
) -> NoReturn:
    """Do something again and again, in this thread; a fault of it is logged."""
    faults = FaultLog(logger)
    while True:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - it is logged, and done again
            faults.note(f"{name}, which is tried again", error)
        time.sleep(every_s)


def in_one_line(error: BaseException) -> str:
    """An error with its kind, in one line: the first cause, which names the fault.

    >>> in_one_line(ValueError("one", "two"))
    "ValueError: ('one', 'two')"
    """
    said = next(filter(_own_fault, _chain(error)), error)
    return f"{type(said).__name__}: {' '.join(str(said).split())}"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
