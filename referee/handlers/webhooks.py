"""Commands to the webhooks of the club."""

from __future__ import annotations

from referee.aggregates.webhooks import Webhooks
from referee.events import WebhookAct
from referee.handlers.handler import Handler
from referee.kinds import WEBHOOKS, WEBHOOKS_ID
from referee.log.streams import Answer, PendingWrite, WriteMetadata


class WebhookHandler(Handler):
    """Reads and records webhooks."""

    def webhooks(self) -> Webhooks:
        """The webhooks as they stand now."""
        return self._writer.stream_or_empty(WEBHOOKS, WEBHOOKS_ID).state

    def note(self, act: WebhookAct, meta: WriteMetadata, expected: int | None = None) -> Answer:
        """Record an act.

        :raises Stale: the webhooks are at another version than expected
        """
        return self._writer.write(self._plan_act, meta, act, expected)

    def _plan_act(self, act: WebhookAct, expected: int | None) -> PendingWrite:
        stream = self._writer.stream_or_empty(WEBHOOKS, WEBHOOKS_ID, expected)
        return PendingWrite(*WEBHOOKS.grow(stream, (act,)))
