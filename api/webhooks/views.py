"""Webhooks as pages and the API show them: where they stand, what waits, what failed and why."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

import msgspec

from api.http.services import Services, current_services
from api.webhooks.commands import find_webhook
from api.webhooks.outbox import Outbox
from projections.views import view_as
from referee.access.webhooks import MessageStage, SentMessage, WebhookProgress
from referee.events import WebhookId, WebhookSet
from referee.log.mapper import timestamp_of_datetime

MOST_COUNTED: Final = 100
"""Waiting messages that are counted; there may be more."""
WebhookStage: TypeAlias = Literal["ok", "waiting", "failing", "stopped", "off", "no_secret"]


class WebhookMessageData(msgspec.Struct, frozen=True):
    """A message as it was tried last.

    ``answer``: the status of HTTP, or a code of what failed. ``tries``: how often.
    """

    id: str
    kind: str
    at: str
    tries: int
    answer: str
    stage: MessageStage


class WaitingMessageData(msgspec.Struct, frozen=True):
    """A message that waits: its kind, and when what it is about happened."""

    id: str
    kind: str
    at: str


class WebhookData(msgspec.Struct, frozen=True):
    """A webhook and where it stands.

    ``waiting``: messages that wait, counted up to 100. ``failing_since``, ``next_at``,
    ``stopped_at``: moments, null if there is none. ``last``: the message that was tried last.
    """

    id: WebhookId
    name: str
    address: str
    notified: list[str]
    is_on: bool
    stage: WebhookStage
    waiting: int
    failing_since: str | None
    next_at: str | None
    stopped_at: str | None
    last: WebhookMessageData | None


class WholeWebhookData(WebhookData, frozen=True):
    """A webhook with the next messages that wait, and the last ones that were tried."""

    next: list[WaitingMessageData]
    messages: list[WebhookMessageData]


class WebhooksData(msgspec.Struct, frozen=True):
    """Every webhook, and every kind of notification there is."""

    items: list[WebhookData]
    kinds: list[str]


def all_webhook_views() -> list[WholeWebhookData]:
    """Views of all webhooks with their messages, the oldest webhook first."""
    return _views_of(list(current_services().referee.webhooks.webhooks().every.values()))


def webhook_view_by_id(webhook_id: WebhookId) -> WholeWebhookData:
    """View of a webhook with its messages.

    :raises Problem: there is none of this id
    """
    (found,) = _views_of([find_webhook(webhook_id)])
    return found


def _views_of(chosen: Sequence[WebhookSet]) -> list[WholeWebhookData]:
    if not chosen:
        return []
    here = current_services()
    progress = here.deliveries.progress_by_webhook()
    names = here.persons.texts_by_id([one.name for one in chosen])
    with closing(here.open_log()) as log:
        outbox = Outbox(log, here.deliveries)
        return [
            _webhook_view(here, outbox, one, names.get(one.name) or "", progress.get(one.webhook))
            for one in chosen
        ]


def short_view(whole: WholeWebhookData) -> WebhookData:
    """A webhook as a list shows it, without its messages."""
    return view_as(WebhookData, whole)


def _webhook_view(
    here: Services, outbox: Outbox, webhook: WebhookSet, name: str, at: WebhookProgress | None
) -> WholeWebhookData:
    waiting = outbox.messages_to_send(webhook, at, MOST_COUNTED) if at and webhook.is_on else []
    messages = [_message_view(one) for one in here.deliveries.messages(webhook.webhook)]
    is_signed = bool(here.deliveries.secrets(webhook.webhook))
    return WholeWebhookData(
        id=webhook.webhook,
        name=name,
        address=webhook.address,
        notified=list(webhook.notified),
        is_on=webhook.is_on,
        stage=_stage_of_webhook(webhook, at if is_signed else None, len(waiting)),
        waiting=len(waiting),
        failing_since=_timestamp_or_none(at and at.failing_since),
        next_at=_timestamp_or_none(at.next_at)
        if at and at.tries and at.stopped_at is None
        else None,
        stopped_at=_timestamp_or_none(at and at.stopped_at),
        last=messages[0] if messages else None,
        next=[WaitingMessageData(id=one.id, kind=one.kind, at=one.at) for one in waiting],
        messages=messages,
    )


def _stage_of_webhook(
    webhook: WebhookSet, at: WebhookProgress | None, waiting: int
) -> WebhookStage:
    if not webhook.is_on:
        return "off"
    if at is None:
        return "no_secret"
    if at.stopped_at is not None:
        return "stopped"
    if at.tries:
        return "failing"
    return "waiting" if waiting or at.test else "ok"


def _message_view(one: SentMessage) -> WebhookMessageData:
    return WebhookMessageData(
        id=one.id,
        kind=one.kind,
        at=_timestamp_or_none(one.at) or "",
        tries=one.tries,
        answer=one.answer,
        stage=one.stage,
    )


def _timestamp_or_none(seconds: float | None) -> str | None:
    return None if seconds is None else timestamp_of_datetime(datetime.fromtimestamp(seconds, UTC))
