"""Backups of the house that is served: made and read for the pages, and one every day."""

from __future__ import annotations

import logging
import secrets
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from api.backups.places import BackupContent, BackupFault, BackupPlaces, CannotBackUp
from api.backups.releases import record_running_release
from api.server.backup import write_backup
from api.server.backup_file import BadBackup, unpack_backup
from api.server.data_folder import Files
from api.server.house import house_facts
from api.server.own_schema import KEYS, PERSONS
from api.server.restoration.preparation import prepare_restoration
from api.uploads.pieces import UPLOADS, sweep_uploads
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import runner_lock
from referee.events import HolderId
from referee.log.faults import error_in_one_line, repeat_in_thread
from referee.log.ports import NewerData
from referee.people.persons import PersonsError, refuse_wrong_key
from referee.store.databases import house_id_of_file_or_empty

LOOKED_EVERY_S: Final = 600.0
_FAULTS: Final[tuple[tuple[type[Exception], BackupFault], ...]] = (
    (BadBackup, "damaged"),
    (NewerData, "newer"),
)
_log = logging.getLogger(__name__)


def wire_backup_places(where: Files) -> BackupPlaces:
    """The places of the backups of a house."""
    places = BackupPlaces(
        where.folder, partial(_make_backup, where), partial(_backup_content, where)
    )
    if not where.elsewhere:  # a database may be served by other computers, which go on with it
        places.prepare = partial(_prepare_restoration, where)
    return places


def _prepare_restoration(where: Files, file: Path, by: HolderId) -> None:
    with _convert_errors():
        prepare_restoration(where, file, by)


def _make_backup(where: Files, target: Path) -> None:
    with _convert_errors():
        write_backup(where, target)


def _backup_content(where: Files, file: Path) -> BackupContent:
    """What a backup contains, after all of it was checked."""
    with (
        _convert_errors(),
        tempfile.TemporaryDirectory(dir=where.folder, prefix=".look-") as folder,
    ):
        manifest, _ = unpack_backup(file, Path(folder), None)
        with closing(LogReader(where.log)) as log:
            acts_now = log.last_position()
        names, accounts = manifest.files.get(PERSONS), manifest.files.get(KEYS)
        return BackupContent(
            release=manifest.release,
            acts=manifest.position,
            acts_now=acts_now,
            names=names.counts.get("persons", 0) if names else None,
            accounts=accounts.counts.get("account", 0) if accounts else 0,
            is_ours=house_id_of_file_or_empty(Path(folder) / PERSONS)
            in ("", house_facts(where).house),
            opens=names is not None and _is_key_of_backup(where, Path(folder) / PERSONS),
        )


def _is_key_of_backup(where: Files, names: Path) -> bool:
    """Whether the master key of the house opens the names of a backup."""
    try:
        refuse_wrong_key(names, where.master_key_source, secrets.token_bytes)
    except PersonsError:
        return False
    return True


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Convert errors about a backup into ``CannotBackUp`` with one line of text."""
    try:
        yield
    except (BadBackup, NewerData, PersonsError, OSError, sqlite3.Error) as error:
        of_kind = (fault for kind, fault in _FAULTS if isinstance(error, kind))
        fault: BackupFault = next(of_kind, "failed")
        raise CannotBackUp(error_in_one_line(error), fault) from None


def start_daily_backups(places: BackupPlaces) -> None:
    """Start a thread that makes one backup a day."""
    with suppress(OSError):  # a page says less
        views = {one.name: one.version for one in every_projection()}
        record_running_release(places.folder, views, datetime.now(UTC))
    repeat_in_thread("backup of the day", lambda: _run_daily_backup(places), LOOKED_EVERY_S, _log)


def _run_daily_backup(places: BackupPlaces) -> None:
    """Delete old uploads, and make the backup of today if it is missing."""
    sweep_uploads(places.brought)
    sweep_uploads(places.folder / UPLOADS)
    if places.daily_backup_folder() is None:
        return
    at_once = threading.Event()
    at_once.set()
    try:
        with runner_lock(places.own, at_once) as is_ours:  # one of the workers does it
            if is_ours:
                places.make_daily_backup_if_due(datetime.now(UTC))
    except (CannotBackUp, OSError) as cannot:
        _log.warning("no backup of today in %s: %s", places.daily_backup_folder(), cannot)
