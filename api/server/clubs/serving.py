"""Work of a gunicorn worker for an installation of many clubs, beside answering requests."""

from __future__ import annotations

import logging
import signal
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from api.club.phones.book import forget_expired_phones
from api.publication.issue import issue_changes
from api.server.clubs.birth import remove_unfinished_clubs
from api.server.clubs.composition import ClubsProcess
from api.server.clubs.departure import delete_expired_clubs
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.notary import keep_notary_alive
from api.server.clubs.pool import MOST_FILES, OpenClub, OpenClubs
from api.server.clubs.projector import follow_clubs
from api.server.clubs.turns import REFUSED_FOR_S, FairTurns, host_unless_live_stream, request_path
from api.server.clubs.webhooks import start_clubs_webhook_thread
from api.server.data_folder import FILE_MODE
from api.server.faults.answers import EarlyRefusal
from api.server.serve_settings import path_prefix
from api.server.side_processes import takeover_timeout_s
from api.uploads.pieces import UPLOADS, sweep_uploads
from projections.runner.runner import runner_lock
from referee.log.faults import error_in_one_line, repeat_forever
from referee.system import ports

DAY_S: Final = 86_400.0
LOOKED_EVERY_S: Final = 600.0
LONGEST_PAUSE_S: Final = 10.0
"""Pause after a club, shorter where all would else not be looked after in half a day."""
_LOCK, _DONE = "daily", "looked.daily"

_log = logging.getLogger(__name__)


def run_daily_tasks(folder: ClubsFolder, clubs: OpenClubs) -> None:
    """Do the daily work of all clubs for ever, unless another process does."""
    with runner_lock(folder.path / _LOCK, threading.Event()):
        repeat_forever(
            "the daily work",
            lambda: _maintain_and_delete_clubs(folder, clubs),
            LOOKED_EVERY_S,
            _log,
        )


def _maintain_and_delete_clubs(folder: ClubsFolder, clubs: OpenClubs) -> None:
    for gone in delete_expired_clubs(folder, datetime.now(UTC)):
        _log.info("%s was removed on %s, and is deleted", gone.club, gone.removed)
    remove_unfinished_clubs(folder)
    names = folder.names()
    pause_s = min(LONGEST_PAUSE_S, DAY_S / 2 / max(1, len(names)))
    for name in names:
        if folder.may_enter(name) and _note_daily_work_if_due(folder.data_folder(name) / _DONE):
            with clubs.use_club(name) as club:
                maintain_club(club)
            time.sleep(pause_s)


def _note_daily_work_if_due(done: Path) -> bool:
    """Whether a day has passed since the daily work; notes now as its time if so, or at first."""
    with suppress(OSError):  # of a disk that is full, or a club that is just gone
        is_new = not done.exists()
        is_due = not is_new and time.time() - done.stat().st_mtime >= DAY_S
        if is_new or is_due:
            done.touch(FILE_MODE)
        return is_due
    return False


def maintain_club(club: OpenClub) -> None:
    """Do the daily work of a club: forget what has expired, back up, and check the log."""
    places, check = club.parts["backups"], club.parts["log_check"]
    works = (
        lambda: forget_expired_phones(club.services()),
        lambda: issue_changes(club.services()),
        lambda: sweep_uploads(places.brought),
        lambda: sweep_uploads(places.folder / UPLOADS),
        lambda: places.make_daily_backup_if_due(datetime.now(UTC)),
        check.check,
    )
    for work in works:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - of this club alone; it is said, and tried again
            _log.warning("%s: %s", club.name, error_in_one_line(error))


def set_up_clubs_worker(worker: Any) -> None:
    """Set up a worker for many clubs after the fork, and start its threads."""
    extensions = worker.app.callable.extensions
    extensions["measures"].numbers.use_row(worker.row)
    here: ClubsProcess = extensions["installation"]
    stop: Any = signal.getsignal(signal.SIGTERM)

    def end_streams_and_stop(*which: Any) -> None:
        # In a thread of its own: the interrupted one may hold a lock.
        threading.Thread(target=here.clubs.end_streams, daemon=True).start()
        stop(*which)

    signal.signal(signal.SIGTERM, end_streams_and_stop)
    ports.raise_open_file_limit(MOST_FILES)
    worker.turns, worker.club_of_host_and_path = FairTurns(), here.folder.club_of_host_and_path
    worker.refusal_of = partial(
        _busy_answer, here.folder, EarlyRefusal(worker.app.callable, "busy", REFUSED_FOR_S)
    )
    here.clubs.start_cleanup_thread()
    start_clubs_webhook_thread(worker.app.callable, here.folder)
    ending = threading.Event()  # of the process, which ends these threads
    for work in (
        partial(follow_clubs, here.folder, ending, takeover_timeout_s()),
        partial(run_daily_tasks, here.folder, here.clubs),
        partial(keep_notary_alive, here.folder),
    ):
        threading.Thread(target=work, daemon=True).start()


def _busy_answer(folder: ClubsFolder, refusal: EarlyRefusal, request: bytes) -> bytes:
    """Answer, in the club's words, to a request refused because too many of the club wait."""
    host, path, below = host_unless_live_stream(request), request_path(request), path_prefix()
    if folder.is_host_of_club_paths(host) and (name := folder.club_of_host_and_path(host, path)):
        below, path = f"{below}/{name}", path.removeprefix(f"/{name}")
    return refusal.refusal_bytes(request, path, below)
