"""The lock of a log that its notary holds for as long as it runs, so that there is one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.system import ports


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
    """The lock of a log in a file: the one of its folder."""

    def __init__(self, log: str | Path) -> None:
        self._folder = ports.open_folder(Path(log).resolve().parent)
        self._is_ours = False

    def is_ours(self) -> bool:
        """Whether this process holds it."""
        self._is_ours = self._is_ours or ports.try_lock(self._folder)
        return self._is_ours

    def close(self) -> None:
        """Let another process have it."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder, self._is_ours = -1, False


def notary_lock(address: Address) -> NotaryLock:
    """The lock of a log; nobody holds it yet."""
    if not is_postgres(address):
        return FolderLock(address)
    from referee.log.postgres.notary_lock import ServerLock  # noqa: PLC0415 - only PostgreSQL needs it

    return ServerLock(str(address))
