"""Schemas of answers about encuentros and partidas, for the OpenAPI document."""

from __future__ import annotations

import marshmallow as ma

from api.http.answers import TypedField
from api.http.shapes import Written
from referee.events import PersonId


class Opened(Written):
    """A new partida, a new case, or a new encuentro."""

    number = ma.fields.Integer(
        metadata={"description": "of the partida or the case in its encuentro"}
    )


class DrawnLots(Written):
    """A draw as it was made, with the names of persons."""

    outcome = TypedField(dict[str, str], "what came out", required=True)
    cards = TypedField(list[tuple[str, str]], "who got which card", required=True)
    seed = ma.fields.String(
        required=True, metadata={"description": "what the cards were drawn from, or empty"}
    )
    names = TypedField(dict[PersonId, str], "name of each candidate who has one", required=True)
