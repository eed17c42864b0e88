"""Messages of webhooks.

Bodies and signatures as in the Standard Webhooks, and what the API document says of them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from projections.notifications import KINDS, Notification, NotifiedFacts
from referee.access.webhooks import PREFIX, LogPlace

BODY: Final = "NotificationBody"
"""Name of the schema of a message."""
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_FACTS: Final[Mapping[str, tuple[Mapping[str, str], str]]] = {
    "encuentro": (_TEXT, "Id of the encuentro."),
    "partida": (_NUMBER, "Number of the partida in the encuentro."),
    "winner": (_TEXT, "Side that won; empty: nobody yet."),
    "how": (_TEXT, "How the partida was decided."),
    "stage": (_TEXT, "How sure the result is; or whether the round is drawn or taken_back."),
    "line": (_NUMBER, "Line of the record in which the ruling, or its change, stands."),
    "effect": (_TEXT, "What the ruling does."),
    "tournament": (_TEXT, "Id of the tournament."),
    "round": (_NUMBER, "Number of the round."),
}


def describe_webhooks(spec: Any) -> None:
    """Add the messages of webhooks to the document of the API, by kind of notification."""
    spec.components.schema(BODY, _body_schema())
    spec.options["webhooks"] = {name: {"post": _operation(name)} for name in KINDS}


def _operation(name: str) -> dict[str, Any]:
    said = (KINDS[name].content.__doc__ or "").partition("\n")[0]
    schema = {"$ref": f"#/components/schemas/{BODY}"}
    return {
        "summary": said,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"2XX": {"description": "It has arrived, and is not sent again."}},
    }


def _body_schema() -> dict[str, Any]:
    links = {"type": "object", "additionalProperties": _TEXT}
    facts = {name: {**kind, "description": said} for name, (kind, said) in _FACTS.items()}
    said = "Addresses of the API, within the house, at which more is read."
    return {
        "type": "object",
        "required": ["type", "timestamp", "corrected", "data"],
        "properties": {
            "type": {**_TEXT, "description": "Kind of the notification."},
            "timestamp": {**_TEXT, "format": "date-time", "description": "When it happened, UTC."},
            "corrected": {
                "type": "boolean",
                "description": "Whether something that was said before is otherwise.",
            },
            "data": {
                "type": "object",
                "description": "What it is about; a key that does not apply is left out.",
                "properties": {**facts, "links": {**links, "description": said}},
            },
        },
    }


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


def message_of_notification(found: Notification, webhook: str, done: LogPlace) -> WebhookMessage:
    """The message by which one webhook is told of a notification."""
    body = {
        "type": found.kind,
        "timestamp": found.at,
        "corrected": found.is_corrected,
        "data": {**found.facts, "links": dict(_names_and_paths_of_links(found.facts))},
    }
    return WebhookMessage(
        found.id_for_subscriber(webhook), found.kind, found.at, msgspec.json.encode(body), done
    )


def message_for_test(message_id: str, at: str) -> WebhookMessage:
    """The message that an admin sends to see whether it arrives."""
    body = {"type": TEST_KIND, "timestamp": at, "corrected": False, "data": {}}
    return WebhookMessage(message_id, TEST_KIND, at, msgspec.json.encode(body))


def _names_and_paths_of_links(facts: NotifiedFacts) -> Iterator[tuple[str, str]]:
    """Name and path of each resource of the API where more about a notification is read."""
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
    """Headers of a message: its id, its time, and the signature that proves its sender.

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
