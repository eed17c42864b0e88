"""The outbox of a club: the messages that it has for each webhook, read from its log.

The log is the queue, so nothing is lost by a process that dies: a message is read again from the
place up to which its receiver has all, and has the same id.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from api.webhooks.messages import WebhookMessage, message_for_test, message_of_notification
from projections.notifications import notifications_of_event
from projections.runner.log import LogReader
from referee.access.webhooks import Deliveries, LogPlace, WebhookProgress
from referee.aggregates.webhooks import INITIAL, Webhooks, evolve
from referee.events import WebhookAct, WebhookId, WebhookSet
from referee.kinds import WEBHOOKS_ID
from referee.log.mapper import LoggedEvent, timestamp_of_datetime

BATCH: Final = 500
"""Events that are read at one time for a webhook."""
MOST_AT_ONCE: Final = 20
"""Messages that are sent to a webhook before the house is looked at again."""
NOTED_EVERY: Final = 1_000
"""Events without a message after which the place is noted, so that a start reads no more."""
_MOST_BATCHES: Final = 20
_EVERY_VERSION: Final = 2**62

_log = logging.getLogger(__name__)


class WebhookBatch(NamedTuple):
    """Messages for a webhook in their order, with what they are signed with.

    ``place``: where the webhook was when they were read.
    """

    webhook: WebhookSet
    place: LogPlace
    secrets: tuple[str, ...]
    messages: tuple[WebhookMessage, ...]


class Outbox:
    """The messages that a club has to send to its webhooks.

    For one thread; ``is_still_due`` and ``deliveries`` are for any.
    """

    def __init__(self, log: LogReader, deliveries: Deliveries) -> None:
        self._log, self.deliveries = log, deliveries
        self._turn = threading.Lock()
        self._may_have_more = True
        self._ahead: dict[WebhookId, tuple[LogPlace, LogPlace]] = {}

    def webhooks_from_log(self) -> Webhooks:
        """State of all webhooks of the club, read anew from the log."""
        state = INITIAL
        for recorded in self._log.history(WEBHOOKS_ID, _EVERY_VERSION):
            assert isinstance(recorded.event, WebhookAct)
            state = evolve(state, recorded.event)
        return state

    def due_batches(self, now: float, busy: Collection[WebhookId] = ()) -> list[WebhookBatch]:
        """Messages to be sent now, by webhook.

        ``busy``: webhooks to which something is being sent.
        """
        with self._turn:
            found = list(self._due_batches(now, busy))
        self._may_have_more = bool(found or busy)
        return found

    def _due_batches(self, now: float, busy: Collection[WebhookId]) -> Iterator[WebhookBatch]:
        progress = self.deliveries.progress_by_webhook()
        every = self.webhooks_from_log().every if progress else {}
        for name, webhook in every.items():
            at = progress.get(name)
            if at is None or name in busy or not webhook.is_on or not at.is_due(now):
                continue
            messages = self._next_messages_or_restart(webhook, at, now)
            if messages and (secrets := self.deliveries.secrets(name)):
                yield WebhookBatch(webhook, at.place, secrets, tuple(messages))

    def is_still_due(self, webhook: WebhookSet, message: WebhookMessage, place: LogPlace) -> bool:
        """Whether a message is still to be sent, and its webhook unchanged.

        Its webhook may have been changed since it was read.

        ``place``: up to which all before the message is done.
        """
        name = webhook.webhook
        with self._turn:
            is_changed = self.webhooks_from_log().every.get(name) != webhook
        at = self.deliveries.progress_by_webhook().get(name)
        if is_changed or at is None:
            return False
        if message.done is None:
            return at.test == message.id
        is_next = at.place == place and at.stopped_at is None and not at.test
        return is_next and message.id not in self.deliveries.ids_of_settled(name)

    def _next_messages_or_restart(
        self, webhook: WebhookSet, at: WebhookProgress, now: float
    ) -> list[WebhookMessage]:
        """The next messages for a webhook; a test message comes before all others.

        If the log is not the one that was read, because an older copy of it was taken back, the
        webhook goes on at its end: nothing of before is sent anew.
        """
        if at.test:
            return [
                message_for_test(at.test, timestamp_of_datetime(datetime.fromtimestamp(now, UTC)))
            ]
        if not self._has_event_at(at.place):
            _log.warning("%s goes on at the end of the log, which is another one", webhook.webhook)
            self.deliveries.restart_at(webhook.webhook, LogPlace(self._log.last_position(), ""))
            return []
        found = self.messages_to_send(webhook, at)
        _, read = self._ahead[webhook.webhook]
        if read.position - at.place.position >= NOTED_EVERY:
            self.deliveries.note_nothing_to_send(webhook.webhook, at.place, read)
        return found

    def messages_to_send(
        self, webhook: WebhookSet, at: WebhookProgress, most: int = MOST_AT_ONCE
    ) -> list[WebhookMessage]:
        """What waits for a webhook, the next first, as far as it was looked for."""
        noted, ahead = self._ahead.get(webhook.webhook, (at.place, at.place))
        read = ahead if noted == at.place else at.place
        place, found = read, list[WebhookMessage]()
        for _ in range(_MOST_BATCHES):
            events = self._log.read_from(place.position + 1, BATCH)
            found += self._messages_about_events(webhook, place, events)
            if len(found) >= most or not events:
                break
            place = _place_of_event(events[-1])
            read = read if found else place
        self._ahead[webhook.webhook] = (at.place, read)
        return found[:most]

    def may_have_messages_left(self) -> bool:
        """Whether some message may still have to be sent, now or later."""
        return self._may_have_more or any(
            at.test or (at.tries and at.stopped_at is None)
            for at in self.deliveries.progress_by_webhook().values()
        )

    def _has_event_at(self, place: LogPlace) -> bool:
        """Whether the log still has, at a place, the event that was read there."""
        found = self._log.read_from(place.position, 1) if place.position else []
        if not place.mark:
            return place.position <= self._log.last_position()
        return bool(found) and _place_of_event(found[0]) == place

    def _messages_about_events(
        self, webhook: WebhookSet, place: LogPlace, events: Sequence[LoggedEvent]
    ) -> list[WebhookMessage]:
        """Messages for a webhook about some events.

        About the same event in the order of their kinds.
        """
        found: list[WebhookMessage] = []
        for logged in events:
            told = list(notifications_of_event(logged, webhook.notified, self._log.history))
            if len(told) > 1:
                had = self.deliveries.ids_of_settled(webhook.webhook)
                told = [one for one in told if one.id_for_subscriber(webhook.webhook) not in had]
            here = _place_of_event(logged)
            for number, one in enumerate(told, 1):
                done = here if number == len(told) else place
                found.append(message_of_notification(one, webhook.webhook, done))
            place = here
        return found


def _place_of_event(logged: LoggedEvent) -> LogPlace:
    return LogPlace(logged.position, logged.recorded.salt)
