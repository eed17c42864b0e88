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
    """Kind of a failure of a store, such as a full disk or a damaged file."""

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


def store_fault_or_none(error: BaseException | None) -> StoreFault | None:
    """Kind of the store failure behind an error or behind one of its causes.

    None if no store failed.

    Errors of ``sqlite3``, of the system, and of PostgreSQL are known by their codes, also where
    another error was raised from them.

    >>> errors = OSError(errno.ENOSPC, "no room"), ValueError("no fault of a store")
    >>> [store_fault_or_none(one) for one in errors]
    [<StoreFault.FULL: 'full'>, None]
    """
    return next(filter(None, map(_direct_store_fault_or_none, _cause_chain(error))), None)


def _direct_store_fault_or_none(error: BaseException) -> StoreFault | None:
    """Kind of store failure that this error itself stands for, without its causes.

    None if it is another error.
    """
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0)
        return _OF_SQLITE_EXTENDED.get(code) or _OF_SQLITE.get(code & _PRIMARY)
    if isinstance(error, TimeoutError):
        return StoreFault.BUSY
    if isinstance(error, OSError):
        return _OF_ERRNO.get(error.errno or 0)
    return _fault_by_sqlstate_or_none(error)


def _fault_by_sqlstate_or_none(error: BaseException) -> StoreFault | None:
    """Kind of store failure by the SQLSTATE code of an error; None if it has none or another.

    The driver may not be installed, so its classes are not used.
    """
    if not hasattr(error, "sqlstate"):
        return None
    state: str | None = error.sqlstate
    if state is None:  # no server answered: there is no connection
        return StoreFault.LOST if type(error).__name__ == "OperationalError" else None
    return _OF_POSTGRES.get(state) or _OF_POSTGRES_CLASS.get(state[:2])


QUIET_S: Final = 60.0
"""A fault that repeats is one line in so many seconds."""


class FaultLog:
    """Log of failures.

    One that repeats is written at most once a minute, with the number of times it happened
    meanwhile.
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger, self._clock = logger, clock
        self._turn = threading.Lock()
        self._said: dict[str, tuple[float, int]] = {}

    def note(self, what: str, error: BaseException) -> None:
        """Write an error into the log in one line.

        ``what``: A fixed text for what failed, by which repetitions are recognised.

        What is no fault of a store may be a defect of the program, and has its traceback.
        """
        fault = store_fault_or_none(error)
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
        self._logger.error("%s: %s%s", what, error_in_one_line(error), more, exc_info=place)


def repeat_in_thread(
    name: str,
    act: Callable[[], object],
    every_s: float,
    logger: logging.Logger,
    *,
    wait_s: float = 0.0,
) -> None:
    """Run a function again and again in a new thread of this name.

    An error in it is logged, and it is run again.

    ``wait_s``: time before the first.
    """

    def repeat() -> None:
        time.sleep(wait_s)
        repeat_forever(name, act, every_s, logger)

    threading.Thread(target=repeat, name=name, daemon=True).start()


def repeat_forever(
    name: str, act: Callable[[], object], every_s: float, logger: logging.Logger
) -> NoReturn:
    """Run a function again and again in this thread, without end; an error in it is logged."""
    faults = FaultLog(logger)
    while True:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - it is logged, and done again
            faults.note(f"{name}, which is tried again", error)
        time.sleep(every_s)


def error_in_one_line(error: BaseException) -> str:
    """Class and message of an error on one line.

    If a store failure caused it, those of that failure.

    >>> error_in_one_line(ValueError("one", "two"))
    "ValueError: ('one', 'two')"
    """
    said = next(filter(_direct_store_fault_or_none, _cause_chain(error)), error)
    return f"{type(said).__name__}: {' '.join(str(said).split())}"


def _cause_chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and then each error that caused the one before."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
