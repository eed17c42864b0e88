"""Limits of a club: how many people it may name, and how much its folder may hold.

Whoever runs the installation sets them; they are in no file that a club brings along.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from api.server.clubs.schema import size_in_database
from api.server.data_folder import FILE_MODE, Files
from referee.log.durable import write_file_atomically

MEGABYTE: Final = 1_000_000
_FILE: Final = "limits.json"
_LOOKED_EVERY_S: Final = 5.0


class Limits(msgspec.Struct, frozen=True, omit_defaults=True):
    """The limits; 0 for none. ``disk_mb``: of the folder, in megabytes."""

    people: int = 0
    disk_mb: int = 0


def read_limits(folder: Path) -> Limits:
    """Limits of a club; zeros (no limits) if none were set."""
    with suppress(FileNotFoundError):
        return msgspec.json.decode((folder / _FILE).read_bytes(), type=Limits)
    return Limits()


def set_limits(folder: Path, limits: Limits) -> None:
    """Set the limits of a club; its processes follow them within seconds."""
    write_file_atomically(folder / _FILE, f"{msgspec.json.encode(limits).decode()}\n", FILE_MODE)


def size_of_folder(folder: Path) -> int:
    """Bytes of the files in a folder and below it."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it was removed meanwhile
                total += Path(at, name).stat().st_size
    return total


def size_of_club(where: Files) -> int:
    """Bytes of a club: in its folder, and in the database if it is there."""
    return size_of_folder(where.folder) + size_in_database(where)


class ClubLimits:
    """Limits of a club in this process, read again every few seconds."""

    def __init__(self, where: Files) -> None:
        self._where = where
        self._limits, self._size, self._until = Limits(), 0, 0.0

    @property
    def is_over_disk_limit(self) -> bool:
        """Whether the club takes no more writes, since its data exceed the limit."""
        limits = self._refresh_limits()
        return bool(limits.disk_mb) and self._size > limits.disk_mb * MEGABYTE

    @property
    def most_people_or_zero(self) -> int:
        """Number of people whom the club may name; 0 for any number."""
        return self._refresh_limits().people

    def _refresh_limits(self) -> Limits:
        if time.monotonic() >= self._until:
            self._until = time.monotonic() + _LOOKED_EVERY_S
            self._limits = read_limits(self._where.folder)
            self._size = size_of_club(self._where) if self._limits.disk_mb else 0
        return self._limits
