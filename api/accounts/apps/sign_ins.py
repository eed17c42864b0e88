"""Sign-in of an app over HTTP, with the same credentials, limits and log entries as on the page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import marshmallow as ma
import msgspec
from flask import Response, g

from api.accounts import passwords
from api.accounts.apps.rest import scopes_field, scopes_in_order
from api.accounts.entry import browser_and_system_of_request
from api.http.access import guard
from api.http.access.security import note_security
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import MAX_NAME, FieldFault, RequestSchema
from api.http.problems import Problem
from api.http.rest import Noun, reply, takes_headers_and_query
from api.http.services import current_services
from projections.views import view_as
from referee.access.keys import LASTS_S, TokenKind
from referee.access.passwords import LONGEST_PASSWORD, password_fault
from referee.events import HolderId, Role, Scope

blp = Noun("sign-ins", __name__, url_prefix="/api/v1/sign-ins", description="Sign-in of apps")
_RENEWED: Final[frozenset[TokenKind]] = frozenset({"app_session"})
_ENDED: Final[frozenset[TokenKind]] = frozenset({"app_session", "device", "session"})
"""Tokens that end by a sign-out; one that was made for an app is revoked."""


class SignInIn(RequestSchema):
    """Name and password of an account, and what the app wants to do."""

    name = ma.fields.String(required=True, validate=ma.validate.Length(1, MAX_NAME))
    password = ma.fields.String(required=True, validate=ma.validate.Length(1, LONGEST_PASSWORD))
    code = ma.fields.String(load_default="", validate=ma.validate.Length(0, MAX_NAME))
    known_app = ma.fields.String(load_default="", validate=ma.validate.Length(0, MAX_NAME))
    scopes = scopes_field()


class AppSessionData(msgspec.Struct, frozen=True):
    """A token of a sign-in of an app, which is shown once, and until when it is good."""

    token: str
    holder: HolderId
    role: Role
    encuentro: str
    scopes: list[Scope]
    until: str


class SignedInData(AppSessionData, frozen=True):
    """A sign-in of an app. ``known_app``: what it sends with the next password of the account."""

    known_app: str


class CallerData(msgspec.Struct, frozen=True):
    """Whoever asks, and what they may do. ``scopes``: null unless it is a token of an app."""

    holder: HolderId
    role: Role
    encuentro: str
    scopes: list[Scope] | None
    permissions: list[str]


@blp.route("", methods=["POST"])
@guard.open_to_all
@guard.signs_people_in
@guard.takes_writes_when_full
@takes_headers_and_query()
@blp.arguments(SignInIn)
@blp.response(201, register_answer_schema(SignedInData))
def sign_in(body: Body) -> Response:
    """Sign in with a password, and the code of the second step if the account has one

    The answer is the only place where the token stands. It is good for 30 days, and ends earlier
    after 14 days without use. With `known_app` of the answer before, wrong passwords of others
    do not count for the app.
    """
    holder, scopes = _authenticate_by_password(body), scopes_in_order(body["scopes"])
    here = current_services()
    agent, mark = browser_and_system_of_request(), " ".join(scopes)
    until_s = here.clock().timestamp() + LASTS_S["app_session"]
    token = here.keys.give_token("app_session", holder, agent=agent, mark=mark)
    note_security("sign_in", by=holder, detail="app")
    known_app = here.known_browsers.remember_under_new_cookie(body["known_app"], holder)
    signed_in: SignedInData = view_as(
        SignedInData, _sign_in_data(token, until_s, holder, scopes), known_app=known_app
    )
    return reply(signed_in, 201)


@blp.route("/own")
@guard.requires("self")
@guard.admits_bound_users
@takes_headers_and_query()
@blp.response(200, register_answer_schema(CallerData))
def show_caller() -> Response:
    """Who asks, and what they may do"""
    actor = g.actor
    asking = CallerData(
        holder=actor.by,
        role=actor.role,
        encuentro=actor.encuentro,
        scopes=None if actor.scopes is None else list(actor.scopes),
        permissions=sorted(actor.permissions),
    )
    return reply(asking)


@blp.route("/own/renewal", methods=["POST"])
@guard.requires("self")
@guard.takes_credentials("app_sign_in")
@guard.admits_bound_users
@guard.takes_writes_when_full
@takes_headers_and_query()
@blp.response(201, register_answer_schema(AppSessionData))
def renew_app_session() -> Response:
    """Another token in place of the one of a sign-in of an app, which ends

    90 days after the password none is good any more.
    """
    _require_token_of_kinds(_RENEWED)
    by, scopes = g.actor.by, g.actor.scopes
    renewed = current_services().keys.renew_app_sign_in_token(guard.credential_and_kind()[0])
    if renewed is None:
        raise Problem("revoked", headers={"WWW-Authenticate": "Bearer"})
    note_security("sign_in", detail="renewal")
    return reply(_sign_in_data(*renewed, by, scopes), 201)


@blp.route("/own", methods=["DELETE"])
@guard.requires("self")
@guard.takes_credentials("token", "app_sign_in")
@guard.admits_bound_users
@guard.takes_writes_when_full
@takes_headers_and_query()
@blp.response(204)
def sign_out() -> Response:
    """Sign out: the token opens nothing from now on"""
    _require_token_of_kinds(_ENDED)
    note_security("sign_out")
    current_services().keys.delete_token_by_secret(guard.credential_and_kind()[0])
    return Response(status=204)


def _authenticate_by_password(body: Body) -> HolderId:
    """The account whose name, password and code are in a request; refused if one of them is wrong.

    :raises Problem: something is wrong or missing, or there were too many wrong ones
    """
    name, password = body["name"].replace("\0", "").strip(), body["password"]
    browser = body["known_app"]
    holder = passwords.authenticate_account_or_none(name, password, browser)
    if holder is None:
        raise _field_problem("password", "wrong_password")
    if password_fault(password, name):
        current_services().keys.add_notice(holder, "weak_password")
    if holder in current_services().factors.holders():
        if not body["code"]:
            raise _field_problem("code", "code_wanted")
        if not passwords.try_second_factor_code(holder, body["code"], browser):
            raise _field_problem("code", "wrong_code")
    return holder


def _field_problem(field: str, code: str) -> Problem:
    return Problem("invalid", errors={"json": {field: [FieldFault(code)]}})


def _sign_in_data(
    token: str, until_s: float, holder: HolderId, scopes: tuple[Scope, ...]
) -> AppSessionData:
    """A new token of a signed-in app as an answer over HTTP: its account, role, scopes and end."""
    until = datetime.fromtimestamp(until_s, UTC)
    held = current_services().referee.roles.access().active_holder(holder)
    assert held is not None
    return AppSessionData(
        token=token,
        holder=holder,
        role=held.role,
        encuentro=held.encuentro,
        scopes=list(scopes),
        until=until.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _require_token_of_kinds(kinds: frozenset[TokenKind]) -> None:
    """Refuse a request whose token is of none of these kinds.

    :raises Problem: it is not
    """
    known = current_services().keys.read_token_and_note_use(guard.credential_and_kind()[0])
    if known is None or known.kind not in kinds:
        raise Problem("forbidden")
