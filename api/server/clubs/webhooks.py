"""The sender of webhooks of an installation, and the outboxes of clubs with something to send."""

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
from api.server.clubs.usage import lock_club_shared
from api.server.webhooks import LOCK, LOOKED_EVERY_S, open_webhook_outbox, start_webhook_sender
from api.webhooks.sender import Sender
from projections.runner.runner import runner_lock
from referee.access.tables import ACCESS_LAYOUT
from referee.log.faults import FaultLog
from referee.log.ports import Address
from referee.log.stores import is_postgres
from referee.store.databases import open_database

IDLE_S: Final = 60.0
"""Time after which the outbox of a club is closed of which nothing was heard."""
LOOKED_AT_ONCE: Final = 40
"""Clubs of which nothing was heard that are looked at in a turn, after a start: each takes 1 ms."""
ASKED_AGAIN_S: Final = 30.0
"""Time after which a club in a database is asked again whether it has a webhook."""
_ANY: Final = "SELECT 1 FROM webhook LIMIT 1"
_Stamp: TypeAlias = tuple[int, ...]

_log = logging.getLogger(__name__)


def start_clubs_webhook_thread(made: Flask, folder: ClubsFolder) -> threading.Event:
    """Start a thread that sends the webhooks of all clubs; the returned event ends it."""
    return start_webhook_sender(
        made, lambda sender, stop: send_webhooks_of_clubs(folder, sender, stop)
    )


def send_webhooks_of_clubs(folder: ClubsFolder, sender: Sender, stop: threading.Event) -> None:
    """Send the webhooks of all clubs until ``stop`` is set; one process does this."""
    with runner_lock(folder.path / LOCK, stop) as is_leading:
        if not is_leading:
            return
        with (
            closing(Ear(folder.path, "webhooks")) as ear,
            closing(ClubOutboxes(folder, sender)) as outboxes,
        ):
            while not stop.is_set():
                outboxes.send_due_webhooks(ear.hear_club_names(LOOKED_EVERY_S))


class _OpenOutbox:
    """An open outbox of a club. ``until``: when it is closed unless the club is written to."""

    def __init__(self, folder: ClubsFolder, name: str) -> None:
        with ExitStack() as closing_later:
            closing_later.enter_context(lock_club_shared(folder.data_folder(name)))
            self.outbox = open_webhook_outbox(folder.files(name), closing_later)
            self.close = closing_later.pop_all().close
        self.until = 0.0


class ClubOutboxes:
    """Open outboxes of clubs that have something to send. For one thread."""

    def __init__(self, folder: ClubsFolder, sender: Sender, idle_s: float = IDLE_S) -> None:
        self._folder, self._sender, self._idle_s = folder, sender, idle_s
        self._open: dict[str, _OpenOutbox] = {}
        self._looked: dict[str, tuple[_Stamp, bool]] = {}
        self._unseen = iter(folder.names())
        self._faults = FaultLog(_log)

    def send_due_webhooks(self, heard: Iterable[str]) -> None:
        """Begin to send what is due: of clubs heard of, open outboxes and some not yet seen.

        After a start every club is looked at once, some in each turn: something may wait there.
        """
        now = time.monotonic()
        for name in chain(heard, islice(self._unseen, LOOKED_AT_ONCE)):
            self._open_or_extend(name, now)
        for name, one in list(self._open.items()):
            is_over = one.until < now and not self._sender.is_sending_for_house(name)
            if (
                is_over
                or not self._folder.may_enter(name)
                or not self._try_to_send_webhooks(name, one)
            ):
                self._close_outbox(name)

    def close(self) -> None:
        """Close all outboxes."""
        for name in list(self._open):
            self._close_outbox(name)

    def _open_or_extend(self, name: str, now: float) -> None:
        try:
            is_new = name not in self._open and self._folder.may_enter(name)
            if is_new and self._has_webhook(name):
                self._open[name] = _OpenOutbox(self._folder, name)
            if name in self._open:
                self._open[name].until = now + self._idle_s
        except Exception as error:  # noqa: BLE001 - of this club alone; it is tried again once heard
            self._faults.note(f"{name}: no webhook is sent", error)

    def _try_to_send_webhooks(self, name: str, one: _OpenOutbox) -> bool:
        """Send the webhooks of a club; False if its outbox failed."""
        try:
            if self._sender.begin_due_deliveries(name, one.outbox):
                self._open[name] = self._open.pop(name)  # the others are first in the next turn
            if one.outbox.may_have_messages_left():
                one.until = max(one.until, time.monotonic() + self._idle_s)
        except Exception as error:  # noqa: BLE001 - as above
            self._faults.note(f"{name}: no webhook is sent", error)
            return False
        return True

    def _close_outbox(self, name: str) -> None:
        self._open.pop(name).close()

    def _has_webhook(self, name: str) -> bool:
        """Whether a club has a webhook; asked anew once its accounts were written to."""
        address = self._folder.files(name).accounts
        in_database = is_postgres(address)
        turn = int(time.monotonic() // ASKED_AGAIN_S)
        stamp = (turn,) if in_database else _stamp_of(Path(address))
        known, answer = self._looked.get(name, ((), False))
        if stamp != known:
            answer = (
                _has_webhook_in_database(address)
                if in_database
                else _has_webhook_in_file(Path(address))
            )
            self._looked[name] = (stamp, answer)
        return answer


def _has_webhook_in_database(address: Address) -> bool:
    """Whether the accounts of a club in a database have a webhook."""
    with closing(open_database(address, ACCESS_LAYOUT)) as tables, tables.connection() as db:
        return db.execute(_ANY).fetchone() is not None


def _stamp_of(file: Path) -> _Stamp:
    return tuple(_write_times(Path(f"{file}{end}") for end in ("", "-wal")))


def _write_times(files: Iterable[Path]) -> Iterator[int]:
    for one in files:
        with suppress(OSError):
            yield one.stat().st_mtime_ns


def _has_webhook_in_file(file: Path) -> bool:
    """Whether the accounts of a club have a webhook; not if they are of an earlier release."""
    with suppress(sqlite3.Error):
        uri = f"{file.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=1)) as db:
            return db.execute(_ANY).fetchone() is not None
    return False
