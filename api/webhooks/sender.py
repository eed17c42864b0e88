"""The sender: delivers messages of one club or of many, until each receiver has them.

One thread looks at the houses; each webhook that has something has a thread while it is sent, so a
slow receiver delays nobody else. Messages of one webhook are sent in their order, and the next one
only when the one before has arrived.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from api.outgoing.transport import GONE
from api.webhooks.messages import WebhookMessage, signature_headers
from api.webhooks.outbox import Outbox, WebhookBatch
from referee.access.webhooks import SentMessage
from referee.events import WebhookId
from referee.log.faults import error_in_one_line

Post: TypeAlias = Callable[[str, bytes, dict[str, str]], str]
"""Sends a body with headers to an address; returns the status, or a code of what prevented it."""


class OnAttempt(Protocol):
    """A function that is called after each attempt to deliver a message."""

    def __call__(self, *, is_delivered: bool) -> None:
        """Note an attempt. ``is_delivered``: whether it succeeded."""


def _count_nothing(*, is_delivered: bool) -> None:
    """Count nothing after an attempt to deliver."""


MOST: Final = 32
"""Webhooks to which something is sent at one time."""
MOST_OF_A_HOUSE: Final = 4
"""Those of them that may be of one house."""

_log = logging.getLogger(__name__)


class Sender:
    """Sends the messages in the outboxes of clubs. ``count``: called after each attempt."""

    def __init__(
        self, post: Post, count: OnAttempt = _count_nothing, clock: Callable[[], float] = time.time
    ) -> None:
        self._post, self._count, self._clock = post, count, clock
        self._turn = threading.Lock()
        self._busy: set[tuple[str, WebhookId]] = set()
        self._served_at: dict[tuple[str, WebhookId], int] = {}
        self._numbers = itertools.count(1)

    def begin_due_deliveries(self, house: str, outbox: Outbox) -> bool:
        """Begin to send what a house has, as far as there is room; whether something was begun.

        ``house``: its name. The webhook whose turn is longest ago is first.
        """
        with self._turn:
            busy = frozenset(webhook for name, webhook in self._busy if name == house)
            room = min(MOST - len(self._busy), MOST_OF_A_HOUSE - len(busy))
        if room <= 0:
            return False
        due = outbox.due_batches(self._clock(), busy)
        due.sort(key=lambda one: self._served_at.get((house, one.webhook.webhook), 0))
        for batch in due[:room]:
            key = (house, batch.webhook.webhook)
            self._served_at[key] = next(self._numbers)
            with self._turn:
                self._busy.add(key)
            threading.Thread(
                target=self._send_and_release, args=(key, batch, outbox), daemon=True
            ).start()
        return bool(due)

    def is_sending_for_house(self, house: str) -> bool:
        """Whether messages of a club are being sent now."""
        with self._turn:
            return any(name == house for name, _ in self._busy)

    def _send_and_release(
        self, key: tuple[str, WebhookId], batch: WebhookBatch, outbox: Outbox
    ) -> None:
        try:
            self.send_batch(batch, outbox)
        except Exception as error:  # noqa: BLE001 - a store that fails now is asked again
            _log.warning("webhook %s: %s", key[1], error_in_one_line(error))
        finally:
            with self._turn:
                self._busy.discard(key)

    def send_batch(self, batch: WebhookBatch, outbox: Outbox) -> None:
        """Send messages in their order, up to the first that does not arrive.

        The rest is left for the next look once somebody changed the webhook or what it is sent.
        """
        deliveries, place = outbox.deliveries, batch.place
        name = batch.webhook.webhook
        for message in batch.messages:
            if not outbox.is_still_due(batch.webhook, message, place):
                return
            sent = self._send_and_report(batch, message)
            if message.done is None:
                deliveries.note_tested(name, sent)
            elif sent.stage == "delivered":
                deliveries.settle(name, sent, place, message.done)
                place = message.done
            else:
                deliveries.note_failed(name, sent, place, is_final=sent.answer == GONE)
                return

    def _send_and_report(self, batch: WebhookBatch, message: WebhookMessage) -> SentMessage:
        headers = signature_headers(message, batch.secrets, int(self._clock()))
        answer = self._post(batch.webhook.address, message.body, headers)
        is_delivered = answer.startswith("2")
        self._count(is_delivered=is_delivered)
        return SentMessage(
            id=message.id,
            kind=message.kind,
            position=message.done.position if message.done else 0,
            at=self._clock(),
            tries=0,
            answer=answer,
            stage="delivered" if is_delivered else "failed",
        )
