"""Backups of the served house: made and read for the pages, and one a day in the second place."""

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
from api.backups.releases import note_opening
from api.server.backup import backup
from api.server.backup_file import BadBackup, unpack
from api.server.data_folder import Files
from api.server.house import house_facts
from api.server.own_schema import KEYS, PERSONS
from api.server.restoration.preparation import prepare_restoration
from api.uploads.pieces import UPLOADS, sweep_uploads
from projections.every import every_projection
from projections.runner.log import LogReader
from projections.runner.runner import runner_lock
from referee.events import HolderId
from referee.log.faults import in_one_line, repeat_in_thread
from referee.log.ports import NewerData
from referee.people.persons import PersonsError, refuse_shut
from referee.store.file import house_of_file

LOOKED_EVERY_S: Final = 600.0
_FAULTS: Final[tuple[tuple[type[Exception], BackupFault], ...]] = (
    (BadBackup, "damaged"),
    (NewerData, "newer"),
)
_log = logging.getLogger(__name__)


def backup_places(where: Files) -> BackupPlaces:
    """The places of the backups of a house."""
    places = BackupPlaces(where.folder, partial(_copy, where), partial(_content, where))
    if not where.elsewhere:  # a database may be served by other computers, which go on with it
        places.prepare = partial(_prepare, where)
    return places


def _prepare(where: Files, file: Path, by: HolderId) -> None:
    with _in_words():
        prepare_restoration(where, file, by)


def _copy(where: Files, target: Path) -> None:
    with _in_words():
        backup(where, target)


def _content(where: Files, file: Path) -> BackupContent:
    """What is in a backup, which is checked wholly."""
    with _in_words(), tempfile.TemporaryDirectory(dir=where.folder, prefix=".look-") as folder:
        manifest, _ = unpack(file, Path(folder), None)
        with closing(LogReader(where.log)) as log:
            acts_now = log.last()
        names, accounts = manifest.files.get(PERSONS), manifest.files.get(KEYS)
        return BackupContent(
            release=manifest.release,
            acts=manifest.position,
            acts_now=acts_now,
            names=names.counts.get("persons", 0) if names else None,
            accounts=accounts.counts.get("account", 0) if accounts else 0,
            is_ours=house_of_file(Path(folder) / PERSONS) in ("", house_facts(where).house),
            opens=names is not None and _opens(where, Path(folder) / PERSONS),
        )


def _opens(where: Files, names: Path) -> bool:
    try:
        refuse_shut(names, where.master_key, secrets.token_bytes)
    except PersonsError:
        return False
    return True


@contextmanager
def _in_words() -> Iterator[None]:
    """Have what goes wrong with a backup said in a line."""
    try:
        yield
    except (BadBackup, NewerData, PersonsError, OSError, sqlite3.Error) as error:
        of_kind = (fault for kind, fault in _FAULTS if isinstance(error, kind))
        fault: BackupFault = next(of_kind, "failed")
        raise CannotBackUp(in_one_line(error), fault) from None


def watch_backups(places: BackupPlaces) -> None:
    """Keep the backup of each day from now on, in a thread of its own."""
    with suppress(OSError):  # a page says less
        views = {one.name: one.version for one in every_projection()}
        note_opening(places.folder, views, datetime.now(UTC))
    repeat_in_thread("backup of the day", lambda: _look(places), LOOKED_EVERY_S, _log)


def _look(places: BackupPlaces) -> None:
    """Remove uploads that are old, and keep the backup of today if there is none."""
    sweep_uploads(places.brought)
    sweep_uploads(places.folder / UPLOADS)
    if places.second() is None:
        return
    at_once = threading.Event()
    at_once.set()
    try:
        with runner_lock(places.own, at_once) as is_ours:  # one of the workers does it
            if is_ours:
                places.keep_today(datetime.now(UTC))
    except (CannotBackUp, OSError) as cannot:
        _log.warning("no backup of today in %s: %s", places.second(), cannot)
