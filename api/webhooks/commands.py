"""What an admin does with webhooks, on pages and over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from api.http.access.security import note_security
from api.http.fields import FieldFault
from api.http.problems import Problem
from api.http.services import current_services, pending_texts
from api.webhooks.outbox import Outbox
from referee.access.webhooks import LogPlace, SentMessage
from referee.events import WebhookId, WebhookRemoved, WebhookSecretRenewed, WebhookSet
from referee.log.streams import Answer, WriteMetadata

MOST: Final = 20
"""Webhooks of a house."""


class AskedWebhook(NamedTuple):
    """A webhook as a request wants it: its name, its address, the kinds of its messages."""

    name: str
    address: str
    notified: Sequence[str]
    is_on: bool = True


class NewSecret(NamedTuple):
    """A webhook with its secret, which is shown once; empty if the same was asked before."""

    answer: Answer
    webhook: WebhookId
    secret: str


def find_webhook(webhook: WebhookId) -> WebhookSet:
    """The last setting of a webhook in the log, by its id.

    :raises Problem: there is none of this id
    """
    found = current_services().referee.webhooks.webhooks().every.get(webhook)
    if found is None:
        raise Problem("not_found")
    return found


def add_webhook(asked: AskedWebhook, meta: WriteMetadata) -> NewSecret:
    """Add a webhook, which gets messages about what happens from now on, and return its secret.

    :raises Problem: there are as many as may be
    """
    here = current_services()
    if answer := here.referee.answer_to(meta):
        return NewSecret(answer, _webhook_id_in_answer(answer), "")
    if len(here.referee.webhooks.webhooks().every) >= MOST:
        raise Problem("invalid", errors={"json": {"address": [FieldFault("too_many_webhooks")]}})
    webhook = here.deliveries.new_webhook_id()
    secret = here.deliveries.start_deliveries(webhook, _end_of_log())
    try:
        with pending_texts() as put:
            act = _webhook_act(webhook, asked, put.add_text(asked.name))
            answer = put.erase_if_replayed(here.referee.webhooks.record_webhook_act(act, meta))
    except BaseException:
        here.deliveries.remove_webhook(webhook)
        raise
    if answer.replayed:  # the same was asked twice at one time
        here.deliveries.remove_webhook(webhook)
        return NewSecret(answer, _webhook_id_in_answer(answer), "")
    note_security("settings_changed", by=meta.by, about=webhook, detail="webhook added")
    return NewSecret(answer, webhook, secret)


def change_webhook(webhook: WebhookId, asked: AskedWebhook, meta: WriteMetadata) -> Answer:
    """Change the name, address or kinds of a webhook, or switch it on or off.

    What happens while it is off is not sent.

    :raises Problem: there is none of this id
    """
    here, before = current_services(), find_webhook(webhook)
    is_same_name = here.persons.texts_by_id([before.name]).get(before.name) == asked.name
    if asked.is_on and not before.is_on:  # before it is recorded, or the sender might be first
        here.deliveries.restart_at(webhook, _end_of_log())
    with pending_texts() as put:
        name = before.name if is_same_name else put.add_text(asked.name)
        answer = put.erase_if_replayed(
            here.referee.webhooks.record_webhook_act(_webhook_act(webhook, asked, name), meta)
        )
    if not answer.replayed:
        note_security("settings_changed", by=meta.by, about=webhook, detail="webhook changed")
    return answer


def renew_webhook_secret(webhook: WebhookId, meta: WriteMetadata) -> NewSecret:
    """Make another secret for a webhook; for a day messages are signed with the old one as well.

    :raises Problem: there is none of this id
    """
    here = current_services()
    find_webhook(webhook)
    answer = here.referee.webhooks.record_webhook_act(WebhookSecretRenewed(webhook), meta)
    if answer.replayed:
        return NewSecret(answer, webhook, "")
    secret = here.deliveries.renew_secret(webhook, _end_of_log())
    note_security("settings_changed", by=meta.by, about=webhook, detail="webhook secret")
    return NewSecret(answer, webhook, secret)


def remove_webhook(webhook: WebhookId, meta: WriteMetadata) -> None:
    """Remove a webhook, with its secret.

    :raises Problem: there is none of this id
    """
    here = current_services()
    find_webhook(webhook)
    here.referee.webhooks.record_webhook_act(WebhookRemoved(webhook), meta)
    here.deliveries.remove_webhook(webhook)
    note_security("settings_changed", by=meta.by, about=webhook, detail="webhook removed")


def request_test_message(webhook: WebhookId) -> None:
    """Note that a test message is to be sent to a webhook; the sender sends it."""
    current_services().deliveries.request_test(webhook)


def try_now(webhook: WebhookId) -> None:
    """Note that the waiting messages of a webhook are due at once; the sender sends them."""
    current_services().deliveries.make_due_now(webhook)


def skip_next(webhook: WebhookId) -> None:
    """Give up the next message of a webhook, which its receiver does not take."""
    here, hook = current_services(), find_webhook(webhook)
    at = here.deliveries.progress_by_webhook().get(webhook)
    log = here.open_log()
    try:
        found = Outbox(log, here.deliveries).messages_to_send(hook, at, 1) if at else []
    finally:
        log.close()
    for one in found:
        if at is not None and one.done is not None:
            position, now = one.done.position, here.clock().timestamp()
            given_up = SentMessage(one.id, one.kind, position, now, 0, "", "skipped")
            here.deliveries.settle(webhook, given_up, at.place, one.done)


def skip_all(webhook: WebhookId) -> None:
    """Give up all waiting messages of a webhook; what happens from now on is sent."""
    current_services().deliveries.restart_at(webhook, _end_of_log())


def _end_of_log() -> LogPlace:
    return LogPlace(current_services().referee.position(), "")


def _webhook_act(webhook: WebhookId, asked: AskedWebhook, name: str) -> WebhookSet:
    return WebhookSet(webhook, name, asked.address, tuple(asked.notified), asked.is_on)


def _webhook_id_in_answer(answer: Answer) -> WebhookId:
    """Id of the webhook that an earlier answer to the same request set; empty if none."""
    return next(
        (one.event.webhook for one in answer.events if isinstance(one.event, WebhookSet)), ""
    )
