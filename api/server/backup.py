"""Backups: log, names and accounts in one file, made while the service runs; and their restore.

The file is a zip with a manifest and a snapshot of each database: the log first, so that the others
have every name, text and account that it refers to. The views are left out, since they are rebuilt.
The owner's token and the master key are left out too, so a backup does not reveal names.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from api.server.backup_file import (
    FORMAT,
    PRIVATE,
    BadBackup,
    ByteProgress,
    CopyProgress,
    Manifest,
    manifest_entry,
    pack_archive,
    refuse_unsound_database,
    unpack_backup,
)
from api.server.clubs.usage import StillInUse, lock_club
from api.server.house import damage_of_names
from api.server.own_schema import KEYS, LOG, PERSONS
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import Runner, runner_lock
from projections.runner.views import Views
from referee.access.tables import ACCESS_LAYOUT
from referee.audit.publication import Published
from referee.log.ports import Address, InUse
from referee.log.sqlite.schema import set_aside
from referee.log.stores import (
    copy_log_to_file,
    count_log_rows,
    is_postgres,
    is_there,
    replace_log_by_file,
)
from referee.people.tables import NAMES_LAYOUT
from referee.release import RELEASE
from referee.store.databases import copy_tables, house_id_of_file_or_empty, open_database
from referee.store.ports import Layout
from referee.system import ports

__all__ = [
    "BadBackup",
    "CopyProgress",
    "DataFiles",
    "InService",
    "Manifest",
    "NotEmpty",
    "copy_database",
    "database_size",
    "hold_views_lock",
    "put_database",
    "rebuild_views",
    "remove_database",
    "republish_checkpoint",
    "restore_backup",
    "restore_names",
    "write_backup",
]

_PAGES: Final = 256
_ROW: Final = 400
"""Approximate bytes of a row of the log."""
_LAYOUTS: Final = {PERSONS: NAMES_LAYOUT, KEYS: ACCESS_LAYOUT}
"""Stores that are in PostgreSQL where the log is."""
_LEFTOVERS: Final = ("-wal", "-shm", "-journal")


class NotEmpty(Exception):  # noqa: N818 - the name states the condition
    """The data folder already has a log or names."""


class InService(Exception):  # noqa: N818 - the name states the condition
    """A running service uses the folder."""


class DataFiles(Protocol):
    """Addresses of the databases of a data folder."""

    @property
    def log(self) -> Address:
        """The log: a file, or the address of a database."""
        ...

    @property
    def views(self) -> Path:
        """The views."""
        ...

    @property
    def persons(self) -> Address:
        """Names and texts: a file, or the address of a database."""
        ...

    @property
    def accounts(self) -> Address:
        """Accounts, and hashes of tokens and codes: a file, or the address of a database."""
        ...


# --- backup ----------------------------------------------------------------------------------


def write_backup(
    where: DataFiles,
    target: Path,
    progress: CopyProgress | None = None,
    *,
    without_names: bool = False,
) -> Manifest:
    """Copy the databases of a data folder into one file, also while a service runs.

    The file is replaced atomically. ``without_names``: names that are not there are not missed.

    :raises BadBackup: the log or the names are missing or damaged, or hold what is not ours
    """
    sources = _databases_to_copy(where, without_names=without_names)
    steps = ByteProgress(2 * sum(database_size(*source) for source in sources.items()), progress)
    published = _public_key_and_checkpoint(
        where
    )  # before the log, which then has all that was signed
    with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".backup-") as folder:
        copies = {name: Path(folder) / name for name in sources}
        for name, copy in copies.items():  # the order matters: see above
            copy_database(name, sources[name], copy, steps)
            refuse_unsound_database(name, copy)
        with closing(sqlite3.connect(copies[LOG])) as log:
            (position,) = log.execute("SELECT MAX(position) FROM stored_events").fetchone()
        files = {name: manifest_entry(name, copy) for name, copy in copies.items()}
        manifest = Manifest(
            FORMAT, sqlite3.sqlite_version, position or 0, files, RELEASE, *published
        )
        packed = Path(folder) / "packed"
        pack_archive(packed, manifest, copies, steps)
        packed.replace(target)
        ports.sync_folder(target.absolute().parent)
    steps.end()
    return manifest


def _databases_to_copy(where: DataFiles, *, without_names: bool) -> dict[str, Address]:
    """Addresses of the databases that a backup copies, by name, in the order of copying."""
    if not is_there(where.log):
        raise BadBackup(f"{LOG} is not there")
    sources: dict[str, Address] = {LOG: where.log}
    damage = damage_of_names(where.persons)
    if damage and not without_names:
        raise BadBackup(f"{PERSONS}: {damage}: to do without every name say --without-names")
    if not damage:
        sources[PERSONS] = where.persons
    if is_there(where.accounts):  # missing until the first account exists
        sources[KEYS] = where.accounts
    return sources


def _public_key_and_checkpoint(where: DataFiles) -> tuple[str, str]:
    """Public key of the notary, and its latest checkpoint; empty texts if there are none."""
    with closing(Published(where.log, where.views.parent)) as published:
        key, note = published.key(), published.note()
    return key.text.strip() if key else "", note.text if key and note else ""


def republish_checkpoint(key: str, note: str, where: DataFiles) -> None:
    """Publish what the notary had published, where it has published nothing.

    What is published already may be of a later moment: then it tells that the log is an older copy.
    """
    with closing(Published(where.log, where.views.parent)) as published:
        if key and published.key() is None and published.note() is None:
            published.put(key, note or None)


def database_size(name: str, database: Address) -> int:
    """Bytes of a database: exact for a file, an estimate for a log in PostgreSQL, else 0."""
    if is_postgres(database):
        return count_log_rows(database) * _ROW if name == LOG else 0
    database = Path(database)
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True)) as source:
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        (size,) = source.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


def copy_database(name: str, database: Address, copy: Path, steps: ByteProgress) -> None:
    """Copy a snapshot of a database into a new file."""
    if name in _LAYOUTS and is_postgres(database):
        _copy_store(database, copy, _LAYOUTS[name])
        with closing(sqlite3.connect(copy)) as made:
            made.execute("PRAGMA journal_mode = DELETE")
    elif is_postgres(database):
        copy_log_to_file(database, copy, lambda rows: steps.add(rows * _ROW))
    else:
        _copy_file(Path(database), copy, steps)


def _copy_store(source: Address, target: Address, layout: Layout) -> None:
    """Copy the tables of a store between SQLite and PostgreSQL; rows of the target are replaced."""
    with (
        closing(open_database(source, layout)) as rows,
        closing(open_database(target, layout)) as store,
    ):
        copy_tables(rows, store, layout, over=True)
        store.erase_deleted_bytes()


def _copy_file(database: Path, copy: Path, steps: ByteProgress) -> None:
    """Copy a snapshot of an SQLite file; a transaction keeps out concurrent writes."""
    os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    uri = f"{database.absolute().as_uri()}?mode=rw"
    left = 0

    def report_pages(_: int, remaining: int, total: int) -> None:
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
        source.backup(target, pages=_PAGES, progress=report_pages)
        target.execute("PRAGMA journal_mode = DELETE")


# --- restore ----------------------------------------------------------------------------


NamesCheck: TypeAlias = Callable[[Path], None]
"""Called with the file of names of a backup before anything is changed; it raises what is wrong."""


def accept_any_names(file: Path) -> None:
    """Check of the file of names in a backup that accepts every file."""
    del file


def restore_names(
    source: Path,
    where: DataFiles,
    house: str,
    progress: CopyProgress | None = None,
    *,
    check: NamesCheck = accept_any_names,
) -> Manifest:
    """Put the names of a backup to their place; the log and the accounts stay as they are.

    ``house``: id of the house of the log. What is there instead of the names is set aside.

    :raises BadBackup: the file is not a complete backup, or has no names, or those of another house
    :raises InService: a service uses the folder
    """
    with _hold_restore_folder(where.views) as folder:
        manifest, steps = unpack_backup(source, folder, progress)
        copy = folder / PERSONS
        if PERSONS not in manifest.files:
            raise BadBackup(f"{source} has no names")
        if (its := house_id_of_file_or_empty(copy)) not in ("", house):
            raise BadBackup(f"{source} has names of house {its}, and the log is of house {house}")
        check(copy)
        if not is_postgres(where.persons):
            set_aside(Path(where.persons))
        put_database(PERSONS, copy, where.persons)
        ports.sync_folder(where.views.absolute().parent)
    steps.end()
    return manifest


def restore_backup(
    source: Path,
    where: DataFiles,
    progress: CopyProgress | None = None,
    *,
    force: bool = False,
    without_names: bool = False,
    check: NamesCheck = accept_any_names,
) -> Manifest:
    """Restore a backup into a data folder, and rebuild the views.

    The folder is not changed before the whole backup is checked. ``without_names``: a backup that
    was made without names is restored.

    :raises BadBackup: the file is not a complete backup, or a database holds what is not ours
    :raises NotEmpty: the folder has a log or names, and ``force`` is not set
    :raises InService: a service uses the folder
    """
    goals = {LOG: where.log, PERSONS: where.persons, KEYS: where.accounts}
    if not force and any(is_there(one) for one in goals.values()):
        raise NotEmpty(str(where.views.parent))
    with _hold_restore_folder(where.views) as folder:
        manifest, steps = unpack_backup(source, folder, progress)
        if PERSONS not in manifest.files and not without_names:
            raise BadBackup(f"{source} has no names: to do without every name say --without-names")
        if PERSONS in manifest.files:
            check(folder / PERSONS)
        for name, goal in goals.items():  # the log first: it is refused if another computer has it
            if name in manifest.files:
                put_database(name, folder / name, goal)
        republish_checkpoint(manifest.key, manifest.note, where)
        remove_database(where.views)
        ports.sync_folder(where.views.absolute().parent)
        rebuild_views(where, manifest.position, steps)
    steps.end()
    return manifest


@contextmanager
def _hold_restore_folder(views: Path) -> Iterator[Path]:
    """Yield a folder beside the views to unpack into, while no service uses them.

    :raises InService: one does
    """
    beside = views.absolute().parent
    with (
        hold_views_lock(views),
        tempfile.TemporaryDirectory(dir=beside, prefix=".restore-") as folder,
    ):
        yield Path(folder)


@contextmanager
def hold_views_lock(views: Path) -> Iterator[None]:
    """Hold the lock of the follower, so that no service can update the views from the old log.

    A club of many is had alone too: a process may still answer somebody from its files.
    """
    at_once, folder = threading.Event(), views.absolute().parent
    at_once.set()
    with ExitStack() as held:
        if not held.enter_context(runner_lock(views, at_once)):
            raise InService(str(folder))
        try:
            held.enter_context(lock_club(folder))
        except StillInUse:
            raise InService(str(folder)) from None
        yield


def remove_database(database: Path) -> None:
    """Delete a database with its journals."""
    for end in ("", *_LEFTOVERS):
        Path(f"{database}{end}").unlink(missing_ok=True)


def put_database(name: str, copy: Path, goal: Address) -> None:
    """Move a database file to its place, or copy its tables into PostgreSQL, over an older one."""
    if name in _LAYOUTS and is_postgres(goal):
        _copy_store(copy, goal, _LAYOUTS[name])
        return
    if is_postgres(goal):
        try:
            replace_log_by_file(copy, goal)
        except InUse as used:
            raise InService(str(used)) from None
        return
    goal = Path(goal)
    remove_database(goal)
    shutil.move(copy, goal)


def rebuild_views(where: DataFiles, last: int, steps: ByteProgress) -> None:
    """Compute the views of a log again from the first event to the last."""
    done = 0

    def report_events(_: int, position: int) -> None:
        nonlocal done
        share = steps.total // 2 * position // max(last, 1)
        steps.add(share - done)
        done = share

    with (
        closing(LogReader(where.log)) as log,
        closing(Views(where.views, every_projection())) as views,
    ):
        Runner(log, views).rebuild(report_events)
