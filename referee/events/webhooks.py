"""Events about webhooks: addresses to which the house sends what happened."""

from __future__ import annotations

from typing import TypeAlias

from referee.events.base import Act, TextId

WebhookId: TypeAlias = str


class WebhookSet(Act, frozen=True, tag="webhook"):
    """A webhook as it is from now on: its address, and the kinds of notifications that it gets.

    The secret by which its receiver knows the house is not here.
    """

    webhook: WebhookId
    name: TextId
    address: str
    notified: tuple[str, ...]
    is_on: bool = True


class WebhookSecretRenewed(Act, frozen=True, tag="webhook_secret"):
    """A webhook has another secret; the one of before is good for a day."""

    webhook: WebhookId


class WebhookRemoved(Act, frozen=True, tag="webhook_removed"):
    """Nothing is sent to a webhook any more, and its secret is forgotten."""

    webhook: WebhookId


WebhookAct: TypeAlias = WebhookSet | WebhookSecretRenewed | WebhookRemoved
