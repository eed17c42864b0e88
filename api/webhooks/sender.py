"""The sender: messages of one house or of many, until each receiver has them.

One thread looks at the houses; each webhook that has something has a thread while it is sent, so a
slow receiver delays nobody else. Messages of one webhook are sent in their order, and the next one
only when the one before has arrived.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from api.webhooks.messages import WebhookMessage, signature_headers
from api.webhooks.outbox import Outbox, WebhookBatch
from api.webhooks.transport import GONE
from referee.access.webhooks import Deliveries, SentMessage
from referee.events import WebhookId
from referee.log.faults import in_one_line

Post: TypeAlias = Callable[[str, bytes, dict[str, str]], str]
"""Sends a body with headers to an address; returns the status, or a code of what prevented it."""


class OnAttempt(Protocol):
    """Called after each attempt."""

    def __call__(self, *, is_delivered: bool) -> None:
        """Whether it was delivered."""


def _ignore(*, is_delivered: bool) -> None:
    """Nothing is counted."""


MINUTE_S, HOUR_S = 60.0, 3_600.0
RETRIES_S: Final = (
    *(5.0, 30.0, 2 * MINUTE_S, 10 * MINUTE_S, 30 * MINUTE_S),
    *(HOUR_S, 2 * HOUR_S, 4 * HOUR_S, 8 * HOUR_S, 16 * HOUR_S, 24 * HOUR_S, 24 * HOUR_S),
)
"""Time after each failure until the next attempt; after the last one the webhook is stopped."""
MOST: Final = 32
"""Webhooks to which something is sent at one time."""
MOST_OF_A_HOUSE: Final = 4
"""Those of them that may be of one house."""

_log = logging.getLogger(__name__)


class Sender:
    """Sends what the outboxes of houses have. ``count``: called after each attempt."""

    def __init__(
        self, post: Post, count: OnAttempt = _ignore, clock: Callable[[], float] = time.time
    ) -> None:
        self._post, self._count, self._clock = post, count, clock
        self._turn = threading.Lock()
        self._busy: set[tuple[str, WebhookId]] = set()

    def look(self, house: str, outbox: Outbox) -> None:
        """Begin to send what a house has, as far as there is room. ``house``: its name."""
        with self._turn:
            busy = frozenset(webhook for name, webhook in self._busy if name == house)
            room = min(MOST - len(self._busy), MOST_OF_A_HOUSE - len(busy))
        if room <= 0:
            return
        for batch in outbox.due(self._clock(), busy)[:room]:
            with self._turn:
                self._busy.add((house, batch.webhook))
            work = threading.Thread(
                target=self._work, args=(house, batch, outbox.deliveries), daemon=True
            )
            work.start()

    def is_busy(self, house: str) -> bool:
        """Whether something of a house is being sent."""
        with self._turn:
            return any(name == house for name, _ in self._busy)

    def _work(self, house: str, batch: WebhookBatch, deliveries: Deliveries) -> None:
        try:
            self.send(batch, deliveries)
        except Exception as error:  # noqa: BLE001 - a store that fails now is asked again
            _log.warning("webhook %s: %s", batch.webhook, in_one_line(error))
        finally:
            with self._turn:
                self._busy.discard((house, batch.webhook))

    def send(self, batch: WebhookBatch, deliveries: Deliveries) -> None:
        """Send messages in their order, up to the first that does not arrive."""
        tries = batch.tries
        for message in batch.messages:
            answer = self._attempt(batch, message)
            is_delivered = answer.startswith("2")
            self._count(is_delivered=is_delivered)
            sent = SentMessage(
                id=message.id,
                kind=message.kind,
                position=message.done.position if message.done else 0,
                at=self._clock(),
                tries=0,
                answer=answer,
                stage="delivered" if is_delivered else "failed",
            )
            if message.done is None:
                deliveries.note_tested(batch.webhook, sent)
            elif is_delivered:
                deliveries.settle(batch.webhook, sent, message.done)
            else:
                deliveries.note_failed(batch.webhook, sent, again_after_s(tries, answer))
                return

    def _attempt(self, batch: WebhookBatch, message: WebhookMessage) -> str:
        headers = signature_headers(message, batch.secrets, int(self._clock()))
        return self._post(batch.address, message.body, headers)


def again_after_s(tries: int, answer: str) -> float | None:
    """Time until the next attempt after some failures and one more; None: there is none.

    >>> again_after_s(0, "500"), again_after_s(2, "timeout")
    (5.0, 120.0)
    >>> again_after_s(0, "410"), again_after_s(12, "500")
    (None, None)
    """
    return None if answer == GONE or tries >= len(RETRIES_S) else RETRIES_S[tries]
