"""Folders for backups: one beside the data, and a second one that the operator chose.

Which second one is a choice of this computer, so it lies in the data folder and in no backup.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from referee.events import HolderId
from referee.log.durable import FILE_MODE, write_file_atomically

_NAME: Final = "%Y%m%dT%H%M%SZ.guinote"


def backup_name(moment: datetime) -> str:
    """File name of a backup that was made at this moment.

    >>> backup_name(datetime(2026, 11, 24, 4, 30, tzinfo=UTC))
    '20261124T043000Z.guinote'
    """
    return moment.astimezone(UTC).strftime(_NAME)


def moment_in_file_name(name: str) -> datetime | None:
    """The moment in the file name of a backup; None if the name has another form.

    >>> moment_in_file_name("20261124T043000Z.guinote"), moment_in_file_name("copia (1).guinote")
    (datetime.datetime(2026, 11, 24, 4, 30, tzinfo=datetime.timezone.utc), None)
    """
    with suppress(ValueError):
        return datetime.strptime(name, _NAME).replace(tzinfo=UTC)
    return None


def backups_by_moment(folder: Path) -> dict[datetime, Path]:
    """Backups of a folder by their moment, the oldest first; other files are left out."""
    found: dict[datetime, Path] = {}
    for path in folder.iterdir():
        if moment := moment_in_file_name(path.name):
            found[moment] = path
    return dict(sorted(found.items()))


def moments_to_keep(moments: Iterable[datetime], daily: int, weekly: int) -> set[datetime]:
    """The moments whose backups are kept.

    The newest of each of the last days and of each of the last weeks.

    ``daily``, ``weekly``: how many days and weeks (Monday to Sunday, in UTC). The newest moment of
    all is always kept.
    """
    newest_first = sorted(moments, reverse=True)
    by_day = _newest_of_each(newest_first, lambda moment: moment.date().toordinal(), daily)
    by_week = _newest_of_each(newest_first, lambda moment: moment.isocalendar()[:2], weekly)
    return {*newest_first[:1], *by_day, *by_week}


def _newest_of_each(
    newest_first: Iterable[datetime], period: Callable[[datetime], object], most: int
) -> list[datetime]:
    newest: dict[object, datetime] = {}
    for moment in newest_first:
        newest.setdefault(period(moment), moment)
    return list(newest.values())[:most]


def delete_old(folder: Path, daily: int, weekly: int) -> list[Path]:
    """Delete the backups of a folder that are too old to be kept, and return their paths."""
    found = backups_by_moment(folder)
    old = [found[moment] for moment in found.keys() - moments_to_keep(found, daily, weekly)]
    for path in old:
        path.unlink()
    return sorted(old)


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
    """How a restoration ended: the backup that replaced the data, and when.

    ``before``: name of the backup of what was there; ``failed``: why nothing was changed, if so.
    """

    source: str
    before: str
    at: datetime
    failed: str = ""


def write_last_restoration(folder: Path, restored: Restored) -> None:
    """Write how a restoration ended, so that a page can show it after the restart."""
    write_file_atomically(folder / _RESTORED, msgspec.json.encode(restored).decode(), FILE_MODE)


class KeptBackup(NamedTuple):
    """A backup file in one of the folders."""

    name: str
    moment: datetime
    file: Path
    is_second: bool
    kilobytes: int


class BackupPlaces:
    """The folders with the backups of a data folder. ``copy``: writes a backup to a file.

    ``content``: reads one.

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
        """Whether a host runs the club, so that it neither sees nor chooses a folder."""
        return self.of_installation is not None

    def is_restoration_possible(self) -> bool:
        """Whether a page may replace the data by a backup and restart the service."""
        return self.prepare is not None and self.restart is not None

    def restore_by_restart(self, file: Path, by: HolderId) -> None:
        """Replace the data by a backup: prepare it, and restart the service now.

        :raises CannotBackUp: it is of no use for this house; nothing is changed
        """
        if self.prepare is not None and self.restart is not None:
            self.prepare(file, by)
            self.restart()

    def is_restoration_due(self) -> bool:
        """Whether a backup is ready to replace the data at the next start."""
        return (self.folder / WAITING).exists()

    def last_restoration(self) -> Restored | None:
        """How the last restoration that a page asked for ended; None if there was none."""
        try:
            return msgspec.json.decode((self.folder / _RESTORED).read_bytes(), type=Restored)
        except (OSError, msgspec.MsgspecError):
            return None

    def daily_backup_folder(self) -> Path | None:
        """The second folder for backups, which may be missing now; None if none was chosen."""
        if self.of_installation is not None:
            return self.of_installation
        with suppress(OSError):
            return Path(found) if (found := self._choice_file.read_text("utf-8").strip()) else None
        return None

    def choose_daily_backup_folder_or_fault(self, typed: str) -> PlaceFault | None:
        """Save the choice of a second folder, or of none if the text is empty.

        Return why it is unusable, else None.
        """
        place = Path(typed)
        if typed and (fault := self._place_fault(place)):
            return fault
        write_file_atomically(self._choice_file, f"{place if typed else ''}\n", FILE_MODE)
        return None

    def _place_fault(self, place: Path) -> PlaceFault | None:
        if not place.is_absolute() or "\n" in str(place):
            return "not_whole"
        if not place.is_dir():
            return "missing"
        if place.resolve().is_relative_to(self.folder.resolve()):
            return "inside"
        return None if os.access(place, os.W_OK | os.X_OK) else "read_only"

    def is_second_writable(self) -> bool:
        """Whether the second folder can be written to now."""
        place = self.daily_backup_folder()
        return place is not None and self._place_fault(place) is None

    def is_on_same_disk(self) -> bool:
        """Whether the second place would be lost with the disk of the first."""
        place = self.daily_backup_folder()
        try:
            return place is not None and place.stat().st_dev == self.folder.stat().st_dev
        except OSError:
            return False

    def every_backup(self) -> list[KeptBackup]:
        """All backups, of all folders, the newest first."""
        second = self.daily_backup_folder()
        found = [
            one
            for folder in (self.own, self.brought, self.folder / BEFORE)
            for one in _list_backups(folder, is_second=False)
        ]
        found += _list_backups(second, is_second=True) if second else []
        return sorted(found, key=lambda one: one.moment, reverse=True)

    def find_backup(self, name: str) -> KeptBackup | None:
        """The backup of this name; None if there is none."""
        return next((one for one in self.every_backup() if one.name == name), None)

    def make_backup(self, now: datetime) -> str:
        """Make a backup beside the data, and return its file name.

        :raises CannotBackUp: it cannot be made
        """
        _create_folder(self.own)
        return self._write_backup_and_delete_old(self.own, now)

    def make_daily_backup_if_due(self, now: datetime) -> str | None:
        """Make the backup of today in the second folder, and return its file name.

        None if it exists already, or the folder is unusable.

        :raises CannotBackUp: it cannot be made
        """
        if self.of_installation is not None:
            _create_folder(self.of_installation.parent)
            _create_folder(self.of_installation)
        place = self.daily_backup_folder()
        if place is None or not self.is_second_writable():
            return None
        if any(one.moment.date() == now.date() for one in _list_backups(place, is_second=True)):
            return None
        return self._write_backup_and_delete_old(place, now)

    def _write_backup_and_delete_old(self, place: Path, now: datetime) -> str:
        """Write a backup to a folder, delete the old ones there, and return its file name."""
        name = backup_name(now)
        self._copy(place / name)
        with suppress(OSError):  # an old one that cannot be deleted does no harm
            delete_old(place, _DAYS, _WEEKS)
        return name


def _create_folder(folder: Path) -> None:
    """Make a folder, unless it is there.

    :raises CannotBackUp: it cannot be made
    """
    try:
        folder.mkdir(_FOLDER_MODE, exist_ok=True)
    except OSError as error:
        raise CannotBackUp(str(error)) from None


def _list_backups(place: Path, *, is_second: bool) -> list[KeptBackup]:
    """Backups of a place, the newest first; none if it is not there."""
    found = []
    with suppress(OSError):
        for moment, file in backups_by_moment(place).items():
            size = -(-file.stat().st_size // 1000)
            found.append(KeptBackup(file.name, moment.astimezone(UTC), file, is_second, size))
    return found[::-1]
