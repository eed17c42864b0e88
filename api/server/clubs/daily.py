"""What is done for each club once a day, by one worker of the installation, one club at a time."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from api.club.phones.book import forget_ended
from api.publication.issue import refresh
from api.server.clubs.birth import sweep_unborn
from api.server.clubs.departure import delete_due
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.pool import OpenClub, OpenClubs
from api.server.data_folder import FILE_MODE
from api.uploads.pieces import UPLOADS, sweep_uploads
from projections.runner.runner import runner_lock
from referee.log.faults import in_one_line, repeat_here

DAY_S: Final = 86_400.0
LOOKED_EVERY_S: Final = 600.0
LONGEST_PAUSE_S: Final = 10.0
"""Pause after a club, shorter where all would else not be looked after in half a day."""
_LOCK, _DONE = "daily", "looked.daily"

_log = logging.getLogger(__name__)


def look_daily(folder: ClubsFolder, clubs: OpenClubs) -> None:
    """Look after the clubs for ever, unless another process does."""
    with runner_lock(folder.path / _LOCK, threading.Event()):
        repeat_here("the daily work", lambda: _look_at_all(folder, clubs), LOOKED_EVERY_S, _log)


def _look_at_all(folder: ClubsFolder, clubs: OpenClubs) -> None:
    for gone in delete_due(folder, datetime.now(UTC)):
        _log.info("%s was removed on %s, and is deleted", gone.club, gone.removed)
    sweep_unborn(folder)
    names = folder.names()
    pause_s = min(LONGEST_PAUSE_S, DAY_S / 2 / max(1, len(names)))
    for name in names:
        if folder.may_enter(name) and _is_due(folder.data(name) / _DONE):
            with clubs.use_club(name) as club:
                look_after(club)
            time.sleep(pause_s)


def _is_due(done: Path) -> bool:
    """Whether it was done a day ago, which is noted as of now; a new club is due tomorrow."""
    with suppress(OSError):  # of a disk that is full, or a club that is just gone
        is_new = not done.exists()
        is_due = not is_new and time.time() - done.stat().st_mtime >= DAY_S
        if is_new or is_due:
            done.touch(FILE_MODE)
        return is_due
    return False


def look_after(club: OpenClub) -> None:
    """Forget what is over, keep the backup of today, and read every page of the log."""
    places, check = club.parts["backups"], club.parts["log_check"]
    works = (
        lambda: forget_ended(club.services()),
        lambda: refresh(club.services()),
        lambda: sweep_uploads(places.brought),
        lambda: sweep_uploads(places.folder / UPLOADS),
        lambda: places.keep_today(datetime.now(UTC)),
        check.check,
    )
    for work in works:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - of this club alone; it is said, and tried again
            _log.warning("%s: %s", club.name, in_one_line(error))
