"""Tokens of apps over HTTP."""

from __future__ import annotations

from typing import Any, cast, get_args

import marshmallow as ma
import msgspec
from flask import Response

from api.accounts.apps.tokens import (
    DEFAULT_DAYS,
    AppTokenData,
    app_token_for_user,
    app_tokens_for_user,
    make_token,
    revoke_token,
)
from api.http.access import guard
from api.http.access.origins import read_origins
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import MAX_NAME, Int, RequestSchema, Text, choice_field, error_with_fault_code
from api.http.rest import Noun, reply, takes_headers_and_query
from api.http.services import current_services
from projections.views import view_as
from referee.aggregates.access import DAYS_OF_TOKEN, MOST_ORIGINS
from referee.events import Scope, TokenMade

blp = Noun("tokens", __name__, url_prefix="/api/v1/tokens", description="Tokens of apps")


class Origin(ma.fields.String):
    """A site as browsers name it: ``https://club.example``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        try:
            (origin,) = read_origins(text)
        except ValueError:
            raise error_with_fault_code("not_an_origin") from None
        return origin


def scopes_field() -> ma.fields.List[str]:
    """Schema field for the scopes that an app asks for: one at least."""
    every = get_args(Scope)
    some = ma.validate.Length(1, len(every))
    return ma.fields.List(choice_field(*every), required=True, validate=some)


class TokenIn(RequestSchema):
    """A token that an app gets: what it may do, where, and for how long."""

    name = Text(MAX_NAME, required=True)
    scopes = scopes_field()
    encuentro = ma.fields.UUID(load_default=None, allow_none=True)
    days = Int(DAYS_OF_TOKEN.start, DAYS_OF_TOKEN[-1], load_default=DEFAULT_DAYS)
    origins = ma.fields.List(
        Origin(), load_default=list, validate=ma.validate.Length(0, MOST_ORIGINS)
    )


class AppTokenListData(msgspec.Struct, frozen=True):
    """Tokens that may be used now, the newest first."""

    items: list[AppTokenData]


class MadeTokenData(AppTokenData, frozen=True):
    """A new token with its secret, which is shown once."""

    token: str


@blp.route("")
@guard.requires("self")
@guard.admits_bound_users
@takes_headers_and_query()
@blp.response(200, register_answer_schema(AppTokenListData))
def list_tokens() -> Response:
    """Tokens of apps: one's own, and all for who manages access; none for an app"""
    return reply({"items": app_tokens_for_user()})


@blp.route("", methods=["POST"])
@guard.requires("devices:pair")
@guard.admits_bound_users
@takes_headers_and_query()
@blp.arguments(TokenIn)
@blp.response(201, register_answer_schema(MadeTokenData))
def make_app_token(body: Body) -> Response:
    """Make a token for an app, with which it may do what its scopes and its maker may

    The answer is the only place where the token stands; if it is lost, another one is needed.
    """
    act = token_act_of_body(body)
    secret = make_token(act, body["name"])
    return reply(view_as(MadeTokenData, app_token_for_user(act.token), token=secret), 201)


@blp.route("/<string(length=16):token_id>", methods=["DELETE"])
@guard.requires("self")
@guard.admits_bound_users
@guard.takes_writes_when_full
@takes_headers_and_query()
@blp.response(204)
def revoke_app_token(token_id: str) -> Response:
    """Revoke a token: it opens nothing from now on, and its name is forgotten"""
    revoke_token(token_id)
    return Response(status=204)


def token_act_of_body(body: Body) -> TokenMade:
    """The act that makes a token, with what a request or a form asks for."""
    return TokenMade(
        current_services().keys.new_holder_id(),
        scopes_in_order(body["scopes"]),
        body["days"],
        str(body["encuentro"] or ""),
        tuple(dict.fromkeys(body["origins"])),
    )


def scopes_in_order(given: list[str]) -> tuple[Scope, ...]:
    """Scopes in their order, each once."""
    return tuple(cast("Scope", one) for one in get_args(Scope) if one in given)
