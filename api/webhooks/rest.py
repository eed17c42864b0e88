"""Webhooks over HTTP: added, changed, tried and removed by the admins of the club."""

from __future__ import annotations

from typing import Final

import marshmallow as ma
from flask import Response
from marshmallow import validate

from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.answers import Written, register_answer_schema
from api.http.bodies import Body
from api.http.fields import MAX_NAME, Bool, RequestSchema, Text, choice_field
from api.http.rest import (
    Noun,
    answer_header_schemas,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import metadata_of_request
from api.outgoing.transport import LONGEST_ADDRESS, OutgoingAddressField
from api.webhooks import commands
from api.webhooks import views as webhook_views
from api.webhooks.commands import AskedWebhook
from api.webhooks.views import WebhooksData, WholeWebhookData, short_view
from projections.notifications import KINDS

blp = Noun("webhooks", __name__, url_prefix="/api/v1/webhooks", description="Webhooks")
_ONE: Final = "/<string(length=17):webhook_id>"
_WRITE: Final = answer_header_schemas(tag=True, replayed=True)
ASKS: Final = {
    "test": commands.request_test_message,
    "retry": commands.try_now,
    "skip": commands.skip_next,
    "skip_all": commands.skip_all,
}


class WebhookIn(RequestSchema):
    """A webhook: what it is called, where messages go, and which kinds of them."""

    name = Text(MAX_NAME, required=True)
    address = OutgoingAddressField(required=True, validate=validate.Length(1, LONGEST_ADDRESS))
    notified = ma.fields.List(
        ma.fields.String(validate=validate.OneOf(tuple(KINDS))),
        required=True,
        validate=validate.Length(1, len(KINDS)),
    )
    is_on = Bool(load_default=True)


class WebhookAskIn(RequestSchema):
    """What to do with the messages of a webhook: ``test`` sends one, ``retry`` all that wait.

    ``skip`` gives up the next one, ``skip_all`` all that wait.
    """

    ask = choice_field(*ASKS, required=True)


class WebhookWritten(Written):
    """What a write recorded, and the secret of the webhook, which is shown only here."""

    webhook = ma.fields.String(required=True)
    secret = ma.fields.String(
        required=True, metadata={"description": "empty in the answer to a repetition"}
    )


@blp.route("")
@guard.requires("webhooks:manage")
@takes_headers_and_query()
@blp.response(200, register_answer_schema(WebhooksData))
def list_webhooks() -> Response:
    """Every webhook, and where each stands"""
    return reply(
        {
            "items": [short_view(one) for one in webhook_views.all_webhook_views()],
            "kinds": list(KINDS),
        }
    )


@blp.route("", methods=["POST"])
@guard.requires("webhooks:manage")
@takes_headers_and_query(key=True)
@blp.arguments(WebhookIn)
@blp.response(201, WebhookWritten, headers=_WRITE)
def add_webhook_from_body(body: Body) -> Response:
    """Add a webhook, which is told what happens from now on

    The answer is the only place where its secret stands; if it is lost, another one is made.
    """
    made = commands.add_webhook(AskedWebhook(**body), metadata_of_request())
    location = f"{prefix()}/api/v1/webhooks/{made.webhook}"
    return response_to_write(
        made.answer, 201, location=location, webhook=made.webhook, secret=made.secret
    )


@blp.route(_ONE)
@guard.requires("webhooks:manage")
@takes_headers_and_query()
@blp.response(200, register_answer_schema(WholeWebhookData))
def show_webhook(webhook_id: str) -> Response:
    """A webhook with what waits for it, and its last messages"""
    return reply(webhook_views.webhook_view_by_id(webhook_id))


@blp.route(_ONE, methods=["POST"])
@guard.requires("webhooks:manage")
@takes_headers_and_query(key=True)
@blp.arguments(WebhookIn)
@blp.response(200, Written, headers=_WRITE)
def change_webhook_from_body(body: Body, webhook_id: str) -> Response:
    """Another name, address or choice of kinds; on, or off: what happens meanwhile is not sent"""
    return response_to_write(
        commands.change_webhook(webhook_id, AskedWebhook(**body), metadata_of_request())
    )


@blp.route(_ONE, methods=["DELETE"])
@guard.requires("webhooks:manage")
@takes_headers_and_query(key=True)
@blp.response(204)
def delete_webhook(webhook_id: str) -> Response:
    """Remove a webhook, with its secret"""
    commands.remove_webhook(webhook_id, metadata_of_request())
    return Response(status=204)


@blp.route(f"{_ONE}/secret", methods=["POST"])
@guard.requires("webhooks:manage")
@takes_headers_and_query(key=True)
@blp.response(200, WebhookWritten, headers=_WRITE)
def post_secret_renewal(webhook_id: str) -> Response:
    """Make another secret; for a day messages are signed with the one of before as well"""
    made = commands.renew_webhook_secret(webhook_id, metadata_of_request())
    return response_to_write(made.answer, webhook=made.webhook, secret=made.secret)


@blp.route(f"{_ONE}/messages", methods=["POST"])
@guard.requires("webhooks:manage")
@takes_headers_and_query()
@blp.arguments(WebhookAskIn)
@blp.response(200, register_answer_schema(WholeWebhookData))
def post_delivery_action(body: Body, webhook_id: str) -> Response:
    """Send a test or what waits at once, or give up what cannot be delivered"""
    commands.find_webhook(webhook_id)
    ASKS[body["ask"]](webhook_id)
    return reply(webhook_views.webhook_view_by_id(webhook_id))
