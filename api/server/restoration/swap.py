"""The waiting backup is put in the place of the house, at a start; a kill in any step does no harm.

What was there is backed up first. If that fails, nothing is swapped and the house starts as it was.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from api.backups.places import BEFORE, OWN, Restored, backup_name, write_last_restoration
from api.server import wiring
from api.server.backup import (
    put_database,
    rebuild_views,
    remove_database,
    republish_checkpoint,
    write_backup,
)
from api.server.backup_file import BadBackup, ByteProgress
from api.server.data_folder import FILE_MODE, FOLDER_MODE, Files
from api.server.house import house_facts
from api.server.own_schema import KEYS, LOG, PERSONS
from api.server.restoration.preparation import (
    Restoration,
    clear_restoration,
    is_restoration_pending,
    read_restoration,
    restoration_folder,
)
from projections.runner.log import LogReader
from projections.runner.runner import runner_lock
from referee.log.durable import write_file_atomically
from referee.log.faults import error_in_one_line
from referee.log.streams import WriteMetadata
from referee.people.persons import Persons
from referee.system import ports

_EVERY: Final = 2**31


def repeat_erasures(where: Files, found: Persons) -> int:
    """Erase again whom the security log says was erased and a backup brought back; their number."""
    with closing(wiring.open_security_log(where)) as security:
        about = {one.about for one in security.latest_entries(_EVERY, kind="erased")}
    with closing(wiring.open_referee_of_any_house(where)) as referee:
        club = referee.players.club()
        erased = [name for one in about for name in club.ids_to_erase(one)]
    before = found.erasures_with_soundness()
    with suppress(TimeoutError):  # a reader holds the old bytes; the next start sweeps them
        found.erase(*erased)
    return len(found.erasures_with_soundness()) - len(before)


_BEFORE_NOTE: Final = "before"
_MOST_BEFORE: Final = 5
_LOCK_S: Final = 30.0
"""Time in which the service of before has to end."""
_DEVICE: Final = "server"
_log = logging.getLogger(__name__)


def finish_restoration(where: Files) -> None:
    """Put the waiting backup in place, if one waits and no service uses the house."""
    if not is_restoration_pending(where.folder):
        return
    stop = threading.Event()
    timer = threading.Timer(_LOCK_S, stop.set)
    timer.daemon = True
    timer.start()
    with runner_lock(where.views, stop) as is_ours:
        timer.cancel()
        if is_ours and is_restoration_pending(where.folder):
            _swap_in(where)


def _swap_in(where: Files) -> None:
    chosen, failed = read_restoration(where), ""
    try:
        before = back_up_present(where)
    except (BadBackup, OSError, sqlite3.Error) as error:
        before, failed = "", error_in_one_line(error)
        _log.error("no backup is restored, since the present state cannot be kept: %s", failed)
    else:
        move_databases_into_place(where)
        _settle_restored_house(where, chosen)
    write_last_restoration(where.folder, Restored(chosen.source, before, datetime.now(UTC), failed))
    clear_restoration(where)


def back_up_present(where: Files) -> str:
    """Back up the present house before it is replaced, once; returns the name of that backup."""
    noted = restoration_folder(where) / _BEFORE_NOTE
    if noted.exists():
        return noted.read_text("ascii")
    folder, moment = where.folder / BEFORE, datetime.now(UTC)
    folder.mkdir(FOLDER_MODE, exist_ok=True)
    while any((one / backup_name(moment)).exists() for one in (folder, where.folder / OWN)):
        moment += timedelta(seconds=1)  # a name is that of one backup
    name = backup_name(moment)
    write_backup(where, folder / name)
    for old in sorted(folder.iterdir())[:-_MOST_BEFORE]:
        old.unlink()
    write_file_atomically(noted, name, FILE_MODE)
    return name


def move_databases_into_place(where: Files) -> None:
    """Move the databases of the waiting backup to their places, those that were not moved yet."""
    remove_database(where.views)
    for name, goal in {LOG: where.log, PERSONS: where.persons, KEYS: where.accounts}.items():
        if (copy := restoration_folder(where) / name).exists():
            put_database(name, copy, goal)
            ports.sync_folder(where.folder)


def _settle_restored_house(where: Files, chosen: Restoration) -> None:
    """Record what a restored house lacks, rebuild its views, and repeat the erasures since."""
    republish_checkpoint(chosen.key, chosen.note, where)
    meta = WriteMetadata(chosen.by, _DEVICE, datetime.now(UTC))
    if (found := house_facts(where)).lost_event_count:
        with closing(wiring.open_referee_of_any_house(where)) as referee:
            referee.house.note_restoration(
                found.lost_event_count, min(found.events, found.lost_event_count - 1), meta
            )
    with closing(LogReader(where.log)) as log:
        last = log.last_position()
    rebuild_views(where, last, ByteProgress(1, None))  # nobody sees a club without its evenings
    with closing(wiring.open_security_log(where)) as security:
        security.note("restored", by=chosen.by, detail="backup")
    with closing(wiring.open_persons(where)) as persons:
        repeat_erasures(where, persons)
