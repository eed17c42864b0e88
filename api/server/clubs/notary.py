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
from api.server.clubs.folder import ClubsFolder, clubs_folder
from api.server.clubs.usage import in_use
from api.server.data_folder import Files
from api.server.side_processes import EVERY_S
from api.server.signer import Signer, one_notary
from projections.process import stop_at_end_of_input, stop_by_signal
from projections.runner.log import LogReader
from projections.runner.runner import runner_lock
from referee.audit.checkpoint import read_checkpoint
from referee.audit.notary import REREAD, NotaryRefusal
from referee.audit.publication import PUBLISHED_NOTE, Published
from referee.log.faults import in_one_line
from referee.log.ports import Address

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
        """Sign what is written from now on, and what was written while no notary was there.

        It stands by while another process signs.
        """
        with runner_lock(self._folder.path / LOCK, stop) as is_ours:
            if not is_ours:
                return
            waiting = set(filter(self._may_be_due, self._folder.names()))
            with closing(Ear(self._folder.path, "notary")) as ear:
                due = time.monotonic()
                while not stop.is_set():
                    waiting |= ear.hear(max(0.0, min(1.0, due - time.monotonic())))
                    if time.monotonic() >= due:
                        due = time.monotonic() + self._every_s
                        waiting = set(self.sign_all(sorted(waiting), stop))

    def sign_all(self, names: list[str], stop: threading.Event) -> Iterator[str]:
        """Sign the logs of clubs; those that could not be signed, to be tried again."""
        pause_s = self._every_s / 2 / max(1, len(names))  # so that no act waits for all of them
        for name in [one for one in self._idle if not self._folder.may_enter(one)]:
            self._idle.pop(name).close()
        for name in names:
            if not stop.is_set() and self._folder.may_enter(name) and not self.sign(name):
                yield name
            stop.wait(min(pause_s, LONGEST_PAUSE_S))

    def _may_be_due(self, name: str) -> bool:
        """Whether a log was written after its checkpoint, or just before."""
        where = self._folder.files(name)
        if where.elsewhere:  # only the database knows
            return True
        written = max(_time_of(where.folder / f"log.sqlite{end}") for end in ("", "-wal"))
        return written > _time_of(where.folder / PUBLISHED_NOTE) - self._every_s

    def sign(self, name: str) -> bool:
        """Sign the log of a club, if it has something to sign; whether all is signed.

        What prevents it is said once. No club prevents the others.
        """
        try:
            with in_use(self._folder.data(name)):
                why = self._sign(name)
        except Exception as fault:  # noqa: BLE001 - of this club alone; it is said, and tried again
            why = in_one_line(fault)
        if why and why != self._said.get(name):
            _log.error("%s: the notary does not sign: %s", name, why)
        self._said[name] = why
        return not why

    def _sign(self, name: str) -> str:
        """Why the log is not signed; empty if it is."""
        where, keys = self._folder.files(name), self._folder.notary(name)
        published = self._idle.pop(name, None) or Published(where.log, where.folder)
        code = ""
        try:
            if _size_of_checkpoint(published) < _events(where.log):
                code = _sign_once(where, keys, published)
            with suppress(OSError):  # a full disk: the line says it
                published.put_idle(code)
        finally:
            if code:
                self._idle[name] = published
            else:
                published.close()
        return code


def _sign_once(where: Files, keys: Path, published: Published) -> str:
    """Why a log is not signed; empty if it is now."""
    try:
        with closing(one_notary(where, keys, None, published, is_new=False)) as found:
            Signer(found, where).sign(REREAD)
    except NotaryRefusal as refusal:
        return refusal.code
    return ""


def _events(log: Address) -> int:
    with closing(LogReader(log)) as reader:
        return reader.last()


def _size_of_checkpoint(published: Published) -> int:
    note = published.note()
    return read_checkpoint(note.text).size if note else 0


def _time_of(file: Path) -> float:
    """When a file was written last, in seconds since 1970; 0 if it is not there."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def main() -> None:
    """Sign until a signal, or until the process that started this one ends."""
    set_up_logging()
    stop = stop_by_signal()
    threading.Thread(target=stop_at_end_of_input, args=(stop,), daemon=True).start()
    ClubNotary(clubs_folder()).run(stop)


if __name__ == "__main__":
    main()
