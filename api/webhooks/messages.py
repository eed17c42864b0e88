"""Messages of webhooks: their bodies, and their signatures as in the Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from projections.notifications.kinds import NotifiedFacts
from projections.notifications.notification import Notification
from referee.access.webhooks import PREFIX, LogPlace

TEST_KIND: Final = "webhook.test"
USER_AGENT: Final = "guinote-webhooks/1"
_API: Final = "/api/v1"
"""Within the house, which its receivers know by their own address of it."""


class WebhookMessage(NamedTuple):
    """A message to one webhook, and when what it is about happened.

    ``done``: once it is delivered, all up to there is; None of a test.
    """

    id: str
    kind: str
    at: str
    body: bytes
    done: LogPlace | None = None


def message_of(found: Notification, webhook: str, done: LogPlace) -> WebhookMessage:
    """The message about a notification."""
    body = {
        "type": found.kind,
        "timestamp": found.at,
        "corrected": found.is_corrected,
        "data": {**found.facts, "links": dict(_links(found.facts))},
    }
    return WebhookMessage(
        found.id_for(webhook), found.kind, found.at, msgspec.json.encode(body), done
    )


def test_message(message_id: str, at: str) -> WebhookMessage:
    """The message that an admin sends to see whether it arrives."""
    body = {"type": TEST_KIND, "timestamp": at, "corrected": False, "data": {}}
    return WebhookMessage(message_id, TEST_KIND, at, msgspec.json.encode(body))


def _links(facts: NotifiedFacts) -> Iterator[tuple[str, str]]:
    """Addresses of the API, within the house, at which more is read."""
    if encuentro := facts.get("encuentro"):
        yield "public", f"{_API}/public/encuentros/{encuentro}"
        yield "encuentro", f"{_API}/encuentros/{encuentro}"
        if partida := facts.get("partida"):
            yield "partida", f"{_API}/encuentros/{encuentro}/partidas/{partida}"
    if tournament := facts.get("tournament"):
        yield "public", f"{_API}/public/tournaments/{tournament}"
        yield "tournament", f"{_API}/tournaments/{tournament}"


def signature_headers(
    message: WebhookMessage, secrets: Sequence[str], timestamp: int
) -> dict[str, str]:
    """Headers by which a receiver knows a message again, and who sent it.

    >>> message = WebhookMessage("msg_1", "webhook.test", "", b"{}")
    >>> signature_headers(message, ["whsec_a2V5"], 1)["webhook-signature"]
    'v1,jKGHVBDuJf5ZbCMVrrutoMHDN1OlFFCE9iogVIO9MLQ='
    """
    signed = b".".join((message.id.encode(), str(timestamp).encode(), message.body))
    return {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": message.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_signature(one, signed) for one in secrets),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
