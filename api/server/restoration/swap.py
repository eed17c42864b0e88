"""The swap at a start, before anything of the house is open; a kill in any step does no harm.

What was there is backed up first. If that fails, nothing is swapped and the house starts as it was.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Final

from api.backups.backup_files import name_at
from api.backups.places import BEFORE, OWN, Restored, note_restored
from api.server import wiring
from api.server.backup import backup, publish, put_database, rebuild_views, remove_database
from api.server.backup_file import BadBackup, ByteProgress
from api.server.data_folder import FILE_MODE, FOLDER_MODE, Files
from api.server.house import house_facts
from api.server.own_schema import KEYS, LOG, PERSONS
from api.server.restoration.erasures import erase_again
from api.server.restoration.preparation import (
    Restoration,
    about,
    end_waiting,
    is_waiting,
    ready_folder,
)
from projections.runner.log import LogReader
from projections.runner.runner import runner_lock
from referee.log.durable import replace_file
from referee.log.faults import in_one_line
from referee.log.streams import WriteMetadata
from referee.system import ports

_BEFORE_NOTE: Final = "before"
_MOST_BEFORE: Final = 5
_LOCK_S: Final = 30.0
"""Time in which the service of before has to end."""
_DEVICE: Final = "server"
_log = logging.getLogger(__name__)


def finish_restoration(where: Files) -> None:
    """Swap in what waits, if anything does and no service uses the house."""
    if not is_waiting(where.folder):
        return
    stop = threading.Event()
    timer = threading.Timer(_LOCK_S, stop.set)
    timer.daemon = True
    timer.start()
    with runner_lock(where.views, stop) as is_ours:
        timer.cancel()
        if is_ours and is_waiting(where.folder):
            _finish(where)


def _finish(where: Files) -> None:
    chosen, failed = about(where), ""
    try:
        before = keep_present(where)
    except (BadBackup, OSError, sqlite3.Error) as error:
        before, failed = "", in_one_line(error)
        _log.error("no backup is restored, since the present state cannot be kept: %s", failed)
    else:
        swap(where)
        _settle(where, chosen)
    note_restored(where.folder, Restored(chosen.source, before, datetime.now(UTC), failed))
    end_waiting(where)


def keep_present(where: Files) -> str:
    """Back up what is there, once; the name of the backup."""
    noted = ready_folder(where) / _BEFORE_NOTE
    if noted.exists():
        return noted.read_text("ascii")
    folder, moment = where.folder / BEFORE, datetime.now(UTC)
    folder.mkdir(FOLDER_MODE, exist_ok=True)
    while any((one / name_at(moment)).exists() for one in (folder, where.folder / OWN)):
        moment += timedelta(seconds=1)  # a name is that of one backup
    name = name_at(moment)
    backup(where, folder / name)
    for old in sorted(folder.iterdir())[:-_MOST_BEFORE]:
        old.unlink()
    replace_file(noted, name, FILE_MODE)
    return name


def swap(where: Files) -> None:
    """Move to its place what is not there yet."""
    remove_database(where.views)
    for name, goal in {LOG: where.log, PERSONS: where.persons, KEYS: where.keys}.items():
        if (copy := ready_folder(where) / name).exists():
            put_database(name, copy, goal)
            ports.sync_folder(where.folder)


def _settle(where: Files, chosen: Restoration) -> None:
    """Say on the log what it lacks on purpose, and erase again what was erased since."""
    publish(chosen.key, chosen.note, where)
    meta = WriteMetadata(chosen.by, _DEVICE, datetime.now(UTC))
    if (found := house_facts(where)).lost:
        with closing(wiring.open_referee_of_any_house(where)) as referee:
            referee.house.note_restoration(found.lost, min(found.events, found.lost - 1), meta)
    with closing(LogReader(where.log)) as log:
        last = log.last()
    rebuild_views(where, last, ByteProgress(1, None))  # nobody sees a club without its evenings
    with closing(wiring.open_security(where)) as security:
        security.note("restored", by=chosen.by, detail="backup")
    with closing(wiring.open_persons(where)) as persons:
        erase_again(where, persons)
