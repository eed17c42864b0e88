"""Sign-in of an app: with what the form of the page asks for, its limits and its entries."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import Final, TypedDict

import marshmallow as ma
from flask import Response, g

from api.accounts import passwords
from api.accounts.apps.rest import scopes_field, scopes_of
from api.accounts.entry import agent_of_request
from api.http.access import guard
from api.http.access.security import note_security
from api.http.answers import schema_of
from api.http.bodies import Body
from api.http.faults import FieldFault
from api.http.fields import MAX_NAME, RequestSchema
from api.http.problems import Problem
from api.http.rest import Noun, reply, wants
from api.http.services import current_services
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
    scopes = scopes_field()


class SignedInData(TypedDict):
    """A sign-in of an app: its token, which is shown once, and until when it is good."""

    token: str
    holder: HolderId
    role: Role
    encuentro: str
    scopes: list[Scope]
    until: str


class CallerData(TypedDict):
    """Whoever asks, and what they may do. ``scopes``: null unless it is a token of an app."""

    holder: HolderId
    role: Role
    encuentro: str
    scopes: list[Scope] | None
    permissions: list[str]


@blp.route("", methods=["POST"])
@guard.open_to_all
@guard.passes_full_club
@wants()
@blp.arguments(SignInIn)
@blp.response(201, schema_of(SignedInData))
def sign_in(body: Body) -> Response:
    """Sign in with a password, and the code of the second step if the account has one

    The answer is the only place where the token stands. It is good for 30 days, and ends earlier
    after 14 days without use.
    """
    holder = _account(body)
    note_security("sign_in", by=holder, detail="app")
    return reply(_give(holder, scopes_of(body["scopes"])), 201)


@blp.route("/own")
@guard.requires("self")
@guard.at_any_table
@wants()
@blp.response(200, schema_of(CallerData))
def show() -> Response:
    """Who asks, and what they may do"""
    actor = g.actor
    asking: CallerData = {
        "holder": actor.by,
        "role": actor.role,
        "encuentro": actor.encuentro,
        "scopes": None if actor.scopes is None else list(actor.scopes),
        "permissions": sorted(actor.permissions),
    }
    return reply(asking)


@blp.route("/own/renewal", methods=["POST"])
@guard.requires("self")
@guard.at_any_table
@guard.passes_full_club
@wants()
@blp.response(201, schema_of(SignedInData))
def renew() -> Response:
    """Another token in place of the one of a sign-in of an app, which ends"""
    _refuse_others(_RENEWED)
    renewed = _give(g.actor.by, g.actor.scopes)
    current_services().keys.take_back(guard.credential()[0])
    return reply(renewed, 201)


@blp.route("/own", methods=["DELETE"])
@guard.requires("self")
@guard.at_any_table
@guard.passes_full_club
@wants()
@blp.response(204)
def sign_out() -> Response:
    """Sign out: the token opens nothing from now on"""
    _refuse_others(_ENDED)
    note_security("sign_out")
    current_services().keys.take_back(guard.credential()[0])
    return Response(status=204)


def _account(body: Body) -> HolderId:
    """The account that signs in.

    :raises Problem: something is wrong or missing, or there were too many wrong ones
    """
    name, password = body["name"].replace("\0", "").strip(), body["password"]
    holder = passwords.account_with(name, password)
    if holder is None:
        raise _fault("password", "wrong_password")
    if password_fault(password, name):
        current_services().keys.note(holder, "weak_password")
    if holder in current_services().factors.holders():
        if not body["code"]:
            raise _fault("code", "code_wanted")
        if not passwords.takes_code(holder, body["code"]):
            raise _fault("code", "wrong_code")
    return holder


def _fault(field: str, code: str) -> Problem:
    return Problem("invalid", errors={"json": {field: [FieldFault(code)]}})


def _give(holder: HolderId, scopes: tuple[Scope, ...]) -> SignedInData:
    """A new token of an account, within scopes."""
    keys = current_services().keys
    token = keys.give("app_session", holder, agent=agent_of_request(), mark=" ".join(scopes))
    until = current_services().clock() + timedelta(seconds=LASTS_S["app_session"])
    held = current_services().referee.roles.access().active(holder)
    assert held is not None
    return {
        "token": token,
        "holder": holder,
        "role": held.role,
        "encuentro": held.encuentro,
        "scopes": list(scopes),
        "until": until.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _refuse_others(kinds: frozenset[TokenKind]) -> None:
    """Refuse a request whose token is of none of these kinds.

    :raises Problem: it is not
    """
    known = current_services().keys.read_token(guard.credential()[0])
    if known is None or known.kind not in kinds:
        raise Problem("forbidden")
