"""The outboxes of the clubs of an installation that have something to send, and their sender."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeAlias

from flask import Flask

from api.server.clubs.bell import Ear
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.usage import in_use
from api.server.webhooks.worker import LOCK, LOOKED_EVERY_S, begin_to_send, open_outbox
from api.webhooks.sender import Sender
from projections.runner.runner import runner_lock
from referee.access.tables import ACCESS_LAYOUT
from referee.log.faults import FaultLog
from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.store.opening import open_database

IDLE_S: Final = 60.0
"""Time after which the outbox of a club is closed of which nothing was heard."""
LOOKED_AT_ONCE: Final = 40
"""Clubs of which nothing was heard that are looked at in a turn, after a start: each takes 1 ms."""
ASKED_AGAIN_S: Final = 30.0
"""Time after which a club in a database is asked again whether it has a webhook."""
_ANY: Final = "SELECT 1 FROM webhook LIMIT 1"
_Stamp: TypeAlias = tuple[int, ...]

_log = logging.getLogger(__name__)


def watch_webhooks_of_clubs(made: Flask, folder: ClubsFolder) -> threading.Event:
    """Send what the clubs of an application have, in a thread; the event ends it."""
    return begin_to_send(made, lambda sender, stop: send_of_clubs(folder, sender, stop))


def send_of_clubs(folder: ClubsFolder, sender: Sender, stop: threading.Event) -> None:
    """Send what the clubs have, each when somebody wrote to it, while no other process does."""
    with runner_lock(folder.path / LOCK, stop) as is_leading:
        if not is_leading:
            return
        with (
            closing(Ear(folder.path, "webhooks")) as ear,
            closing(ClubOutboxes(folder, sender)) as outboxes,
        ):
            while not stop.is_set():
                outboxes.look(ear.hear(LOOKED_EVERY_S))


class _OpenOutbox:
    """An outbox that is open. ``until``: it is closed then, unless something is heard of it."""

    def __init__(self, folder: ClubsFolder, name: str) -> None:
        with ExitStack() as closing_later:
            closing_later.enter_context(in_use(folder.data(name)))
            self.outbox = open_outbox(folder.files(name), closing_later)
            self.close = closing_later.pop_all().close
        self.until = 0.0


class ClubOutboxes:
    """Outboxes of clubs, for one thread: open while there is something to send."""

    def __init__(self, folder: ClubsFolder, sender: Sender, idle_s: float = IDLE_S) -> None:
        self._folder, self._sender, self._idle_s = folder, sender, idle_s
        self._open: dict[str, _OpenOutbox] = {}
        self._looked: dict[str, tuple[_Stamp, bool]] = {}
        self._unseen = iter(folder.names())
        self._faults = FaultLog(_log)

    def look(self, heard: Iterable[str]) -> None:
        """Look at clubs that were written to, or may have been, and at those with more to send.

        After a start every club is looked at once, some in each turn: something may wait there.
        """
        now = time.monotonic()
        for name in chain(heard, islice(self._unseen, LOOKED_AT_ONCE)):
            self._have(name, now)
        for name, one in list(self._open.items()):
            is_over = one.until < now and not self._sender.is_busy(name)
            if is_over or not self._folder.may_enter(name) or not self._send(name, one):
                self._end(name)

    def close(self) -> None:
        """Close them all."""
        for name in list(self._open):
            self._end(name)

    def _have(self, name: str, now: float) -> None:
        try:
            is_new = name not in self._open and self._folder.may_enter(name)
            if is_new and self._has_webhook(name):
                self._open[name] = _OpenOutbox(self._folder, name)
            if name in self._open:
                self._open[name].until = now + self._idle_s
        except Exception as error:  # noqa: BLE001 - of this club alone; it is tried again once heard
            self._faults.note(f"{name}: no webhook is sent", error)

    def _send(self, name: str, one: _OpenOutbox) -> bool:
        """Send what a club has; whether that could be found out."""
        try:
            if self._sender.look(name, one.outbox):
                self._open[name] = self._open.pop(name)  # the others are first in the next turn
            if one.outbox.is_behind():
                one.until = max(one.until, time.monotonic() + self._idle_s)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note(f"{name}: no webhook is sent", error)
            return False
        return True

    def _end(self, name: str) -> None:
        self._open.pop(name).close()

    def _has_webhook(self, name: str) -> bool:
        """Whether a club has a webhook; asked anew once its accounts were written to."""
        address = self._folder.files(name).keys
        in_database = is_postgres(address)
        turn = int(time.monotonic() // ASKED_AGAIN_S)
        stamp = (turn,) if in_database else _stamp_of(Path(address))
        known, answer = self._looked.get(name, ((), False))
        if stamp != known:
            answer = _has_row_there(address) if in_database else _has_row(Path(address))
            self._looked[name] = (stamp, answer)
        return answer


def _has_row_there(address: Address) -> bool:
    """Whether the accounts of a club in a database have a webhook."""
    with closing(open_database(address, ACCESS_LAYOUT)) as tables, tables.connection() as db:
        return db.execute(_ANY).fetchone() is not None


def _stamp_of(file: Path) -> _Stamp:
    return tuple(_times(Path(f"{file}{end}") for end in ("", "-wal")))


def _times(files: Iterable[Path]) -> Iterator[int]:
    for one in files:
        with suppress(OSError):
            yield one.stat().st_mtime_ns


def _has_row(file: Path) -> bool:
    """Whether the accounts of a club have a webhook; not if they are of an earlier release."""
    with suppress(sqlite3.Error):
        uri = f"{file.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=1)) as db:
            return db.execute(_ANY).fetchone() is not None
    return False
