"""Removal of clubs.

A club is set aside for a time in which it can be restored, and is deleted then.

What stays for ever is a note of what went: which house, how many events under which root, and the
last checkpoint with the key that signed it, so that a proof kept elsewhere still tells of it.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from api.server.clubs.folder import ClubsFolder
from api.server.clubs.schema import drop_club_schema
from api.server.clubs.usage import PATIENCE_S, StillInUse, lock_club
from api.server.data_folder import FILE_MODE, FOLDER_MODE, Files
from api.server.faults.exits import STORE_ERRORS
from api.server.house import house_facts
from referee.audit.publication import Published
from referee.log.durable import write_file_atomically
from referee.log.faults import error_in_one_line
from referee.log.stores import open_for_audit
from referee.system import ports

GRACE: Final = timedelta(days=30)
_DATA, _NOTARY, _ABOUT = "data", "notary", ".json"

_log = logging.getLogger(__name__)


class HouseThatWent(msgspec.Struct, frozen=True):
    """Last facts about the house of a removed club.

    Its id, its log, the last checkpoint and its key.

    ``fault``: why it could not be read, if so.
    """

    house: str = ""
    events: int = 0
    root: str = ""
    checkpoint: str = ""
    key: str = ""
    fault: str = ""


class RemovedClub(msgspec.Struct, frozen=True):
    """A club that was removed. ``by``: who did it; ``deleted``: when its data was."""

    club: str
    removed: datetime
    by: str
    hosts: tuple[str, ...]
    was_shut: bool
    went: HouseThatWent
    deleted: datetime | None = None

    @property
    def deletion_time(self) -> datetime:
        """When the data of the removed club is deleted."""
        return self.removed + GRACE


class NotRemoved(Exception):  # noqa: N818 - it says what is the case
    """There is no removed club of this name that could come back."""


class _Place(NamedTuple):
    """Where a removed club is, the note about it beside, and its daily backups."""

    folder: Path
    note: Path
    backups: Path

    @property
    def data_folder(self) -> Path:
        return self.folder / _DATA

    @property
    def notary_folder(self) -> Path:
        return self.folder / _NOTARY

    def write_note(self, about: RemovedClub) -> None:
        text = msgspec.json.format(msgspec.json.encode(about)).decode()
        write_file_atomically(self.note, f"{text}\n", FILE_MODE)


def remove_club(folder: ClubsFolder, name: str, by: str, now: datetime) -> RemovedClub:
    """Put a club aside, once no process has it open; goes on where it was interrupted.

    Its data goes last: until then nobody else can have its name.

    :raises StillInUse: a process has it open for too long; it is open again
    """
    was_shut = folder.is_shut(name)
    folder.shut(name)
    try:
        with lock_club(folder.data_folder(name), PATIENCE_S):
            return _put_aside(folder, name, by, now, was_shut=was_shut)
    except StillInUse:
        if not was_shut:
            folder.reopen(name)
        raise


def _put_aside(
    folder: ClubsFolder, name: str, by: str, now: datetime, *, was_shut: bool
) -> RemovedClub:
    went, hosts = _last_house_facts(folder.files(name)), folder.addresses_of_club(name)[1:]
    aside = _removal_place_by_stem(folder, f"{name}@{now:%Y%m%dT%H%M%SZ}")
    if begun := _removal_to_resume(folder, name, went.house):
        aside, before = begun
        was_shut, hosts = before.was_shut, sorted({*before.hosts, *hosts})
    about = RemovedClub(name, now, by, tuple(hosts), was_shut, went)
    aside.write_note(about)
    aside.folder.mkdir(FOLDER_MODE, exist_ok=True)
    for there, gone in _folder_pairs_outside_data(folder, name, aside):
        if there.exists():
            there.rename(gone)
    folder.forget_hosts(name)
    folder.data_folder(name).rename(aside.data_folder)
    ports.sync_folder(aside.folder)
    return about


def restore_club(folder: ClubsFolder, name: str) -> RemovedClub:
    """Restore a removed club, the latest of this name.

    It goes on where it, or the removal, was interrupted.

    :raises NotRemoved: there is none, or another club has its name
    """
    if folder.has(name):
        found = _removal_to_resume(folder, name, _last_house_facts(folder.files(name)).house)
    else:
        found = next(
            reversed(
                [one for one in _removals_to_restore(folder, name) if one[0].data_folder.is_dir()]
            ),
            None,
        )
    if found is None:
        raise NotRemoved(name)
    aside, about = found
    _put_back(folder, name, aside)
    for host in about.hosts:
        if folder.club_of_host_and_path(host) is None:
            folder.assign_host(name, host)
    if aside.data_folder.is_dir():
        aside.data_folder.rename(folder.data_folder(name))
    if not about.was_shut:
        folder.reopen(name)
    if aside.folder.exists():
        aside.folder.rmdir()
    aside.note.unlink()
    return about


def _put_back(folder: ClubsFolder, name: str, aside: _Place) -> None:
    """Put back what a club has outside its data folder.

    :raises NotRemoved: another club has its name
    """
    for there, gone in _folder_pairs_outside_data(folder, name, aside):
        if gone.exists():
            if there.exists():
                raise NotRemoved(name)
            gone.rename(there)


def delete_expired_clubs(folder: ClubsFolder, now: datetime) -> list[RemovedClub]:
    """Delete the data of removed clubs whose time is over; the notes about them stay.

    Where a removal was interrupted there is no data, and nothing is deleted.
    """
    deleted = list[RemovedClub]()
    for aside, about in _removals(folder):
        if about.deleted is None and now >= about.deletion_time and aside.data_folder.is_dir():
            deleted.append(msgspec.structs.replace(about, deleted=now))
            aside.write_note(deleted[-1])
            _delete_club_data(aside)
        elif about.deleted and aside.folder.exists():  # it was interrupted
            _delete_club_data(aside)
    return deleted


def _delete_club_data(aside: _Place) -> None:
    try:
        drop_club_schema(aside.data_folder)
        if aside.backups.exists():
            shutil.rmtree(aside.backups)
        shutil.rmtree(aside.folder)
    except (OSError, *STORE_ERRORS) as error:  # the others go on, and it is tried again
        _log.warning("%s is not deleted: %s", aside.folder, error_in_one_line(error))


def clubs_removed(folder: ClubsFolder) -> list[RemovedClub]:
    """Clubs that were removed and not restored, the earliest first."""
    return sorted((about for _, about in _removals(folder)), key=lambda one: one.removed)


def _removals(folder: ClubsFolder) -> Iterator[tuple[_Place, RemovedClub]]:
    """Removed clubs, each with its place and its note; unreadable notes are skipped."""
    for note in sorted(folder.folder_of_removed_clubs.glob(f"*@*{_ABOUT}")):
        try:
            about = msgspec.json.decode(note.read_bytes(), type=RemovedClub)
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            _log.warning("%s is left out: %s", note, error_in_one_line(error))
            continue
        yield _removal_place_by_stem(folder, note.name.removesuffix(_ABOUT)), about


def _removals_to_restore(folder: ClubsFolder, name: str) -> Iterator[tuple[_Place, RemovedClub]]:
    """Removed clubs of a name that can be restored, the latest last."""
    for aside, about in _removals(folder):
        if about.club == name and about.deleted is None:
            yield aside, about


def _removal_to_resume(
    folder: ClubsFolder, name: str, house: str
) -> tuple[_Place, RemovedClub] | None:
    """Removed club whose removal or restoration was interrupted; None if there is none."""
    for aside, about in _removals_to_restore(folder, name):
        if about.went.house == house and not aside.data_folder.exists():
            return aside, about
    return None


def _removal_place_by_stem(folder: ClubsFolder, stem: str) -> _Place:
    note = folder.folder_of_removed_clubs / f"{stem}{_ABOUT}"
    return _Place(
        folder.folder_of_removed_clubs / stem, note, folder.backup_folder_of_removed_clubs / stem
    )


def _folder_pairs_outside_data(
    folder: ClubsFolder, name: str, aside: _Place
) -> Iterator[tuple[Path, Path]]:
    """Folders that a club has outside its data folder, each with its place after removal."""
    yield folder.notary_folder(name), aside.notary_folder
    yield folder.backup_folder(name), aside.backups


def _last_house_facts(where: Files) -> HouseThatWent:
    """Last facts about a house before it is removed, as far as they can be read."""
    try:
        house = house_facts(where).house
        published = Published(where.log, where.folder)
        with closing(open_for_audit(where.log)) as log, closing(published):
            tree, key, note = log.tree(), published.key(), published.note()
    except (*STORE_ERRORS, ValueError) as error:
        return HouseThatWent(fault=error_in_one_line(error))
    return HouseThatWent(
        house=house,
        events=tree.size,
        root=tree.root.hex(),
        checkpoint=note.text if note else "",
        key=key.text.strip() if key else "",
    )
