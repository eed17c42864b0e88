"""Schemas of answers about encuentros and partidas, for the OpenAPI document."""

from __future__ import annotations

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.rest import page_of
from api.http.shapes import Written, obj


class Opened(Written):
    """A new partida or encuentro."""

    number = ma.fields.Integer(metadata={"description": "of the partida in its encuentro"})
    outcome = obj("what a draw came out as")
    seed = ma.fields.String(metadata={"description": "what the cards were drawn from"})


class EncuentroView(ResponseSchema):
    """An encuentro, for those who run it."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True)


class PartidaView(ResponseSchema):
    """A partida, for those who run it."""

    version = ma.fields.Integer(required=True)


class LineView(ResponseSchema):
    """A line as it was recorded."""

    component = "Entry"

    line = ma.fields.Integer(required=True)
    act = obj("an act, or an amendment (`kind` amend) with its changes", required=True)


class EntriesOfPartida(ResponseSchema):
    """The lines of a partida that the reader has not."""

    number = ma.fields.Integer(required=True)
    version = ma.fields.Integer(required=True, metadata={"description": "count of acts now"})
    dealer_due = ma.fields.String(required=True, metadata={"description": "a seat, or empty"})
    entries = ma.fields.List(ma.fields.Nested(LineView), required=True)


class Entries(ResponseSchema):
    """The partidas of an encuentro, line by line."""

    version = ma.fields.Integer(required=True, metadata={"description": "of the encuentro"})
    partidas = ma.fields.List(ma.fields.Nested(EntriesOfPartida), required=True)


class FindingView(ResponseSchema):
    """What the program noticed about a line."""

    component = "Finding"

    line = ma.fields.Integer(required=True)
    rule = ma.fields.String(required=True)
    seat = ma.fields.String(required=True)
    text = ma.fields.String(required=True)
    article = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "profile, option, section, basis; null: it rests on no option"},
    )


class Findings(ResponseSchema):
    """Everything noticed in a partida so far as its cards are known."""

    version = ma.fields.Integer(required=True)
    findings = ma.fields.List(ma.fields.Nested(FindingView), required=True)


class EncuentroRow(ResponseSchema):
    """An encuentro, in a list."""

    id = ma.fields.UUID(required=True)
    partidas = ma.fields.Integer(required=True, metadata={"description": "partidas begun"})
    running = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "the partida not decided"}
    )


EncuentroPage = page_of(EncuentroRow, "EncuentroPage")
