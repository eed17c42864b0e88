"""The notary of an installation: one process signs the log of each club that was written to.

Each club has its own key, in ``notary/NAME`` of the folder of the installation.
``python -m api.server.clubs.notary``, with ``GUINOTE_CLUBS``; it ends with its standard input.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from api.monitoring.log_lines import set_up_logging
from api.server.clubs.bell import Ear
from api.server.clubs.folder import ClubsFolder, prepare_clubs_folder
from api.server.clubs.usage import lock_club_shared
from api.server.data_folder import Files
from api.server.side_processes import EVERY_S, AttachedProcess, is_to_start_notary
from api.server.signer import Signer, notary_of_house
from projections.process import event_of_stop_signal, wait_for_input_end_and_stop
from projections.runner.log import LogReader
from projections.runner.runner import runner_lock
from referee.audit.checkpoint import read_checkpoint
from referee.audit.notary import REREAD, NotaryRefusal
from referee.audit.publication import PUBLISHED_NOTE, Published
from referee.log.faults import error_in_one_line
from referee.log.ports import Address
from referee.system import ports

LONGEST_PAUSE_S: Final = 0.2
LOCK: Final = "notary"
"""Name of the lock of the notary that signs."""
_log = logging.getLogger(__name__)


class ClubNotary:
    """Signs the logs of clubs. ``every_s``: a log is signed at most once in so many seconds."""

    def __init__(self, folder: ClubsFolder, every_s: float = EVERY_S) -> None:
        self._folder, self._every_s = folder, every_s
        self._said: dict[str, str] = {}
        self._idle: dict[str, Published] = {}
        """Clubs whose log is not signed; the note of each that says why counts while it is open."""

    def run(self, stop: threading.Event) -> None:
        """Sign the log of each club that is written to, until ``stop`` is set.

        One process at a time.

        It stands by while another process signs.
        """
        with runner_lock(self._folder.path / LOCK, stop) as is_ours:
            if not is_ours:
                return
            waiting = set(filter(self._may_be_due, self._folder.names()))
            with closing(Ear(self._folder.path, "notary")) as ear:
                due = time.monotonic()
                while not stop.is_set():
                    waiting |= ear.hear_club_names(max(0.0, min(1.0, due - time.monotonic())))
                    if time.monotonic() >= due:
                        due = time.monotonic() + self._every_s
                        waiting = set(self.sign_and_yield_unsigned(sorted(waiting), stop))

    def sign_and_yield_unsigned(self, names: list[str], stop: threading.Event) -> Iterator[str]:
        """Sign the logs of clubs; yields the names of those that must be tried again."""
        pause_s = self._every_s / 2 / max(1, len(names))  # so that no act waits for all of them
        for name in [one for one in self._idle if not self._folder.may_enter(one)]:
            self._idle.pop(name).close()
        for name in names:
            if not stop.is_set() and self._folder.may_enter(name) and not self.try_to_sign(name):
                yield name
            stop.wait(min(pause_s, LONGEST_PAUSE_S))

    def _may_be_due(self, name: str) -> bool:
        """Whether the log of a club may have events after its checkpoint."""
        where = self._folder.files(name)
        if where.elsewhere:  # only the database knows
            return True
        written = max(
            _write_time_of_file(where.folder / f"log.sqlite{end}") for end in ("", "-wal")
        )
        return written > _write_time_of_file(where.folder / PUBLISHED_NOTE) - self._every_s

    def try_to_sign(self, name: str) -> bool:
        """Sign the log of a club if it has new events; returns whether all of it is signed.

        What prevents it is said once. No club prevents the others.
        """
        try:
            with lock_club_shared(self._folder.data_folder(name)):
                why = self._sign_if_due_or_reason(name)
        except Exception as fault:  # noqa: BLE001 - of this club alone; it is said, and tried again
            why = error_in_one_line(fault)
        if why and why != self._said.get(name):
            _log.error("%s: the notary does not sign: %s", name, why)
        self._said[name] = why
        return not why

    def _sign_if_due_or_reason(self, name: str) -> str:
        """Sign the log of a club if it has new events; returns why not, empty if it is signed."""
        where, keys = self._folder.files(name), self._folder.notary_folder(name)
        published = self._idle.pop(name, None) or Published(where.log, where.folder)
        code = ""
        try:
            if _size_of_checkpoint(published) < _event_count(where.log):
                code = _sign_or_refusal_code(where, keys, published)
            with suppress(OSError):  # a full disk: the line says it
                published.put_idle_reason(code)
        finally:
            if code:
                self._idle[name] = published
            else:
                published.close()
        return code


def _sign_or_refusal_code(where: Files, keys: Path, published: Published) -> str:
    """Sign a log once; returns the code of what prevented it, empty if it was signed."""
    try:
        with closing(notary_of_house(where, keys, None, published, is_new=False)) as found:
            Signer(found, where).sign(REREAD)
    except NotaryRefusal as refusal:
        return refusal.code
    return ""


def _event_count(log: Address) -> int:
    with closing(LogReader(log)) as reader:
        return reader.last_position()


def _size_of_checkpoint(published: Published) -> int:
    note = published.note()
    return read_checkpoint(note.text).size if note else 0


def _write_time_of_file(file: Path) -> float:
    """When a file was written last, in seconds since 1970; 0 if it is not there."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def main() -> None:
    """Sign until a signal, or until the parent process ends."""
    set_up_logging()
    stop = event_of_stop_signal()
    threading.Thread(target=wait_for_input_end_and_stop, args=(stop,), daemon=True).start()
    ClubNotary(prepare_clubs_folder()).run(stop)


if __name__ == "__main__":
    main()


LOOKED_EVERY_S: Final = 2.0
STARTS_IN_S: Final = 20.0
"""Time in which a notary that was started has its lock."""
_LOCK: Final = "notary.keeper"


def clubs_notary_process() -> AttachedProcess:
    """The notary of the installation as a child process; the environment names the folder."""
    return AttachedProcess(is_to_start_notary, "api.server.clubs.notary")


def keep_notary_alive(folder: ClubsFolder) -> None:
    """Check for ever that a notary process runs, and start one if not; one worker does this."""
    if not is_to_start_notary():
        return
    with runner_lock(folder.path / _LOCK, threading.Event()):
        missed = time.monotonic() + STARTS_IN_S  # the master has just started one
        while True:
            time.sleep(LOOKED_EVERY_S)
            if _is_locked(folder.path / f"{LOCK}.leader"):
                missed = time.monotonic() + LOOKED_EVERY_S
            elif time.monotonic() >= missed:
                notary = clubs_notary_process()  # it ends with this process, as it has its input
                notary.start(None)
                missed = time.monotonic() + STARTS_IN_S


def _is_locked(lock: Path) -> bool:
    try:
        with lock.open("a") as file:
            return ports.is_locked(file.fileno())
    except OSError:
        return False
