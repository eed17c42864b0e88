"""The lock of a log that its notary holds for as long as it runs, so that there is one."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Protocol

from referee.log.ports import Address
from referee.log.stores import is_postgres


class NotaryLock(Protocol):
    """The lock of one log, of one process at a time."""

    def is_ours(self) -> bool:
        """Whether this process holds it; it is taken if it is free.

        :raises Exception: of the engine, which does not answer
        """
        ...

    def close(self) -> None:
        """Let another process have it."""
        ...


class FolderLock:
    """The lock of a log in a file: one on its folder, since a new file might be of another user."""

    def __init__(self, log: str | Path) -> None:
        self._folder = os.open(Path(log).resolve().parent, os.O_RDONLY | os.O_CLOEXEC)

    def is_ours(self) -> bool:
        """Whether this process holds it."""
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Let another process have it."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1


def notary_lock(address: Address) -> NotaryLock:
    """The lock of a log; nobody holds it yet."""
    if not is_postgres(address):
        return FolderLock(address)
    from referee.log.postgres.notary_lock import ServerLock  # noqa: PLC0415 - only PostgreSQL needs it

    return ServerLock(str(address))
