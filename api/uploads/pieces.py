"""A file that comes in pieces: each goes to the disk at once, and what is given up is deleted."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from referee.log.durable import FILE_MODE

UPLOADS: Final = "uploads"
"""Folder, in that of the data, of files that wait for what is done with them."""
UNFINISHED: Final = ".piece-"
_LEFT_FREE: Final = 256 * 1024 * 1024
"""Bytes of the disk that the house keeps for itself."""
_FOLDER_MODE: Final = 0o700
_ID: Final = re.compile(r"[0-9a-f]{16}")
_GIVEN_UP_S: Final = 3_600.0


class BadUpload(Exception):  # noqa: N818 - it says what the file is
    """A file that is not taken, and why: ``bad``, ``too_large``, ``no_room``, or of its kind."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class OutOfTurn(Exception):  # noqa: N818 - it says what the piece is
    """A piece that does not follow what is there. ``there``: bytes that are."""

    def __init__(self, there: int) -> None:
        super().__init__(there)
        self.there = there


class PiecedFile:
    """A file that comes in pieces. ``one``: an id that the sender chose; ``size``: bytes in all."""

    def __init__(self, folder: Path, one: str, size: int, largest: int) -> None:
        """Begin, or go on.

        :raises BadUpload: it can never be taken
        """
        if not _ID.fullmatch(one) or size < 1:
            raise BadUpload("bad")
        if size > largest:
            raise BadUpload("too_large")
        self._folder, self._size = folder, size
        self.file = folder / f"{UNFINISHED}{one}"

    def add(self, at: int, piece: bytes) -> int:
        """Append a piece to the file; returns how many bytes it has now.

        :raises OutOfTurn: bytes before it are missing, or it came already
        :raises BadUpload: it does not fit, and nothing is left of it
        """
        if at == 0:
            self._make_room()
        there = self.file.stat().st_size if self.file.exists() else 0
        if at != there:
            raise OutOfTurn(there)
        if there + len(piece) > self._size:
            self.drop()
            raise BadUpload("bad")
        try:
            descriptor = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, FILE_MODE)
            with os.fdopen(descriptor, "ab") as file:
                file.write(piece)
        except OSError:
            self.drop()
            raise BadUpload("no_room") from None
        return there + len(piece)

    def _make_room(self) -> None:
        self._folder.mkdir(_FOLDER_MODE, exist_ok=True)
        sweep_uploads(self._folder)
        self.drop()
        if shutil.disk_usage(self._folder).free < self._size + _LEFT_FREE:
            raise BadUpload("no_room")

    def drop(self) -> None:
        """Delete the bytes that were received."""
        self.file.unlink(missing_ok=True)


def sweep_uploads(folder: Path) -> None:
    """Delete uploads that nobody has continued for an hour."""
    with suppress(OSError):
        for file in folder.glob(f"{UNFINISHED}*"):
            if time.time() - file.stat().st_mtime > _GIVEN_UP_S:
                file.unlink(missing_ok=True)
