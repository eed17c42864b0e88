"""Draws before there is an encuentro: who gets the next card, and the outcome."""

from __future__ import annotations

import marshmallow as ma
from flask import Response

from api.encuentros import drawing
from api.encuentros.schemas import DrawTried
from api.http.access import guard
from api.http.bodies import Body
from api.http.fields import ResponseSchema
from api.http.rest import Noun, reply
from api.profiles.rest import frozen_profile_of
from referee.events import options_from

blp = Noun("draws", __name__, url_prefix="/api/v1/draws", description="Draws")


class DrawStands(ResponseSchema):
    """A draw as it stands."""

    outcome = ma.fields.Dict(
        required=True, allow_none=True, metadata={"description": "null: more cards must fall"}
    )
    may_choose = ma.fields.Boolean(
        required=True, metadata={"description": "the dealer chooses a seat"}
    )
    waiting = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "who may get the next card"}
    )
    round = ma.fields.Integer(required=True, allow_none=True)
    cards = ma.fields.List(ma.fields.List(ma.fields.String()), required=True)
    seed = ma.fields.String(required=True)


@blp.route("/preview", methods=["POST"])
@guard.requires("encuentros:open")
@blp.arguments(DrawTried)
@blp.response(200, DrawStands)
def preview(body: Body) -> Response:
    """How a draw stands, by its cards so far or from a seed; nothing is recorded"""
    return reply(drawing.draw_state(body, options_from(frozen_profile_of(body).options)))
