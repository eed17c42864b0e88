"""Roots of parts of a tree in a file beside the log, so that a proof does not read every leaf.

Nobody has to trust the file: what is worked out from it must give the root that was signed. It can
be deleted at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.log.merkle import HASH_BYTES

SUBTREES: Final = "subtrees"
_PRIVATE: Final = 0o600


class SubtreeFile:
    """The roots of the smallest whole subtrees, one after another. Any process may add to it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / SUBTREES
        self._written = 0

    def read(self) -> bytes:
        """Whole roots in the file; none if it cannot be read."""
        try:
            found = self._path.read_bytes()
        except OSError:
            found = b""
        found = found[: len(found) // HASH_BYTES * HASH_BYTES]
        self._written = len(found)
        return found

    def write(self, whole: bytes) -> None:
        """Add what is new. All write the same bytes at the same place, so none disturbs others.

        A file that cannot be written is done without: each process computes the roots itself.
        """
        if len(whole) <= self._written:
            return
        with suppress(OSError):
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, _PRIVATE)
            try:
                os.pwrite(file, whole[self._written :], self._written)
                self._written = len(whole)
            finally:
                os.close(file)

    def remove(self) -> None:
        """Remove the file, which is of another log."""
        self._written = 0
        with suppress(OSError):
            self._path.unlink()
