"""Schemas of answers about cases."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.shapes import obj


class CaseView(ResponseSchema):
    """A case, with the names and texts of its ids."""

    number = ma.fields.Integer(required=True)
    version = ma.fields.Integer(required=True)
    stage = ma.fields.String(required=True)


class Cases(ResponseSchema):
    """The cases of an encuentro, and its warnings by side."""

    items = ma.fields.List(ma.fields.Nested(CaseView), required=True)
    warnings = obj("side to warnings: partida, line", required=True)
