"""The pages of webhooks: every one and where it stands, one with its messages, and their forms."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import (
    FieldErrors,
    attempt_write,
    form_value,
    form_values,
    load_by_schema,
    new_form_key,
)
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import house_component_or_none
from api.webhooks import commands
from api.webhooks import views as webhook_views
from api.webhooks.commands import AskedWebhook, NewSecret
from api.webhooks.rest import ASKS, WebhookIn
from projections.notifications import KINDS

blp = Blueprint("webhooks", __name__)
_ONE: Final = "/casa/avisos/<string(length=17):webhook_id>"


@blp.get("/casa/avisos")
@guard.requires("webhooks:manage")
def show_webhooks_page() -> Response:
    """Every webhook, where each stands, and the form for another one"""
    return _webhooks_page()


@blp.post("/casa/avisos")
@guard.requires("webhooks:manage")
def add_webhook_from_form() -> AnyResponse:
    """Add a webhook; the page that follows shows its secret, once."""
    made, wrong, status = attempt_write(
        lambda: commands.add_webhook(_webhook_of_form(), forms.meta_of_form())
    )
    return _webhooks_page(wrong, status) if made is None else _secret_page_or_redirect(made)


@blp.get(_ONE)
@guard.requires("webhooks:manage")
def show_webhook_page(webhook_id: str) -> Response:
    """A webhook: where it stands, what waits, what failed and why, and what can be done"""
    return _webhook_page(webhook_id)


@blp.post(_ONE)
@guard.requires("webhooks:manage")
def change_webhook_from_form(webhook_id: str) -> AnyResponse:
    """Another name, address or choice of kinds; on or off."""
    answer, wrong, status = attempt_write(
        lambda: commands.change_webhook(webhook_id, _webhook_of_form(), forms.meta_of_form())
    )
    return (
        _webhook_page(webhook_id, wrong, status)
        if answer is None
        else _redirect_to_webhook(webhook_id)
    )


@blp.post(f"{_ONE}/mensajes")
@guard.requires("webhooks:manage")
def request_action_from_form(webhook_id: str) -> AnyResponse:
    """Send a test or what waits at once, or give up what cannot be delivered."""
    commands.find_webhook(webhook_id)
    asked = ASKS.get(request.form.get("ask", ""))
    if asked is None:
        raise Problem("bad_request")
    asked(webhook_id)
    return _redirect_to_webhook(webhook_id)


@blp.get(f"{_ONE}/clave")
@guard.requires("webhooks:manage")
def new_secret_confirmation_page(webhook_id: str) -> Response:
    """The page that asks whether another secret shall be made"""
    return _confirmation_page(webhook_id, "webhooks.secret_renew")


@blp.post(f"{_ONE}/clave")
@guard.requires("webhooks:manage")
def renew_secret_from_form(webhook_id: str) -> AnyResponse:
    """Make another secret; the page that follows shows it, once."""
    return _secret_page_or_redirect(commands.renew_webhook_secret(webhook_id, forms.meta_of_form()))


@blp.get(f"{_ONE}/baja")
@guard.requires("webhooks:manage")
def removal_confirmation_page(webhook_id: str) -> Response:
    """The page that asks whether a webhook shall be removed"""
    return _confirmation_page(webhook_id, "webhooks.remove")


@blp.post(f"{_ONE}/baja")
@guard.requires("webhooks:manage")
def remove_webhook_from_form(webhook_id: str) -> AnyResponse:
    """Remove a webhook."""
    commands.remove_webhook(webhook_id, forms.meta_of_form())
    return redirect(f"{prefix()}/casa/avisos", 303)


def _webhook_of_form() -> AskedWebhook:
    """Values for a webhook from the posted form, checked.

    :raises ValidationError: a field is wrong
    """
    sent: Body = {
        "name": form_value("name"),
        "address": form_value("address"),
        "notified": request.form.getlist("notified"),
        "is_on": request.form.get("is_on", "yes") == "yes",
    }
    return AskedWebhook(**load_by_schema(WebhookIn, sent))


def _webhooks_page(wrong: FieldErrors | None = None, status: int = 200) -> Response:
    return page(
        "webhooks/webhooks.html",
        every=webhook_views.all_webhook_views(),
        kinds=tuple(KINDS),
        most=commands.MOST,
        setting=_operator_webhook_setting(),
        wrong=wrong or [],
        typed=form_values(),
        ticked=request.form.getlist("notified") or tuple(KINDS),
        key=new_form_key(),
        status=status,
    )


def _webhook_page(webhook_id: str, wrong: FieldErrors | None = None, status: int = 200) -> Response:
    one = webhook_views.webhook_view_by_id(webhook_id)
    return page(
        "webhooks/webhook.html",
        one=one,
        kinds=tuple(KINDS),
        setting=_operator_webhook_setting(),
        wrong=wrong or [],
        typed=form_values() or {"name": one.name, "address": one.address},
        ticked=request.form.getlist("notified") or one.notified,
        key=new_form_key(),
        status=status,
    )


def _secret_page_or_redirect(made: NewSecret) -> AnyResponse:
    """The page with a secret; a redirect to the webhook's page if the form was sent twice."""
    if not made.secret:
        return _redirect_to_webhook(made.webhook)
    return page(
        "webhooks/secret.html",
        one=webhook_views.webhook_view_by_id(made.webhook),
        secret=made.secret,
    )


def _confirmation_page(webhook_id: str, what: str) -> Response:
    """A page that explains an act and asks for confirmation."""
    commands.find_webhook(webhook_id)
    title = say(what, language())
    return page(
        "webhooks/ask.html",
        title=title,
        says=[say(f"{what}_what", language())],
        button=title,
        back=f"{prefix()}/casa/avisos/{webhook_id}",
        action=f"{prefix()}{request.path}",
        key=new_form_key(),
    )


def _redirect_to_webhook(webhook_id: str) -> AnyResponse:
    return redirect(f"{prefix()}/casa/avisos/{webhook_id}", 303)


def _operator_webhook_setting() -> str:
    """The operator's setting for webhooks, ``on``, ``local`` or ``off``."""
    return str(house_component_or_none("webhook_setting") or "on")
