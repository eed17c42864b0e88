"""The webhooks of the club: addresses to which it sends what happened. No act is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

import msgspec

from referee.events import (
    WebhookAct,
    WebhookId,
    WebhookRemoved,
    WebhookSecretRenewed,
    WebhookSet,
)


class Webhooks(msgspec.Struct, frozen=True):
    """Every webhook as it was set last, the oldest first. ``version`` counts the acts."""

    every: Mapping[WebhookId, WebhookSet] = {}
    version: int = 0


INITIAL: Final = Webhooks()


def evolve(state: Webhooks, event: WebhookAct) -> Webhooks:
    """The webhooks after one event."""
    match event:
        case WebhookSet():
            every = {**state.every, event.webhook: event}
        case WebhookSecretRenewed():
            every = dict(state.every)
        case WebhookRemoved():
            every = {name: one for name, one in state.every.items() if name != event.webhook}
        case _:
            assert_never(event)
    return Webhooks(every, state.version + 1)
