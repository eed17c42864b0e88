"""Webhooks at work: a thread of one of the server's processes sends what there is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Final, TypeAlias

from flask import Flask

from api.monitoring.measures import Measures
from api.outgoing.transport import post_for_status_or_fault
from api.server import wiring
from api.server.data_folder import Files
from api.webhooks.outbox import Outbox
from api.webhooks.sender import Sender
from api.webhooks.setting import WebhookSetting
from projections.runner.log import LogReader
from projections.runner.runner import RETRY_S, runner_lock
from referee.log.faults import FaultLog
from referee.log.stores import is_postgres

LOOKED_EVERY_S: Final = 0.5
LOCK: Final = "webhooks"
"""Name of the lock of the process that sends."""

SendUntil: TypeAlias = Callable[[Sender, threading.Event], None]
"""Sends with a sender, until an event is set."""
Leading: TypeAlias = Callable[[], bool]
"""Whether this process is still the one that sends."""

_log = logging.getLogger(__name__)


def start_webhook_thread(made: Flask) -> threading.Event:
    """Start a thread that sends the webhooks of the house; the returned event ends it."""
    where: Files = made.extensions["guinote"].files
    return start_webhook_sender(
        made, lambda sender, stop: send_webhooks_of_house(where, sender, stop)
    )


def start_webhook_sender(made: Flask, send: SendUntil) -> threading.Event:
    """Start a thread that sends webhooks, unless the settings forbid it.

    The returned event ends it.
    """
    stop = threading.Event()
    setting: WebhookSetting = made.extensions["webhook_setting"]
    if setting != "off":
        measures: Measures = made.extensions["measures"]
        posting = partial(post_for_status_or_fault, is_inside_allowed=setting == "local")
        sender = Sender(posting, measures.count_delivery_attempt)
        work = threading.Thread(target=_send_until_stop, args=(send, sender, stop), name="webhooks")
        work.daemon = True
        work.start()
    return stop


def _send_until_stop(send: SendUntil, sender: Sender, stop: threading.Event) -> None:
    """Send until ``stop`` is set, despite errors."""
    faults = FaultLog(_log)
    while not stop.is_set():
        try:
            send(sender, stop)
        except Exception as error:  # noqa: BLE001 - it is logged, and sending must go on
            faults.note("no webhook is sent; it is tried again", error)
            stop.wait(RETRY_S)


def open_webhook_outbox(where: Files, closing_later: ExitStack) -> Outbox:
    """The outbox of a house's webhooks, whose stores exist; the stack closes it later."""
    keys = closing_later.enter_context(closing(wiring.open_accounts(where)))
    log = closing_later.enter_context(closing(LogReader(where.log)))
    return Outbox(log, wiring.open_deliveries(where, keys))


def send_webhooks_of_house(where: Files, sender: Sender, stop: threading.Event) -> None:
    """Send the webhooks of a house until ``stop`` is set; one process does this."""
    with _lock_webhook_sending(where, stop) as is_leading, ExitStack() as closing_later:
        if not is_leading():
            return
        outbox = open_webhook_outbox(where, closing_later)
        while not stop.is_set() and is_leading():
            sender.begin_due_deliveries("", outbox)
            stop.wait(LOOKED_EVERY_S)


@contextmanager
def _lock_webhook_sending(where: Files, stop: threading.Event) -> Iterator[Leading]:
    """Context that yields a function: whether this process alone sends the house's webhooks."""
    with runner_lock(where.folder / LOCK, stop) as is_leading:
        if not (is_leading and is_postgres(where.log)):
            yield lambda: is_leading
            return
        from referee.log.postgres.notary_lock import ServerLock  # noqa: PLC0415 - only PostgreSQL needs it

        with closing(ServerLock(str(where.log), "webhooks")) as lock:
            while not (lock.try_acquire() or stop.wait(RETRY_S)):
                pass
            yield lock.try_acquire
