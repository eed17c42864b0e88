"""The notary of an installation: one process signs the log of each club that was written to.

Each club has its own key, in ``notary/NAME`` of the folder of the installation.
``python -m api.server.clubs.notary``, with ``GUINOTE_CLUBS``; it ends with its standard input.
"""

from __future__ import annotations

import logging
import signal
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from eventsourcing.persistence import PersistenceError

from api.monitoring.log_lines import set_up_logging
from api.server.clubs.bell import Ear
from api.server.clubs.folder import ClubsFolder, clubs_folder
from api.server.clubs.projector import stop_at_end_of_input
from api.server.side_processes import EVERY_S
from api.server.signer import Signer, one_notary
from referee.audit.notary import REREAD, NotaryRefusal
from referee.audit.publication import PUBLISHED_NOTE, Published
from referee.log.ports import NoTables

_FAULTS: Final = (PersistenceError, NoTables, OSError, sqlite3.Error)
_log = logging.getLogger(__name__)


class ClubNotary:
    """Signs the logs of clubs. ``every_s``: a log is signed at most once in so many seconds."""

    def __init__(self, folder: ClubsFolder, every_s: float = EVERY_S) -> None:
        self._folder, self._every_s = folder, every_s
        self._signed: dict[str, float] = {}  # when a club was signed here, since 1970
        self._said: dict[str, str] = {}

    def run(self, stop: threading.Event) -> None:
        """Sign what is written from now on, and what was written while no notary was there."""
        waiting = set(self._folder.names())
        with closing(Ear(self._folder.path, "notary")) as ear:
            due = time.monotonic()
            while not stop.is_set():
                waiting |= ear.hear(max(0.0, min(1.0, due - time.monotonic())))
                if time.monotonic() < due:
                    continue
                due = time.monotonic() + self._every_s
                for name in sorted(waiting):
                    if not stop.is_set() and self._is_due(name):
                        self.sign(name)
                waiting = set()

    def _is_due(self, name: str) -> bool:
        """Whether a club is there, and its log was written after it was signed last."""
        return self._folder.may_enter(name) and self._last_write(name) > self._last_signing(name)

    def _last_write(self, name: str) -> float:
        where = self._folder.files(name)
        return max(_time_of(where.folder / f"log.sqlite{end}") for end in ("", "-wal"))

    def _last_signing(self, name: str) -> float:
        published = _time_of(self._folder.data(name) / PUBLISHED_NOTE)
        return max(self._signed.get(name, 0.0), published)

    def sign(self, name: str) -> None:
        """Sign the log of a club; what prevents it is said once, and tried again."""
        where, keys = self._folder.files(name), self._folder.notary(name)
        began, why = time.time(), ""
        with closing(Published(where.log, where.folder)) as published:
            try:
                with closing(one_notary(where, keys, None, published, is_new=False)) as found:
                    Signer(found, where).sign(REREAD)
                self._signed[name] = began
            except NotaryRefusal as refusal:
                why = refusal.code
            except _FAULTS as fault:
                _log.warning("%s: not signed yet: %s", name, fault)
                return
            if why != self._said.get(name, ""):
                with suppress(OSError):  # a full disk: the line says it
                    published.put_idle(why)
                if why:
                    _log.error("%s: the notary does not sign: %s", name, why)
            self._said[name] = why


def _time_of(file: Path) -> float:
    """When a file was written last, in seconds since 1970; 0 if it is not there."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def main() -> None:
    """Sign until a signal, or until the process that started this one ends."""
    set_up_logging()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=stop_at_end_of_input, args=(stop,), daemon=True).start()
    ClubNotary(clubs_folder()).run(stop)


if __name__ == "__main__":
    main()
