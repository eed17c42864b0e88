"""The file of a backup: a manifest and two databases, packed and unpacked."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import IO, Final, Protocol, TypeAlias

import msgspec

from api.server.own_schema import KEYS, LOG, PERSONS, foreign_objects_in
from referee.log.ports import MOVED, NewerData
from referee.release import RELEASE, release_as_number
from referee.store.databases import house_id_of_file_or_empty

CopyProgress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done, and all there are to do."""

FORMAT: Final = 2
"""Format of a manifest; the first one did not say which release made the backup."""
_FORMATS: Final = (1, FORMAT)
MANIFEST: Final = "manifest.json"
COUNTED: Final = {
    LOG: ("stored_events", "receipts", "leaves", "tree"),
    PERSONS: ("persons", "texts"),
    KEYS: ("account", "token", "offer"),
}
"""Tables whose rows a manifest counts. A log of an earlier version has no leaves and no tree, and
an earlier backup no keys; one that was asked for has no names."""
PRIVATE: Final = 0o600
_CHUNK: Final = 1 << 18
DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error, msgspec.MsgspecError),
    *(KeyError, EOFError, ValueError, RuntimeError),
)
"""What reading a damaged zip raises; one flipped bit may say that it is encrypted, for example."""
LARGEST_MANIFEST: Final = 1 << 16


class BadBackup(Exception):  # noqa: N818 - an answer about a file
    """The file is not a complete backup, or a database is damaged."""


class Copy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entry of a manifest about one database.

    Its bytes, their SHA-256, its version, and rows by table.
    """

    bytes: int
    sha256: str
    version: int
    counts: dict[str, int]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a backup.

    ``position``: of the latest event; ``release``: of this program; ``key``, ``note``: the line and
    the checkpoint that the notary had published, empty if none.
    """

    format: int
    sqlite: str
    position: int
    files: dict[str, Copy]
    release: str = "0.1.0"
    key: str = ""
    note: str = ""


class _MadeBy(msgspec.Struct):
    """Format and release of a manifest, which the manifest of every release states."""

    format: int = 0
    release: str = "of a later release"


class ByteProgress:
    """Counts the bytes that are done, and reports them; never more than the total."""

    def __init__(self, total: int, progress: CopyProgress | None) -> None:
        self.total = max(total, 1)
        self._done = 0
        self._progress = progress

    def add(self, count: int) -> None:
        """Add bytes."""
        self._done = min(self._done + count, self.total)
        if self._progress:
            self._progress(self._done, self.total)

    def end(self) -> None:
        """Report all bytes as done."""
        self.add(self.total)


def refuse_unsound_database(name: str, database: Path) -> None:
    """Refuse a database with a schema that is not ours, or that fails SQLite's integrity check.

    The schema comes first: a trigger, a view or an index of somebody else may run when it is used.
    """
    try:
        if foreign := foreign_objects_in(name, database):
            raise BadBackup(f"{name} holds what this program never makes: {', '.join(foreign)}")
        with closing(sqlite3.connect(database)) as found:
            found.execute("PRAGMA trusted_schema = OFF")
            (answer,) = found.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise BadBackup(f"{name}: {error}") from None
    if answer != "ok":
        raise BadBackup(f"{name}: {' '.join(answer.split())}")


def manifest_entry(name: str, copy: Path) -> Copy:
    """Entry of the manifest for a copy."""
    with closing(sqlite3.connect(copy)) as found:
        found.execute("PRAGMA trusted_schema = OFF")
        (version,) = found.execute("PRAGMA user_version").fetchone()
        there = {table for (table,) in found.execute("SELECT name FROM sqlite_schema")}
        counts = {
            table: found.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - a literal
            for table in COUNTED[name]
            if table in there
        }
    return Copy(copy.stat().st_size, hash_of(copy), version, counts)


def hash_of(file: Path) -> str:
    """SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def pack_archive(
    packed: Path, manifest: msgspec.Struct, copies: Mapping[str, Path], steps: ByteProgress
) -> None:
    """Write copies of databases into one zip file, after the manifest that describes them."""
    with os.fdopen(os.open(packed, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE), "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            body = msgspec.json.format(msgspec.json.encode(manifest, order="sorted"))
            archive.writestr(zipfile.ZipInfo(MANIFEST), body)
            for name, copy in copies.items():
                with copy.open("rb") as source, archive.open(name, "w", force_zip64=True) as into:
                    for chunk in _chunks(source):
                        into.write(chunk)
                        steps.add(len(chunk))
        file.flush()
        os.fsync(file.fileno())


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def unpack_backup(
    source: Path, folder: Path, progress: CopyProgress | None
) -> tuple[Manifest, ByteProgress]:
    """Unpack the copies of a backup into a folder, and check each against the manifest.

    :raises BadBackup: it is not a complete backup of this program
    :raises NewerData: a later release made it
    """
    try:
        with zipfile.ZipFile(source) as archive:
            with archive.open(MANIFEST) as file:
                manifest = _parse_manifest(source, file.read(LARGEST_MANIFEST))
            if manifest.format not in _FORMATS or {*manifest.files, PERSONS, KEYS} != set(COUNTED):
                raise BadBackup(f"format {manifest.format}")
            stated = sum(copy.bytes for copy in manifest.files.values())
            if stated > shutil.disk_usage(folder).free:
                raise BadBackup(f"{stated} bytes do not fit on the disk")
            steps = ByteProgress(2 * stated, progress)
            for name, copy in manifest.files.items():
                _unpack_database(archive, name, copy, folder / name, steps)
            if manifest.files[LOG].version >= MOVED:
                house = house_id_of_file_or_empty(folder / PERSONS) or "being moved"
                raise BadBackup(f"it was made of a place where the house was {house}; go on there")
    except DAMAGED as error:
        raise BadBackup(f"{source}: {error}") from None
    return manifest, steps


def _parse_manifest(source: Path, body: bytes) -> Manifest:
    """Manifest of a backup, decoded from its bytes; refused if a later release made it."""
    made = msgspec.json.decode(body, type=_MadeBy)
    if made.format > FORMAT:
        raise NewerData(source.name, made.release)
    manifest = msgspec.json.decode(body, type=Manifest)
    if LOG in manifest.files and manifest.files[LOG].version % MOVED > release_as_number(RELEASE):
        raise NewerData(source.name, manifest.release)
    return manifest


def _unpack_database(
    archive: zipfile.ZipFile, name: str, copy: Copy, goal: Path, steps: ByteProgress
) -> None:
    """Unpack one database of a backup, and check it against the manifest."""
    unpack_file(archive, name, copy, goal, steps)
    refuse_unsound_database(name, goal)
    if manifest_entry(name, goal) != copy:
        raise BadBackup(f"{name} does not hold what the manifest says")


class PackedFile(Protocol):
    """What a manifest says of a file: its bytes, and their SHA-256."""

    @property
    def bytes(self) -> int:
        """Number of bytes of the file."""
        ...

    @property
    def sha256(self) -> str:
        """SHA-256 of the file."""
        ...


def unpack_file(
    archive: zipfile.ZipFile, name: str, stated: PackedFile, goal: Path, steps: ByteProgress
) -> None:
    """Unpack one file of an archive, and check its size and its hash.

    :raises BadBackup: it is another one
    """
    digest, count = hashlib.sha256(), 0
    with (
        archive.open(name) as packed,
        os.fdopen(os.open(goal, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file,
    ):
        for chunk in _chunks(packed):
            count += len(chunk)
            if count > stated.bytes:
                break
            digest.update(chunk)
            file.write(chunk)
            steps.add(len(chunk))
        file.flush()
        os.fsync(file.fileno())
    if count != stated.bytes or digest.hexdigest() != stated.sha256:
        raise BadBackup(f"{name} is not what was packed")
