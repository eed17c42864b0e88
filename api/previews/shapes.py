"""Schemas of previews."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.shapes import listed, obj


class Previewed(ResponseSchema):
    """What would change: score, partida, coto, encuentro, and of them only what differs."""

    version = ma.fields.Integer(
        required=True, metadata={"description": "to confirm with, in If-Match"}
    )
    before = obj("what differs, as it stands", required=True)
    after = obj("what differs, as it would stand", required=True)
    words = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "the same in words"}
    )
    earlier_law = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "in words: what today's law alone would change at an older table"},
    )
    conclusions = listed("official conclusions that would follow", required=True)
    encuentro = listed("what would follow in the encuentro", required=True)


class CasePreviewed(Previewed):
    """What a ruling or the decision of an appeal would change."""

    partida_version = ma.fields.Integer(
        required=True, metadata={"description": "to confirm with, in the body"}
    )
