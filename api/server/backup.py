"""Backups: log, names and keys in one file, taken while the service runs, and put back.

The file is a zip with a manifest and the databases, each as it was at one moment: the log first,
so that every name, text and account that it refers to is in the others. The views are not in it,
they are rebuilt; nor is the owner's token, nor the master key of the names: who finds a backup
reads none.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

from api.server.backup_file import (
    FORMAT,
    KEYS,
    LOG,
    PERSONS,
    PRIVATE,
    BadBackup,
    ByteProgress,
    Manifest,
    Progress,
    assert_sound,
    describe_copy,
    pack,
    sync,
    unpack,
)
from projections.every import every_view
from projections.follower.follower import Follower, follower_lock
from projections.follower.log import LogReader
from projections.follower.views import Views
from referee.log.ports import Address, InUse
from referee.log.stores import copy_in, copy_out, count_rows, is_postgres, is_there

__all__ = [
    "BadBackup",
    "DataFiles",
    "InService",
    "Manifest",
    "NotEmpty",
    "Progress",
    "backup",
    "restore",
]

_PAGES: Final = 256
_ROW: Final = 400
"""Bytes of a row of the log, about."""
_LEFTOVERS: Final = ("-wal", "-shm", "-journal")


class NotEmpty(Exception):  # noqa: N818 - as above
    """A folder that holds a log or names already."""


class InService(Exception):  # noqa: N818 - as above
    """A folder that a running service uses."""


class DataFiles(Protocol):
    """Where everything is kept."""

    @property
    def log(self) -> Address:
        """The log: a file, or the address of a database."""
        ...

    @property
    def views(self) -> Path:
        """The views."""
        ...

    @property
    def persons(self) -> Path:
        """Names and texts."""
        ...

    @property
    def keys(self) -> Path:
        """Accounts, and what tokens and codes are known by."""
        ...


# --- taking one ----------------------------------------------------------------------------------


def backup(where: DataFiles, target: Path, progress: Progress | None = None) -> Manifest:
    """Copy the log and the names of a data folder into one file, whether or not a service runs.

    The file appears whole under its name, or not at all; an older one stays until then.

    :raises BadBackup: there is no sound log and names to copy
    """
    sources: dict[str, Address] = {LOG: where.log, PERSONS: where.persons}
    for name, source in sources.items():
        if not is_there(source):
            raise BadBackup(f"{name} is not there")
    if is_there(where.keys):  # not before somebody was let in
        sources[KEYS] = where.keys
    steps = ByteProgress(2 * sum(_size(source) for source in sources.values()), progress)
    with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".backup-") as folder:
        copies = {name: Path(folder) / name for name in sources}
        for name, copy in copies.items():  # in this order: see above
            _copy(sources[name], copy, steps)
        with closing(sqlite3.connect(copies[LOG])) as log:
            (position,) = log.execute("SELECT MAX(position) FROM stored_events").fetchone()
        files = {name: describe_copy(name, copy) for name, copy in copies.items()}
        manifest = Manifest(FORMAT, sqlite3.sqlite_version, position or 0, files)
        packed = Path(folder) / "packed"
        pack(packed, manifest, copies, steps)
        packed.replace(target)
        sync(target.absolute().parent)
    steps.end()
    return manifest


def _size(database: Address) -> int:
    """Bytes of a file; of a log elsewhere about as many."""
    if is_postgres(database):
        return count_rows(database) * _ROW
    database = Path(database)
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True)) as source:
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        (size,) = source.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


def _copy(database: Address, copy: Path, steps: ByteProgress) -> None:
    """One moment of a database."""
    if is_postgres(database):
        copy_out(database, copy, lambda rows: steps.add(rows * _ROW))
        assert_sound(copy)
    else:
        _copy_file(Path(database), copy, steps)


def _copy_file(database: Path, copy: Path, steps: ByteProgress) -> None:
    """The same of a file: the transaction keeps what others write meanwhile out."""
    os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
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
    assert_sound(copy)


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
    goals = {LOG: where.log, PERSONS: where.persons, KEYS: where.keys}
    if not force and any(is_there(one) for one in goals.values()):
        raise NotEmpty(str(where.views.parent))
    with (
        _out_of_service(where.views),
        tempfile.TemporaryDirectory(
            dir=where.views.absolute().parent, prefix=".restore-"
        ) as folder,
    ):
        manifest, steps = unpack(source, Path(folder), progress)
        for name in manifest.files:
            _put(Path(folder) / name, goals[name])
        _remove(where.views)
        sync(where.views.absolute().parent)
        _rebuilt(where, manifest.position, steps)
    steps.end()
    return manifest


@contextmanager
def _out_of_service(views: Path) -> Iterator[None]:
    """The right to follow is held, so that no service can carry the old log into the views."""
    at_once = threading.Event()
    at_once.set()
    with follower_lock(views, at_once) as is_ours:
        if not is_ours:
            raise InService(str(views.parent))
        yield


def _remove(database: Path) -> None:
    for end in ("", *_LEFTOVERS):
        Path(f"{database}{end}").unlink(missing_ok=True)


def _put(copy: Path, goal: Address) -> None:
    """The database in its place; the journal of an older one must not be read with it."""
    if is_postgres(goal):
        try:
            copy_in(copy, goal)
        except InUse as used:
            raise InService(str(used)) from None
        return
    goal = Path(goal)
    _remove(goal)
    shutil.move(copy, goal)


def _rebuilt(where: DataFiles, last: int, steps: ByteProgress) -> None:
    done = 0

    def told(_: int, position: int) -> None:
        nonlocal done
        share = steps.total // 2 * position // max(last, 1)
        steps.add(share - done)
        done = share

    with closing(LogReader(where.log)) as log, closing(Views(where.views, every_view())) as views:
        Follower(log, views).rebuild(told)
