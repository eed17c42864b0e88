"""Schemas of evidence, for the OpenAPI document."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.shapes import listed, obj

CARDS = "tokens of cards, rank then suit"


class ActVerdict(ResponseSchema):
    """An act of a player, with what the cards seen say of it."""

    line = ma.fields.Integer(required=True)
    seat = ma.fields.String(required=True)
    verdict = ma.fields.String(
        required=True, validate=ma.validate.OneOf(["lawful", "unlawful", "open"])
    )
    since = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "line that settled it"}
    )
    rule = ma.fields.String(required=True, allow_none=True)
    article = ma.fields.Dict(required=True, allow_none=True)
    proof = obj("lines that prove it, and the cards that do", required=True)
    by_count = ma.fields.Boolean(
        required=True, metadata={"description": "proved by the count of the cards left"}
    )
    settles = obj("unseen cards, and tricks to turn over, on which it depends", required=True)
    slip = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "one slip of the recorder that would explain it"},
    )
    text = ma.fields.String(required=True)


class EvidenceView(ResponseSchema):
    """Every act of a player with its verdict."""

    line = ma.fields.Integer(required=True, metadata={"description": "line it was judged at"})
    acts = ma.fields.List(ma.fields.Nested(ActVerdict), required=True)
    contradicted = listed("deals whose record cannot be true, and from which line", required=True)
    claim = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "the claim: true, false or undecidable, with its bounds"},
    )


class KnowledgeView(ResponseSchema):
    """What is known of each hand of the running deal."""

    line = ma.fields.Integer(required=True)
    deal = ma.fields.Integer(required=True, allow_none=True)
    hands = obj(f"by seat: size, and certain, possible, not as {CARDS}", required=True)


class ComparisonView(ResponseSchema):
    """The same record under another profile."""

    profile = ma.fields.String(required=True)
    options = listed("options that differ, with both values", required=True)
    outcome = obj("how it ends", required=True)
    other_outcome = obj("how it would end", required=True)
    outcome_by = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "options that alone do it"}
    )
    acts = listed("acts judged otherwise, and the options that alone do it", required=True)
