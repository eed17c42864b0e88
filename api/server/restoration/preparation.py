"""What is prepared: a backup unpacked beside the house, whole and checked, which a start swaps in.

Until then nothing of the house is changed, and the folder that waits appears by one rename.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from api.backups.places import WAITING
from api.server.backup_file import BadBackup, unpack_backup
from api.server.data_folder import FILE_MODE, Files
from api.server.house import house_facts
from api.server.own_schema import PERSONS
from referee.events import HolderId
from referee.log.durable import write_file_atomically
from referee.people.persons import refuse_wrong_key
from referee.store.databases import house_id_of_file_or_empty
from referee.system import ports

_BESIDE: Final = ".restore-ready-"
_ABOUT: Final = "about.json"


class Restoration(msgspec.Struct, frozen=True):
    """A backup that replaces the house: its name, and who chose it.

    ``key``, ``note``: what the notary had published, as in its manifest.
    """

    source: str
    by: HolderId
    key: str = ""
    note: str = ""


def restoration_folder(where: Files) -> Path:
    """Folder of the backup that waits for the next start; it does not exist if none waits."""
    return where.folder / WAITING


def is_restoration_pending(folder: Path) -> bool:
    """Whether a backup waits to be put in place at the next start of a data folder."""
    return (folder / WAITING).is_dir()


def prepare_restoration(where: Files, source: Path, by: HolderId) -> None:
    """Have the next start put a backup of this house in its place.

    :raises BadBackup: it is not whole, has no names, or is of another house
    :raises PersonsError: the key of this computer does not open its names
    """
    sweep_restorations(where)
    beside = Path(tempfile.mkdtemp(dir=where.folder, prefix=_BESIDE))
    try:
        manifest, _ = unpack_backup(source, beside, None)
        if PERSONS not in manifest.files:
            raise BadBackup(f"{source} has no names")
        if house_id_of_file_or_empty(beside / PERSONS) not in ("", house_facts(where).house):
            raise BadBackup(f"{source} is of another house")
        refuse_wrong_key(beside / PERSONS, where.master_key_source, secrets.token_bytes)
        about = Restoration(source.name, by, manifest.key, manifest.note)
        write_file_atomically(beside / _ABOUT, msgspec.json.encode(about).decode(), FILE_MODE)
        beside.rename(restoration_folder(where))
        ports.sync_folder(where.folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def read_restoration(where: Files) -> Restoration:
    """The backup that waits for the next start: its name, and who chose it."""
    return msgspec.json.decode((restoration_folder(where) / _ABOUT).read_bytes(), type=Restoration)


def clear_restoration(where: Files) -> None:
    """Remove the backup that waits for the next start, in one step."""
    restoration_folder(where).rename(where.folder / f"{_BESIDE}done")
    sweep_restorations(where)


def sweep_restorations(where: Files) -> None:
    """Delete folders of restorations that were not prepared completely, or are done."""
    for left in where.folder.glob(f"{_BESIDE}*"):
        shutil.rmtree(left, ignore_errors=True)
