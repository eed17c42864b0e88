"""The projector of an installation: one process updates the views of all clubs from their logs.

``python -m api.server.clubs.projector``, with ``GUINOTE_CLUBS``; it ends with its standard input.
"""

from __future__ import annotations

import logging
import threading
from contextlib import AbstractContextManager, closing
from typing import Final

from api.monitoring.log_lines import set_up_logging
from api.server.clubs.bell import Ear
from api.server.clubs.folder import ClubsFolder, prepare_clubs_folder
from projections.every import every_projection
from projections.process import event_of_stop_signal, wait_for_input_end_and_stop
from projections.runner.log import LogReader
from projections.runner.many import ManyLogs
from projections.runner.runner import RETRY_S, collect_garbage_seldom, runner_lock
from projections.runner.views import Views
from referee.log.faults import FaultLog
from referee.system import ports

MOST_FILES: Final = 8_192
_LOCK: Final = "projector"
_HEARD_EVERY_S: Final = 1.0
_log = logging.getLogger(__name__)


def log_follower_of_clubs(folder: ClubsFolder) -> ManyLogs:
    """A follower of the logs of all clubs for the projector; it follows none before it is woken."""

    def open_log(name: str) -> LogReader:
        return LogReader(folder.files(name).log)

    def open_views(name: str) -> Views:
        return Views(folder.files(name).views, every_projection())

    at_once = threading.Event()
    at_once.set()

    def lock_views(name: str) -> AbstractContextManager[bool]:
        return runner_lock(folder.files(name).views, at_once)

    return ManyLogs(open_log, open_views, folder.may_enter, lock_views)


def follow_clubs(folder: ClubsFolder, stop: threading.Event, after_s: float = 0.0) -> None:
    """Follow the logs of all clubs until ``stop`` is set; stand by while another process does.

    ``after_s``: delay before it tries to follow.
    """
    stop.wait(after_s)
    faults = FaultLog(_log)
    while not stop.is_set():
        try:
            with runner_lock(folder.path / _LOCK, stop) as is_leading:
                if is_leading:
                    _follow_logs(folder, stop)
        except Exception as error:  # noqa: BLE001 - it is logged, and following must go on
            faults.note("no club is followed; it is tried again", error)
            stop.wait(RETRY_S)


def _follow_logs(folder: ClubsFolder, stop: threading.Event) -> None:
    ear = Ear(folder.path, "projector")
    with closing(ear), closing(log_follower_of_clubs(folder)) as logs:
        while not stop.is_set():
            logs.start_or_wake(filter(folder.may_enter, ear.hear_club_names(_HEARD_EVERY_S)))


def main() -> None:
    """Update the views until a signal, or until the parent process ends."""
    set_up_logging()
    stop = event_of_stop_signal()
    threading.Thread(target=wait_for_input_end_and_stop, args=(stop,), daemon=True).start()
    collect_garbage_seldom()
    ports.raise_open_file_limit(MOST_FILES)
    follow_clubs(prepare_clubs_folder(), stop)


if __name__ == "__main__":
    main()
