"""Webhooks in the document of the API: what is sent, and what its receiver answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from projections.notifications.kinds import KINDS

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
    """Add what is sent to the document, by the kinds of notifications."""
    spec.components.schema(BODY, _body())
    spec.options["webhooks"] = {name: {"post": _operation(name)} for name in KINDS}


def _operation(name: str) -> dict[str, Any]:
    said = (KINDS[name].content.__doc__ or "").partition("\n")[0]
    schema = {"$ref": f"#/components/schemas/{BODY}"}
    return {
        "summary": said,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"2XX": {"description": "It has arrived, and is not sent again."}},
    }


def _body() -> dict[str, Any]:
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
