"""A whole house as one file: packed to move it, and unpacked where it goes on.

The file is a zip behind a manifest: log, names, accounts, security log, what else is of the house
in its data folder, the key of its names and the folder of its notary. So it is secret. The log in
it is closed, as that of a place that a move fills.

The place is closed before the file has its name, so that never two houses go on. If that is
interrupted, the house is where it was or in no place, and it is packed again.
"""

from __future__ import annotations

import re
import secrets
import shutil
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from api.backups.releases import OPENED
from api.http.access.tokens import TOKEN_FILE
from api.server.backup import InService, hold_views_lock, rebuild_views
from api.server.backup_file import (
    DAMAGED,
    LARGEST_MANIFEST,
    MANIFEST,
    BadBackup,
    ByteProgress,
    CopyProgress,
    hash_of,
    pack_archive,
    refuse_unsound_database,
    unpack_file,
)
from api.server.data_folder import FILE_MODE, FOLDER_MODE, HOSTS_MARK, Files
from api.server.faults.exits import STORE_ERRORS
from api.server.house import assert_one_house, house_facts
from api.server.moving.move import (
    CannotMove,
    MovedHouse,
    NotTheSame,
    allow_log_writes,
    assert_names_decrypt,
    byte_progress_of_copy,
    discard_stale_owner_token,
    hold_house_copy_and_close,
    move_house,
    publish_key_and_checkpoint,
    require_movable_house,
    require_unmoved_house,
    upgrade_before_copy,
)
from api.server.own_schema import KEYS, LOG, PERSONS, SECURITY
from referee.audit.notary import CHECKPOINTS, KEY, SIGNED, Notary, NotaryRefusal
from referee.audit.publication import PUBLISHED_KEY, PUBLISHED_NOTE
from referee.audit.verification import verify_log
from referee.log.durable import write_file_atomically
from referee.log.faults import error_in_one_line
from referee.log.ports import NewerData
from referee.log.stores import open_for_audit
from referee.people.master_key import KeyFile
from referee.people.persons import refuse_wrong_key
from referee.release import RELEASE, release_as_number
from referee.system import ports

FORMAT: Final = 1
_STORES: Final = (LOG, SECURITY, KEYS, PERSONS)
_MASTER_KEY: Final = "persons.key"
_NOTARY: Final = "notary"
_NOTARY_FILES: Final = (CHECKPOINTS, SIGNED, KEY)
"""The key is last: a notary that has it has what it signed."""
_SIGNING_S: Final = 3.0
"""How long a notary may sign that is asked for nothing more."""
_PUBLISHED: Final = (PUBLISHED_KEY, PUBLISHED_NOTE)
_OF_HOUSE: Final = (TOKEN_FILE, HOSTS_MARK, OPENED)
_HTTPS: Final = "https"
_NAME_OF_FILE: Final = re.compile(
    "|".join(
        (
            *map(re.escape, (*_STORES, _MASTER_KEY, *_PUBLISHED, *_OF_HOUSE)),
            *(f"{_NOTARY}/{re.escape(name)}" for name in _NOTARY_FILES),
            rf"{_HTTPS}/\w[\w.-]*",
        )
    )
)


class HousePiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a packed house: its bytes, and their SHA-256."""

    bytes: int
    sha256: str


class PackedHouse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a packed house: its id, the events and the root of its log, and its files."""

    packed_house: int
    house: str
    events: int
    root: str
    release: str
    files: dict[str, HousePiece]

    @property
    def has_notary(self) -> bool:
        """Whether the key of its notary is in it."""
        return f"{_NOTARY}/{KEY}" in self.files


class _AnyManifest(msgspec.Struct):
    """Format and release of a manifest, which tell whether a file is a packed house."""

    packed_house: int = 0
    release: str = ""


# --- packed --------------------------------------------------------------------------------------


def pack_and_close_house(
    source: Files, keys: Path, target: Path, progress: CopyProgress | None = None
) -> PackedHouse:
    """Pack a house into one file, and close the place where it was. ``keys``: of its notary.

    :raises CannotMove: there is no house to move, or the file is there already
    :raises InService: a notary has its folder open
    :raises NotTheSame: the house is not sound; it stays where it is
    """
    target = target.absolute()
    if target.exists():
        raise CannotMove(f"{target} is there already")
    place = f"the file {target}"
    with (
        tempfile.TemporaryDirectory(dir=target.parent, prefix=".pack-") as beside,
        _prevent_signing(keys),
    ):
        copy = Files(Path(beside))
        here = require_unmoved_house(source, place)
        upgrade_before_copy(source, here)
        steps = byte_progress_of_copy(source, progress)
        part = copy.folder / "packed"
        with hold_house_copy_and_close(source, copy, here.house, steps) as copied:
            publish_key_and_checkpoint(source, copy)
            _collect_house_files(source, keys, copy.folder)
            discard_stale_owner_token(source, copy)
            made = PackedHouse(
                *(FORMAT, here.house, copied.tree.size, copied.tree.root.hex(), RELEASE),
                dict(_manifest_pieces(copy.folder)),
            )
            pack_archive(part, made, {name: copy.folder / name for name in made.files}, steps)
            copied.place = place
        ports.replace(part, target)
        ports.sync_folder(target.parent)
    steps.end()
    return made


@contextmanager
def _prevent_signing(keys: Path) -> Iterator[None]:
    """Keep every notary from signing with these keys meanwhile.

    :raises InService: one does
    """
    if not (keys / KEY).exists():
        yield
        return
    with closing(_open_notary_when_idle(keys)):
        yield


def _open_notary_when_idle(keys: Path) -> Notary:
    """Open the notary of a folder; waits a moment for one that is still signing."""
    until = time.monotonic() + _SIGNING_S
    while True:
        try:
            return Notary(keys, secrets.token_bytes)
        except NotaryRefusal as refusal:
            if refusal.code != "in_use" or time.monotonic() > until:
                raise InService(f"the notary in {keys}: {refusal.code}") from None
        time.sleep(_SIGNING_S / 50)


def _collect_house_files(source: Files, keys: Path, folder: Path) -> None:
    """Copy the files of a house other than its stores into a folder."""
    for name in _STORES:  # a file alone, without a journal
        with closing(sqlite3.connect(folder / name)) as made:
            made.execute("PRAGMA journal_mode = DELETE")
    write_file_atomically(
        folder / _MASTER_KEY, f"{source.master_key_source.read().hex()}\n", FILE_MODE
    )
    for below in (_HTTPS, _NOTARY):
        (folder / below).mkdir(FOLDER_MODE)
    found = [
        *(source.folder / name for name in _OF_HOUSE),
        *sorted((source.folder / _HTTPS).glob("*")),
    ]
    for file in found:
        name = file.relative_to(source.folder).as_posix()
        if file.is_file() and _NAME_OF_FILE.fullmatch(name):
            shutil.copyfile(file, folder / name)
    for name in _NOTARY_FILES:
        if (keys / name).is_file():
            shutil.copyfile(keys / name, folder / _NOTARY / name)


def _manifest_pieces(folder: Path) -> Iterator[tuple[str, HousePiece]]:
    """Name in the archive, size and hash of each file that is packed."""
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and _NAME_OF_FILE.fullmatch(name):
            yield name, HousePiece(file.stat().st_size, hash_of(file))


# --- unpacked ------------------------------------------------------------------------------------


def unpack_house(
    source: Path, target: Files, keys: Path, progress: CopyProgress | None = None
) -> MovedHouse:
    """Unpack a packed house into an empty place, or the place that it left.

    ``keys``: Folder for its notary.

    :raises BadBackup: the file is not a whole packed house of this program
    :raises NewerData: a later release made it
    :raises CannotMove: the place has something else, or knows more of the house than the file
    :raises InService: a service uses the place
    """
    with (
        hold_views_lock(target.views),
        tempfile.TemporaryDirectory(dir=target.folder, prefix=".unpack-") as folder,
    ):
        copy = Files(Path(folder))
        made = _unpack_files(source, copy.folder)
        _assert_sound_house(source, copy, made)
        _refuse_file_of_earlier_move(target, made)
        require_movable_house(copy, target)
        _refuse_other_keys(copy.folder, target, keys)
        if not target.master_key_source.is_there():
            _put_file(copy.folder / _MASTER_KEY, target.master_key_file)
        moved = move_house(
            copy, target, progress, partial(_put_house_files, copy.folder, target, keys)
        )
        rebuild_views(target, moved.events, ByteProgress(1, None))
    return moved


def _unpack_files(source: Path, folder: Path) -> PackedHouse:
    """Unpack the files of a packed house into a folder, each checked against the manifest."""
    try:
        with zipfile.ZipFile(source) as archive:
            with archive.open(MANIFEST) as file:
                made = _parse_manifest(source, file.read(LARGEST_MANIFEST))
            if foreign := [one for one in made.files if not _NAME_OF_FILE.fullmatch(one)]:
                raise BadBackup(f"{source} has what is of no house: {', '.join(foreign)}")
            stated = sum(one.bytes for one in made.files.values())
            if stated > shutil.disk_usage(folder).free:
                raise BadBackup(f"{stated} bytes do not fit on the disk")
            steps = ByteProgress(stated, None)
            for below in (_HTTPS, _NOTARY):
                (folder / below).mkdir(FOLDER_MODE)
            for name, piece in made.files.items():
                unpack_file(archive, name, piece, folder / name, steps)
    except DAMAGED as error:
        raise BadBackup(f"{source}: {error}") from None
    return made


def _parse_manifest(source: Path, body: bytes) -> PackedHouse:
    about = msgspec.json.decode(body, type=_AnyManifest)
    if not about.packed_house:
        raise BadBackup(f"{source} is no packed house; a backup is put back by guinote restore")
    if about.packed_house > FORMAT or release_as_number(about.release) > release_as_number(RELEASE):
        raise NewerData(source.name, about.release)
    made = msgspec.json.decode(body, type=PackedHouse)
    if missing := [one for one in (*_STORES, _MASTER_KEY) if one not in made.files]:
        raise BadBackup(f"{source} lacks {', '.join(missing)}")
    return made


def _assert_sound_house(source: Path, copy: Files, made: PackedHouse) -> None:
    """Check that the unpacked files are one sound house, the one of the manifest.

    Open its log for writing.

    :raises BadBackup: it is not
    """
    for name in _STORES:
        refuse_unsound_database(name, copy.folder / name)
    key = KeyFile(copy.folder / _MASTER_KEY)
    try:
        refuse_wrong_key(copy.folder / PERSONS, key, secrets.token_bytes)
        allow_log_writes(copy)
        found = assert_one_house(copy)
        assert_names_decrypt(copy, key)
        with closing(open_for_audit(copy.log)) as log, log.hold_snapshot():
            verified = verify_log(log)
    except (NotTheSame, *STORE_ERRORS) as wrong:
        raise BadBackup(f"{source}: {error_in_one_line(wrong)}") from None
    if verified.differences:
        what = verified.differences[0].what
        raise BadBackup(f"{source}: the log is not what its tree was made of: {what}")
    tree = verified.tree
    if (found.house, tree.size, tree.root.hex()) != (made.house, made.events, made.root):
        raise BadBackup(f"{source} has another log than it says")


def _refuse_file_of_earlier_move(target: Files, made: PackedHouse) -> None:
    """Refuse a packed house that is older than what the target has of the same house.

    :raises CannotMove: it is one
    """
    there = house_facts(target)
    if there.house == made.house and there.events > made.events:
        raise CannotMove(
            f"the file has {made.events} events of the house, and {target.folder} {there.events}: "
            "it is of an earlier move"
        )


def _refuse_other_keys(folder: Path, target: Files, keys: Path) -> None:
    """Refuse a target that has another master key, or another key of the notary.

    :raises CannotMove: there is one
    """
    master = target.master_key_source
    if master.is_there() and master.read() != KeyFile(folder / _MASTER_KEY).read():
        raise CannotMove(f"{master.place} is there, and it is the key of other names")
    ours, theirs = folder / _NOTARY / KEY, keys / KEY
    if theirs.exists() and not (ours.exists() and ours.read_bytes() == theirs.read_bytes()):
        raise CannotMove(f"{theirs} is there, and it is the key of another notary")


def _put_house_files(folder: Path, target: Files, keys: Path) -> None:
    """Put the files of a house other than its stores to their places."""
    for name in _OF_HOUSE:
        if (folder / name).exists():
            _put_file(folder / name, target.folder / name)
    for file in (folder / _HTTPS).iterdir():
        _put_file(file, target.folder / _HTTPS / file.name)
    for name in _NOTARY_FILES:
        if (folder / _NOTARY / name).exists():
            _put_file(folder / _NOTARY / name, keys / name)


def _put_file(file: Path, goal: Path) -> None:
    goal.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    write_file_atomically(goal, file.read_text("utf-8"), FILE_MODE)
