"""The page of the tokens of apps: what each may do, and the form that makes one."""

from __future__ import annotations

from typing import Final, get_args

from flask import Blueprint, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts import listing
from api.accounts.apps.rest import TokenIn, token_act_of_body
from api.accounts.apps.tokens import (
    DEFAULT_DAYS,
    app_token_for_user,
    app_tokens_for_user,
    make_token,
    revoke_token,
)
from api.html import forms
from api.html.forms import FieldErrors, attempt_write
from api.html.pages import confirmation_page, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import current_services
from referee.aggregates.access import OWNER, may_make_token
from referee.events import Scope

blp = Blueprint("app-tokens", __name__)
_DAYS: Final = (7, 30, DEFAULT_DAYS, 366)


@blp.get("/casa/aplicaciones")
@guard.requires("self")
@guard.admits_bound_users
def show_tokens() -> Response:
    """The page with the tokens of apps, and the form that makes one."""
    return _tokens_page()


@blp.post("/casa/aplicaciones")
@guard.requires("devices:pair")
@guard.admits_bound_users
def make_app_token() -> AnyResponse:
    """Make a token, which is shown on this page once. The same form again makes no other."""
    meta = forms.meta_of_form()

    def write() -> tuple[str, str]:
        body = forms.load_by_schema(TokenIn, _form_body())
        return make_token(token_act_of_body(body), body["name"], meta), body["name"]

    try:
        made, wrong, status = attempt_write(write)
    except Problem as problem:  # of the table; what was typed stays
        title = say(f"problem.{problem.problem}", language())
        return _tokens_page(wrong=[("encuentro", title)], status=404)
    if made is None:
        return _tokens_page(wrong=wrong, status=status)
    return _tokens_page(made=made) if made[0] else redirect(f"{prefix()}/casa/aplicaciones", 303)


@blp.get("/casa/aplicaciones/<string(length=16):token_id>/baja")
@guard.requires("self")
@guard.admits_bound_users
def ask_to_revoke_token(token_id: str) -> Response:
    """The page that asks whether a token is to be revoked."""
    title, button = say("apps.revoke_ask", language()), say("access.revoke", language())
    words = [app_token_for_user(token_id).name, say("apps.revoke_help", language())]
    return confirmation_page(title, words, button, f"{prefix()}/casa/aplicaciones")


@blp.post("/casa/aplicaciones/<string(length=16):token_id>/baja")
@guard.requires("self")
@guard.admits_bound_users
@guard.takes_writes_when_full
def revoke_app_token(token_id: str) -> AnyResponse:
    """Revoke a token."""
    revoke_token(token_id)
    return redirect(f"{prefix()}/casa/aplicaciones", 303)


def _form_body() -> Body:
    """The form as the API takes it; fields that were left empty are not there."""
    form = request.form
    given: Body = {
        "name": form.get("name", ""),
        "encuentro": form.get("encuentro") or None,
        "origins": form.get("origins", "").replace(",", " ").split(),
    }
    if scopes := form.getlist("scopes"):
        given["scopes"] = scopes
    if days := form.get("days", ""):
        given["days"] = int(days) if forms.NUMBER.fullmatch(days) else days
    return given


def _tokens_page(
    *, made: tuple[str, str] = ("", ""), wrong: FieldErrors | None = None, status: int = 200
) -> Response:
    """The page of app tokens. ``made``: the secret of a token that was just made, and its name."""
    maker = current_services().referee.roles.access().active_holder_or_owner(g.actor.by)
    table = g.actor.encuentro
    return page(
        "accounts/apps/tokens.html",
        rows=app_tokens_for_user(),
        names={**current_services().keys.account_names(), OWNER: say("access.owner", language())},
        scopes=[one for one in get_args(Scope) if may_make_token(maker, [one], table)],
        tables=listing.table_words_by_encuentro(table),
        is_bound=bool(table),
        every_days=_DAYS,
        values=forms.form_values() if wrong else {"days": str(DEFAULT_DAYS)},
        chosen=request.form.getlist("scopes") if wrong else [],
        wrong=wrong or [],
        made=made,
        key=forms.new_form_key(),
        status=status,
    )
