"""Places of backups: a folder beside the data, and a second one that whoever runs the house chose.

Which second one is a choice of this computer, so it lies in the data folder and in no backup.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from api.backups.backup_files import backups_in, delete_old, name_at
from referee.events import HolderId
from referee.log.durable import FILE_MODE, replace_file

OWN: Final = "backups"
"""Backups beside the data."""
BROUGHT: Final = "backups.brought"
"""Backups that a page brought from elsewhere; those of the data do not push them out."""
BEFORE: Final = "backups.before"
"""Backups of what a restored one replaced; they are kept apart, since old ones are deleted here."""
WAITING: Final = "restore.ready"
"""What the next start swaps in."""
_RESTORED: Final = "restored.json"
_CHOICE_FILE: Final = "backups.place"
_FOLDER_MODE: Final = 0o700
_DAYS, _WEEKS = 7, 5
"""Days and weeks of which a place keeps a backup, as the timer of the kit does."""

PlaceFault: TypeAlias = Literal["not_whole", "missing", "read_only", "inside"]
"""Why a folder is no second place: not a whole path, not there, not writable, among the data."""


BackupFault: TypeAlias = Literal["damaged", "newer", "failed"]
"""What is wrong: it is no whole backup, a later release made it, or something else failed."""


class CannotBackUp(Exception):  # noqa: N818 - it says what failed
    """A backup cannot be made or read; the reason in one line, and of which kind it is."""

    def __init__(self, why: str, fault: BackupFault = "failed") -> None:
        super().__init__(why)
        self.fault = fault


class BackupContent(NamedTuple):
    """What is in a backup, beside what the house has now.

    ``names``: None if it has none. ``opens``: whether the key of this computer opens them.
    """

    release: str
    acts: int
    acts_now: int
    names: int | None
    accounts: int
    is_ours: bool
    opens: bool


class Restored(msgspec.Struct, frozen=True):
    """A backup that a page put in the place of the house: its name, and when.

    ``before``: name of the backup of what was there; ``failed``: why nothing was changed, if so.
    """

    source: str
    before: str
    at: datetime
    failed: str = ""


def note_restored(folder: Path, restored: Restored) -> None:
    """Keep what became of a restoration, for the page."""
    replace_file(folder / _RESTORED, msgspec.json.encode(restored).decode(), FILE_MODE)


class KeptBackup(NamedTuple):
    """A backup in a place."""

    name: str
    moment: datetime
    file: Path
    is_second: bool
    kilobytes: int


class BackupPlaces:
    """The places of a data folder. ``copy``: makes a backup as a file; ``content``: reads one.

    ``prepare``: has the next start swap one in; ``restart``: starts the service anew; None where
    that cannot be had. All but the last raise ``CannotBackUp``. ``of_installation``: the second
    place of a house that somebody else's computer hosts, which nobody there chooses or sees.
    """

    def __init__(
        self,
        folder: Path,
        copy: Callable[[Path], None],
        content: Callable[[Path], BackupContent],
    ) -> None:
        self.own, self.brought, self.folder = folder / OWN, folder / BROUGHT, folder
        self._choice_file = folder / _CHOICE_FILE
        self._copy, self.content = copy, content
        self.prepare: Callable[[Path, HolderId], None] | None = None
        self.restart: Callable[[], None] | None = None
        self.of_installation: Path | None = None

    @property
    def is_hosted(self) -> bool:
        """Whether the computer is somebody else's, so no folder of it is named or chosen."""
        return self.of_installation is not None

    def may_restore(self) -> bool:
        """Whether a page may put a backup in the place of the house, which then starts anew."""
        return self.prepare is not None and self.restart is not None

    def restore(self, file: Path, by: HolderId) -> None:
        """Put a backup in the place of the house: it ends now, and starts with it.

        :raises CannotBackUp: it is of no use for this house; nothing is changed
        """
        if self.prepare is not None and self.restart is not None:
            self.prepare(file, by)
            self.restart()

    def is_waiting(self) -> bool:
        """Whether the house is still to start with a backup."""
        return (self.folder / WAITING).exists()

    def last_restoration(self) -> Restored | None:
        """What became of the last restoration by a page; None if there was none."""
        try:
            return msgspec.json.decode((self.folder / _RESTORED).read_bytes(), type=Restored)
        except (OSError, msgspec.MsgspecError):
            return None

    def second(self) -> Path | None:
        """The second place, which may not be there now; None if nobody chose one."""
        if self.of_installation is not None:
            return self.of_installation
        with suppress(OSError):
            return Path(found) if (found := self._choice_file.read_text("utf-8").strip()) else None
        return None

    def choose(self, typed: str) -> PlaceFault | None:
        """Keep a second place, or none if nothing was typed; what is wrong with it if it is."""
        place = Path(typed)
        if typed and (fault := self._fault(place)):
            return fault
        replace_file(self._choice_file, f"{place if typed else ''}\n", FILE_MODE)
        return None

    def _fault(self, place: Path) -> PlaceFault | None:
        if not place.is_absolute() or "\n" in str(place):
            return "not_whole"
        if not place.is_dir():
            return "missing"
        if place.resolve().is_relative_to(self.folder.resolve()):
            return "inside"
        return None if os.access(place, os.W_OK | os.X_OK) else "read_only"

    def is_second_there(self) -> bool:
        """Whether the second place can be written to now."""
        place = self.second()
        return place is not None and self._fault(place) is None

    def is_on_same_disk(self) -> bool:
        """Whether the second place would be lost with the disk of the first."""
        place = self.second()
        try:
            return place is not None and place.stat().st_dev == self.folder.stat().st_dev
        except OSError:
            return False

    def every(self) -> list[KeptBackup]:
        """Backups of both places, the newest first."""
        second = self.second()
        found = [
            one
            for folder in (self.own, self.brought, self.folder / BEFORE)
            for one in _backups_in(folder, is_second=False)
        ]
        found += _backups_in(second, is_second=True) if second else []
        return sorted(found, key=lambda one: one.moment, reverse=True)

    def find(self, name: str) -> KeptBackup | None:
        """The backup of this name; None if there is none."""
        return next((one for one in self.every() if one.name == name), None)

    def make(self, now: datetime) -> str:
        """Make a backup beside the data; its name.

        :raises CannotBackUp: it cannot be made
        """
        _make(self.own)
        return self._keep(self.own, now)

    def keep_today(self, now: datetime) -> str | None:
        """Make the backup of today in the second place, unless it is there; its name.

        :raises CannotBackUp: it cannot be made
        """
        if self.of_installation is not None:
            _make(self.of_installation.parent)
            _make(self.of_installation)
        place = self.second()
        if place is None or not self.is_second_there():
            return None
        if any(one.moment.date() == now.date() for one in _backups_in(place, is_second=True)):
            return None
        return self._keep(place, now)

    def _keep(self, place: Path, now: datetime) -> str:
        name = name_at(now)
        self._copy(place / name)
        with suppress(OSError):  # an old one that cannot be deleted does no harm
            delete_old(place, _DAYS, _WEEKS)
        return name


def _make(folder: Path) -> None:
    """Make a folder, unless it is there.

    :raises CannotBackUp: it cannot be made
    """
    try:
        folder.mkdir(_FOLDER_MODE, exist_ok=True)
    except OSError as error:
        raise CannotBackUp(str(error)) from None


def _backups_in(place: Path, *, is_second: bool) -> list[KeptBackup]:
    """Backups of a place, the newest first; none if it is not there."""
    found = []
    with suppress(OSError):
        for moment, file in backups_in(place).items():
            size = -(-file.stat().st_size // 1000)
            found.append(KeptBackup(file.name, moment.astimezone(UTC), file, is_second, size))
    return found[::-1]
