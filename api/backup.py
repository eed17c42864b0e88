"""Backups: the log and the names in one file, taken while the service runs, and put back.

The file is a zip with a manifest and the two databases, each as it was at one moment: the log
first, so that every name and text it refers to is in the other. The views are not in it, they are
rebuilt; nor is the owner's token.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Final, Protocol, TypeAlias

import msgspec

from projections.every import every_view
from projections.follow import Follower, leading
from projections.log import LogReader
from projections.views import Views

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done, and all there are to do."""

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
LOG: Final = "log.sqlite"
PERSONS: Final = "persons.sqlite"
COUNTED: Final = {LOG: ("stored_events", "receipts"), PERSONS: ("persons", "texts")}
_MODE: Final = 0o600
_CHUNK: Final = 1 << 18
_PAGES: Final = 256
_LARGEST_MANIFEST: Final = 1 << 16
_LEFTOVERS: Final = ("-wal", "-shm", "-journal")


class BadBackup(Exception):  # noqa: N818 - an answer about a file
    """A file that is no whole backup, or a database that is not sound."""


class NotEmpty(Exception):  # noqa: N818 - as above
    """A folder that holds a log or names already."""


class InService(Exception):  # noqa: N818 - as above
    """A folder that a running service uses."""


class DataFiles(Protocol):
    """Where everything is kept."""

    @property
    def log(self) -> Path:
        """The log."""
        ...

    @property
    def views(self) -> Path:
        """The views."""
        ...

    @property
    def persons(self) -> Path:
        """Names and texts."""
        ...


class Copy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A database in a backup: its bytes, their SHA-256, its version, and rows by table."""

    bytes: int
    sha256: str
    version: int
    counts: dict[str, int]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds. ``position`` is that of the latest event."""

    format: int
    sqlite: str
    position: int
    files: dict[str, Copy]


# --- taking one ----------------------------------------------------------------------------------


def backup(where: DataFiles, target: Path, progress: Progress | None = None) -> Manifest:
    """Copy the log and the names of a data folder into one file, whether or not a service runs.

    The file appears whole under its name, or not at all; an older one stays until then.

    :raises BadBackup: there is no sound log and names to copy
    """
    sources = {LOG: where.log, PERSONS: where.persons}
    for source in sources.values():
        if not source.exists():
            raise BadBackup(f"{source} is not there")
    steps = _Steps(2 * sum(_size(source) for source in sources.values()), progress)
    with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".backup-") as folder:
        copies = {name: Path(folder) / name for name in sources}
        for name, copy in copies.items():  # in this order: see above
            _copy(sources[name], copy, steps)
        with closing(sqlite3.connect(copies[LOG])) as log:
            (position,) = log.execute("SELECT MAX(position) FROM stored_events").fetchone()
        described = {name: _described(name, copy) for name, copy in copies.items()}
        manifest = Manifest(FORMAT, sqlite3.sqlite_version, position or 0, described)
        packed = Path(folder) / "packed"
        _pack(packed, manifest, copies, steps)
        packed.replace(target)
        _sync(target.absolute().parent)
    steps.end()
    return manifest


class _Steps:
    """Bytes done so far; never more than there are."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total = max(total, 1)
        self._done = 0
        self._progress = progress

    def add(self, count: int) -> None:
        self._done = min(self._done + count, self.total)
        if self._progress:
            self._progress(self._done, self.total)

    def end(self) -> None:
        self.add(self.total)


def _size(database: Path) -> int:
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True)) as source:
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        (size,) = source.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


def _copy(database: Path, copy: Path, steps: _Steps) -> None:
    """One moment of a database: the transaction keeps what others write meanwhile out."""
    os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE))
    uri = f"{database.absolute().as_uri()}?mode=rw"
    left = 0

    def told(_: int, remaining: int, total: int) -> None:
        nonlocal left
        steps.add(((left or total) - remaining) * size)
        left = remaining

    with (
        closing(sqlite3.connect(uri, uri=True, timeout=10, isolation_level=None)) as source,
        closing(sqlite3.connect(copy, isolation_level=None)) as target,
    ):
        (size,) = source.execute("PRAGMA page_size").fetchone()
        source.execute("BEGIN")
        source.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        source.backup(target, pages=_PAGES, progress=told)
        target.execute("PRAGMA journal_mode = DELETE")
    _assert_sound(copy)


def _assert_sound(database: Path) -> None:
    try:
        with closing(sqlite3.connect(database)) as found:
            (answer,) = found.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise BadBackup(f"{database.name}: {error}") from None
    if answer != "ok":
        raise BadBackup(f"{database.name}: {answer}")


def _described(name: str, copy: Path) -> Copy:
    with closing(sqlite3.connect(copy)) as found:
        (version,) = found.execute("PRAGMA user_version").fetchone()
        counts = {
            table: found.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - a literal
            for table in COUNTED[name]
        }
    with copy.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Copy(copy.stat().st_size, digest, version, counts)


def _pack(packed: Path, manifest: Manifest, copies: dict[str, Path], steps: _Steps) -> None:
    with os.fdopen(os.open(packed, os.O_RDWR | os.O_CREAT | os.O_EXCL, _MODE), "w+b") as file:
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


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


# --- putting one back ----------------------------------------------------------------------------


def restore(
    source: Path, where: DataFiles, progress: Progress | None = None, *, force: bool = False
) -> Manifest:
    """Put a backup into a data folder, and rebuild the views.

    Nothing in the folder is touched before the whole backup was found sound.

    :raises BadBackup: the file is no whole backup
    :raises NotEmpty: the folder holds a log or names, and ``force`` was not said
    :raises InService: a service uses the folder
    """
    goals = {LOG: where.log, PERSONS: where.persons}
    if not force and any(path.exists() for path in goals.values()):
        raise NotEmpty(str(where.log.parent))
    with (
        _out_of_service(where.views),
        tempfile.TemporaryDirectory(dir=where.log.absolute().parent, prefix=".restore-") as folder,
    ):
        manifest, steps = _unpacked(source, Path(folder), progress)
        for name, goal in goals.items():
            _put(Path(folder) / name, goal)
        _remove(where.views)
        _sync(where.log.absolute().parent)
        _rebuilt(where, manifest.position, steps)
    steps.end()
    return manifest


@contextmanager
def _out_of_service(views: Path) -> Iterator[None]:
    """The right to follow is held, so that no service can carry the old log into the views."""
    at_once = threading.Event()
    at_once.set()
    with leading(views, at_once) as is_ours:
        if not is_ours:
            raise InService(str(views.parent))
        yield


def _unpacked(source: Path, folder: Path, progress: Progress | None) -> tuple[Manifest, _Steps]:
    try:
        with zipfile.ZipFile(source) as archive:
            with archive.open(MANIFEST) as file:
                manifest = msgspec.json.decode(file.read(_LARGEST_MANIFEST), type=Manifest)
            if manifest.format != FORMAT or set(manifest.files) != set(COUNTED):
                raise BadBackup(f"format {manifest.format}")
            steps = _Steps(2 * sum(copy.bytes for copy in manifest.files.values()), progress)
            for name, copy in manifest.files.items():
                _unpack(archive, name, copy, folder / name, steps)
    except (zipfile.BadZipFile, KeyError, EOFError, msgspec.MsgspecError, zipfile.error) as error:
        raise BadBackup(f"{source}: {error}") from None
    return manifest, steps


def _unpack(archive: zipfile.ZipFile, name: str, copy: Copy, goal: Path, steps: _Steps) -> None:
    digest, count = hashlib.sha256(), 0
    with (
        archive.open(name) as packed,
        os.fdopen(os.open(goal, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb") as file,
    ):
        for chunk in _chunks(packed):
            count += len(chunk)
            if count > copy.bytes:
                break
            digest.update(chunk)
            file.write(chunk)
            steps.add(len(chunk))
        file.flush()
        os.fsync(file.fileno())
    if count != copy.bytes or digest.hexdigest() != copy.sha256:
        raise BadBackup(f"{name} is not what was packed")
    _assert_sound(goal)
    if _described(name, goal) != copy:
        raise BadBackup(f"{name} does not hold what the manifest says")


def _remove(database: Path) -> None:
    for end in ("", *_LEFTOVERS):
        Path(f"{database}{end}").unlink(missing_ok=True)


def _put(copy: Path, goal: Path) -> None:
    """The database in its place; the journal of an older one must not be read with it."""
    _remove(goal)
    shutil.move(copy, goal)


def _rebuilt(where: DataFiles, last: int, steps: _Steps) -> None:
    done = 0

    def told(_: int, position: int) -> None:
        nonlocal done
        share = steps.total // 2 * position // max(last, 1)
        steps.add(share - done)
        done = share

    with closing(LogReader(where.log)) as log, closing(Views(where.views, every_view())) as views:
        Follower(log, views).rebuild(told)
