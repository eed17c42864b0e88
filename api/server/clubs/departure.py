"""Clubs that are removed: put aside for a time in which they come back, then deleted.

What stays for ever is a note of what went: which house, how many events under which root, and the
last checkpoint with the key that signed it, so that a proof kept elsewhere still tells of it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from api.server.clubs.folder import ClubsFolder
from api.server.data_folder import FILE_MODE, FOLDER_MODE, Files
from api.server.faults.exits import STORE_ERRORS
from api.server.house import house_facts
from referee.audit.publication import Published
from referee.log.durable import replace_file
from referee.log.faults import in_one_line
from referee.log.stores import open_audited
from referee.system import ports

GRACE: Final = timedelta(days=30)
CLOSED_AFTER_S: Final = 3.0
"""Time after which every process has closed a club that was shut."""
_DATA, _NOTARY, _ABOUT = "data", "notary", ".json"


class HouseThatWent(msgspec.Struct, frozen=True):
    """What a house was: its id, its log, and what its notary signed last, with its public key.

    ``fault``: why it could not be read, if so.
    """

    house: str = ""
    events: int = 0
    root: str = ""
    checkpoint: str = ""
    key: str = ""
    fault: str = ""


class RemovedClub(msgspec.Struct, frozen=True):
    """A club that was removed. ``by``: who did it; ``deleted``: when nothing was left of it."""

    club: str
    removed: datetime
    by: str
    hosts: tuple[str, ...]
    was_shut: bool
    went: HouseThatWent
    deleted: datetime | None = None

    @property
    def until(self) -> datetime:
        """When it is deleted."""
        return self.removed + GRACE


class NotRemoved(Exception):  # noqa: N818 - it says what is the case
    """There is no removed club of this name that could come back."""


class _Place(NamedTuple):
    """Where a removed club is, and the note about it beside."""

    folder: Path
    note: Path

    def about(self) -> RemovedClub:
        return msgspec.json.decode(self.note.read_bytes(), type=RemovedClub)

    def keep(self, about: RemovedClub) -> None:
        text = msgspec.json.format(msgspec.json.encode(about)).decode()
        replace_file(self.note, f"{text}\n", FILE_MODE)


def remove_club(folder: ClubsFolder, name: str, by: str, now: datetime) -> RemovedClub:
    """Put a club aside, once no process has it open."""
    was_shut = folder.is_shut(name)
    folder.shut(name)
    time.sleep(CLOSED_AFTER_S)
    aside = _place(folder, f"{name}@{now:%Y%m%dT%H%M%SZ}")
    hosts = tuple(folder.hosts_of(name)[1:])
    about = RemovedClub(name, now, by, hosts, was_shut, _house(folder.files(name)))
    aside.folder.mkdir(FOLDER_MODE)
    aside.keep(about)
    folder.data(name).rename(aside.folder / _DATA)
    if folder.notary(name).exists():
        folder.notary(name).rename(aside.folder / _NOTARY)
    folder.forget_hosts(name)
    ports.sync_folder(aside.folder)
    return about


def restore_club(folder: ClubsFolder, name: str) -> RemovedClub:
    """Have a removed club back: of several of one name, the one that was removed last.

    :raises NotRemoved: there is none, or another club has its name
    """
    found = [one for one in _places(folder) if one.about().club == name and one.folder.is_dir()]
    if not found or folder.has(name):
        raise NotRemoved(name)
    aside = found[-1]
    about = aside.about()
    if (aside.folder / _NOTARY).exists():
        (aside.folder / _NOTARY).rename(folder.notary(name))
    (aside.folder / _DATA).rename(folder.data(name))
    for host in about.hosts:
        if folder.club_of(host) is None:
            folder.name_host(name, host)
    aside.folder.rmdir()
    aside.note.unlink()
    if not about.was_shut:
        folder.reopen(name)
    return about


def delete_due(folder: ClubsFolder, now: datetime) -> list[RemovedClub]:
    """Delete the clubs whose time is over; their notes stay."""
    deleted = list[RemovedClub]()
    for aside in _places(folder):
        about = aside.about()
        if about.deleted or now < about.until:
            continue
        shutil.rmtree(aside.folder, ignore_errors=True)
        if not aside.folder.exists():
            deleted.append(msgspec.structs.replace(about, deleted=now))
            aside.keep(deleted[-1])
    return deleted


def clubs_that_went(folder: ClubsFolder) -> list[RemovedClub]:
    """Every club that was removed and did not come back, the earliest first."""
    return sorted((one.about() for one in _places(folder)), key=lambda one: one.removed)


def _places(folder: ClubsFolder) -> Iterator[_Place]:
    for note in sorted(folder.gone.glob(f"*@*{_ABOUT}")):
        yield _place(folder, note.name.removesuffix(_ABOUT))


def _place(folder: ClubsFolder, stem: str) -> _Place:
    return _Place(folder.gone / stem, folder.gone / f"{stem}{_ABOUT}")


def _house(where: Files) -> HouseThatWent:
    """What a house is, as far as it can be read."""
    try:
        house = house_facts(where).house
        published = Published(where.log, where.folder)
        with closing(open_audited(where.log)) as log, closing(published):
            tree, key, note = log.tree(), published.key(), published.note()
    except STORE_ERRORS as error:
        return HouseThatWent(fault=in_one_line(error))
    return HouseThatWent(
        house=house,
        events=tree.size,
        root=tree.root.hex(),
        checkpoint=note.text if note else "",
        key=key.text.strip() if key else "",
    )
