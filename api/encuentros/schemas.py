"""Schemas of an encuentro: opened, seated, drawn, ruled, answered."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.encuentros.acts import SEAT_NAMES
from api.http.answers import TypedField, Written
from api.http.fields import MAX_NAME, SEED, Bool, Day, Int, RequestSchema, Text, choice_field
from api.http.people import PersonIn
from api.profiles.schemas import AtTable
from referee.events import PersonId

_MOST_CANDIDATES = 16
_MOST_DRAWN = 200


class SeatsIn(RequestSchema):
    """Who sits where."""

    seats = ma.fields.Dict(
        keys=choice_field(*SEAT_NAMES),
        values=ma.fields.Nested(PersonIn),
        required=True,
        validate=validate.Length(1, len(SEAT_NAMES)),
    )


class EncuentroIn(AtTable):
    """A new encuentro."""

    seats = ma.fields.Dict(
        keys=choice_field(*SEAT_NAMES), values=ma.fields.Nested(PersonIn), load_default=dict
    )
    place = Text(MAX_NAME)
    date = Day()
    held_in = ma.fields.UUID(metadata={"description": "session or tournament that it belongs to"})
    unless_playing = Bool(
        load_default=False,
        metadata={"description": "refuse it if those seated already play together on that day"},
    )


class SubstitutionIn(RequestSchema):
    """Another person takes a seat, after a line of a partida."""

    seat = choice_field(*SEAT_NAMES, required=True)
    name = Text(MAX_NAME, required=True)
    partida = Int(load_default=0)
    line = Int(load_default=0)
    because = Text(lines=True)


class EncuentroRulingIn(RequestSchema):
    """The arbiter decides the encuentro itself; an empty winner is a draw."""

    winner = choice_field("A", "B", "C", "", required=True)
    because = Text(lines=True, required=True)


def _cards_field(least: int) -> ma.fields.List[Any]:
    """Schema field: who got which card, in the order in which they fell."""
    pair = ma.fields.List(
        ma.fields.String(validate=validate.Length(1, MAX_NAME)), validate=validate.Length(equal=2)
    )
    return ma.fields.List(pair, validate=validate.Length(least, _MOST_DRAWN))


class DrawIn(RequestSchema):
    """A draw: the cards as they fell, or a seed (or nothing) to let the program draw."""

    method = choice_field("a_reyes", "a_la_mas_alta", "por_palo", required=True)
    purpose = choice_field("players", "partners", "dealer", required=True)
    candidates = ma.fields.List(
        Text(MAX_NAME), required=True, validate=validate.Length(2, _MOST_CANDIDATES)
    )
    cards = _cards_field(1)
    seed = ma.fields.String(validate=validate.Regexp(SEED))


class DrawTried(AtTable, DrawIn):
    """A draw at a table that is not open yet, as far as the cards have fallen."""

    cards = _cards_field(0)


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
