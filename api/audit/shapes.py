"""Schemas of proofs."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.shapes import listed


class ProofFile(ResponseSchema):
    """A proof, as the page on the audit describes it."""

    format = ma.fields.String(required=True)
    encuentro = ma.fields.UUID(required=True)
    key = ma.fields.String(required=True)
    checkpoint = ma.fields.String(required=True)
    recorded = ma.fields.Integer(required=True)
    events = listed("index, stream, version, name, state, entry, path", required=True)
