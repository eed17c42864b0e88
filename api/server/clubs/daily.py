"""What is done for each club once a day, by one worker of the installation, one club at a time."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from api.backups.uploads import sweep_uploads
from api.club.phones.book import forget_ended
from api.server.clubs.departure import delete_due
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.pool import OpenClub, OpenClubs
from api.server.data_folder import FILE_MODE
from projections.runner.runner import runner_lock
from referee.log.faults import in_one_line

DAY_S: Final = 86_400.0
LOOKED_EVERY_S: Final = 600.0
PAUSE_S: Final = 0.1
"""Pause after each club, so that the work is never felt."""
_LOCK, _DONE = "daily", "looked.daily"

_log = logging.getLogger(__name__)


def look_daily(folder: ClubsFolder, clubs: OpenClubs) -> None:
    """Look after the clubs for ever, unless another process does."""
    with runner_lock(folder.path / _LOCK, threading.Event()):
        while True:
            for gone in delete_due(folder, datetime.now(UTC)):
                _log.info("%s was removed on %s, and is deleted", gone.club, gone.removed)
            for name in folder.names():
                if folder.may_enter(name) and _is_due(folder, name):
                    with clubs.entering(name) as club:
                        look_after(club)
                    with suppress(OSError):
                        (folder.data(name) / _DONE).touch(FILE_MODE)
                    time.sleep(PAUSE_S)
            time.sleep(LOOKED_EVERY_S)


def _is_due(folder: ClubsFolder, name: str) -> bool:
    try:
        return time.time() - (folder.data(name) / _DONE).stat().st_mtime >= DAY_S
    except OSError:
        return True


def look_after(club: OpenClub) -> None:
    """Forget what is over, back up where that was chosen, and read every page of the log."""
    places, check = club.parts["backups"], club.parts["log_check"]
    works = (
        lambda: forget_ended(club.services()),
        lambda: sweep_uploads(places.brought),
        lambda: places.second() is not None and places.keep_today(datetime.now(UTC)),
        check.check,
    )
    for work in works:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - of this club alone; it is said, and tried again
            _log.warning("%s: %s", club.name, in_one_line(error))
