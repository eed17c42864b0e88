"""Schemas of public views."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.shapes import listed


class Hall(ResponseSchema):
    """The public views of all tables."""

    tables = listed("public views: those that play, then those that finished of late")
    tournaments = listed("those that call pairs to their tables, or whose clock runs")


class Moment(ResponseSchema):
    """Where a tournament is."""

    id = ma.fields.UUID(required=True)
    stage = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    hash = ma.fields.String(
        required=True, metadata={"description": "of all that its pages show; the tag of this view"}
    )
