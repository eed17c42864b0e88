"""Schema of a replay, for the OpenAPI document."""

from __future__ import annotations

from typing import get_args

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.shapes import listed, obj
from referee.rules.seats import Direction


class Replay(ResponseSchema):
    """A whole partida for a replay. The page on HTTP describes its members."""

    component = "Reel"

    format = ma.fields.String(required=True)
    encuentro = ma.fields.String(required=True)
    partida = ma.fields.Integer(required=True)
    line = ma.fields.Integer(required=True, metadata={"description": "as it stood after this line"})
    lines = ma.fields.Integer(required=True, metadata={"description": "lines of the whole record"})
    players = ma.fields.Integer(required=True)
    direction = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(get_args(Direction)),
        metadata={"description": "which way play goes round the table"},
    )
    seats = ma.fields.List(ma.fields.String(), required=True)
    seat = ma.fields.String(required=True, metadata={"description": "whose view; empty: all"})
    pack = ma.fields.String(
        required=True,
        metadata={"description": "the cards that lie on the table; tokens are Spanish"},
    )
    names = obj("name by seat", required=True)
    profile = obj("profile it is judged by: id, edition, base", required=True)
    others = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "other profiles it can be judged by"},
    )
    outcome = ma.fields.Dict(required=True, allow_none=True)
    steps = listed("acts in order of play, each with what changed on the table", required=True)
    deals = listed("deals with their tricks, cantes and points", required=True)
    verdicts = listed("acts of players: lawful, unlawful or open", required=True)
    findings = listed("what else was noticed", required=True)
    contradicted = listed("deals whose record cannot be true, and from which line", required=True)
    claim = ma.fields.Dict(required=True, allow_none=True)
    amendments = listed("corrections with what stood before and after", required=True)
    cases = listed("cases about this partida, with their rulings", required=True)
    compared = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "what the profile asked for changes, and by which option"},
    )
