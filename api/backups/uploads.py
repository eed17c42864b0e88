"""A backup that a page brings in pieces: each goes to the disk at once, and the whole is checked.

Nothing of it is offered before that, and what is of no use leaves nothing behind.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal, TypeAlias

from api.backups.backup_files import backups_in, moment_of, name_at
from api.backups.places import BackupFault, BackupPlaces, CannotBackUp
from referee.log.durable import FILE_MODE

LARGEST: Final = 1024 * 1024 * 1024
_MOST_KEPT: Final = 5
_LEFT_FREE: Final = 256 * 1024 * 1024
"""Bytes of the disk that the house keeps for itself."""
_FOLDER_MODE: Final = 0o700
_ID: Final = re.compile(r"[0-9a-f]{16}")
_UNFINISHED: Final = ".piece-"
_GIVEN_UP_S: Final = 3_600.0

UploadFault: TypeAlias = Literal[BackupFault, "too_large", "no_room", "other_house", "bad"]
"""Why a file is not taken."""


class BadUpload(Exception):  # noqa: N818 - it says what the file is
    """A file that is not taken, and why."""

    def __init__(self, fault: UploadFault) -> None:
        super().__init__(fault)
        self.fault = fault


class OutOfTurn(Exception):  # noqa: N818 - it says what the piece is
    """A piece that does not follow what is there. ``there``: bytes that are."""

    def __init__(self, there: int) -> None:
        super().__init__(there)
        self.there = there


class Upload:
    """A file that comes in pieces. ``one``: an id that the page chose; ``size``: bytes in all."""

    def __init__(self, places: BackupPlaces, one: str, size: int) -> None:
        """Begin, or go on.

        :raises BadUpload: it can never be taken
        """
        if not _ID.fullmatch(one) or size < 1:
            raise BadUpload("bad")
        if size > LARGEST:
            raise BadUpload("too_large")
        self._places, self._size = places, size
        self._file = places.brought / f"{_UNFINISHED}{one}"

    def add(self, at: int, piece: bytes) -> int:
        """Put a piece behind the others; how many bytes are there.

        :raises OutOfTurn: bytes before it are missing, or it came already
        :raises BadUpload: it does not fit, and nothing is left of it
        """
        if at == 0:
            self._begin()
        there = self._file.stat().st_size if self._file.exists() else 0
        if at != there:
            raise OutOfTurn(there)
        if there + len(piece) > self._size:
            self.drop()
            raise BadUpload("bad")
        try:
            descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, FILE_MODE)
            with os.fdopen(descriptor, "ab") as file:
                file.write(piece)
        except OSError:
            self.drop()
            raise BadUpload("no_room") from None
        return there + len(piece)

    def _begin(self) -> None:
        self._places.brought.mkdir(_FOLDER_MODE, exist_ok=True)
        sweep_uploads(self._places.brought)
        self.drop()
        if shutil.disk_usage(self._places.brought).free < self._size + _LEFT_FREE:
            raise BadUpload("no_room")

    def finish(self, called: str, now: datetime) -> str:
        """Check the whole file, and keep it; its name. ``called``: as it was called elsewhere.

        :raises BadUpload: it is of no use, and nothing is left of it
        """
        try:
            content = self._places.content(self._file)
            if not content.is_ours:
                raise BadUpload("other_house")
        except CannotBackUp as cannot:
            raise BadUpload(cannot.fault) from None
        else:
            moment = moment_of(called) or now
            while self._places.find(name_at(moment)):
                moment += timedelta(seconds=1)
            self._file.replace(self._places.brought / name_at(moment))
            self._keep_few()
            return name_at(moment)
        finally:
            self.drop()

    def drop(self) -> None:
        """Leave nothing of it."""
        self._file.unlink(missing_ok=True)

    def _keep_few(self) -> None:
        """Delete those that were brought first, if there are many."""
        kept = sorted(
            backups_in(self._places.brought).values(), key=lambda file: file.stat().st_mtime
        )
        for file in kept[:-_MOST_KEPT]:
            file.unlink(missing_ok=True)


def sweep_uploads(brought: Path) -> None:
    """Delete what was begun, and given up for an hour."""
    with suppress(OSError):
        for file in brought.glob(f"{_UNFINISHED}*"):
            if time.time() - file.stat().st_mtime > _GIVEN_UP_S:
                file.unlink(missing_ok=True)
