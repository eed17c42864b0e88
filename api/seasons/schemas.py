"""Schemas of sessions and seasons."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http.faults import wrong
from api.http.fields import MAX_NAME, Day, Int, RequestSchema, ResponseSchema, Text, choice
from api.http.people import PERSON_ID, PersonIn
from api.http.shapes import Written, listed, obj
from api.profiles.schemas import AtTable
from referee.events import SeasonScoring

MOST_PLAYERS = 200
_MOST_POINTS = 100
_SEED = validate.Regexp(r"\A[!-~]{8,128}\Z")


class ScoringIn(RequestSchema):
    """What each of these is worth; what is left out is worth what it is by default."""

    encuentro_won = Int(0, _MOST_POINTS, load_default=SeasonScoring().encuentro_won)
    encuentro_level = Int(0, _MOST_POINTS, load_default=0)
    encuentro_lost = Int(0, _MOST_POINTS, load_default=0)
    coto_won = Int(0, _MOST_POINTS, load_default=0)
    partida_won = Int(0, _MOST_POINTS, load_default=0)
    attendance = Int(0, _MOST_POINTS, load_default=0)


class SeasonIn(RequestSchema):
    """A new season."""

    name = Text(MAX_NAME, required=True)
    since = Day()
    until = Day()
    scoring = ma.fields.Nested(ScoringIn, load_default=lambda: ScoringIn().load({}))

    @ma.validates_schema
    def _in_order(self, data: dict[str, str], **_more: object) -> None:
        if data.get("until") and data.get("since", "") > data["until"]:
            raise ma.ValidationError({"until": wrong("not_a_day").messages})


class SessionIn(AtTable):
    """A new evening, with those who are there already."""

    date = Day(required=True)
    name = Text(MAX_NAME)
    place = Text(MAX_NAME)
    season = ma.fields.UUID(metadata={"description": "season that it counts for"})
    tables = Int(0, MOST_PLAYERS, load_default=0, metadata={"description": "0: enough"})
    present = ma.fields.List(
        ma.fields.Nested(PersonIn), load_default=list, validate=validate.Length(max=MOST_PLAYERS)
    )


class ArrivalsIn(RequestSchema):
    """Who came."""

    players = ma.fields.List(
        ma.fields.Nested(PersonIn), required=True, validate=validate.Length(1, MOST_PLAYERS)
    )


class DepartureIn(RequestSchema):
    """Who left."""

    person = ma.fields.String(required=True, validate=PERSON_ID)


def _sides(least: int, *, required: bool = False) -> ma.fields.List[Any]:
    """Sides, each of one person or of two."""
    person = ma.fields.String(validate=PERSON_ID)
    side: ma.fields.List[Any] = ma.fields.List(person, validate=validate.Length(1, 2))
    return ma.fields.List(side, validate=validate.Length(least, MOST_PLAYERS), required=required)


class DrawnTableIn(RequestSchema):
    """A table put by hand."""

    number = Int(1, MOST_PLAYERS, required=True)
    sides = _sides(2, required=True)


class EveningTablesIn(RequestSchema):
    """How tables are drawn: by a seed (or nothing, for one of the program), strength or hand."""

    method = choice("seed", "strength", "hand", required=True)
    seed = ma.fields.String(validate=_SEED)
    together = _sides(0)
    tables = ma.fields.List(
        ma.fields.Nested(DrawnTableIn), validate=validate.Length(1, MOST_PLAYERS)
    )

    @ma.validates_schema
    def _as_the_method_wants(self, data: dict[str, object], **_more: object) -> None:
        if data.get("method") == "hand" and "tables" not in data:
            raise ma.ValidationError({"tables": ma.fields.Field.default_error_messages["required"]})


class StandingRow(ResponseSchema):
    """A line of a table of points."""

    place = ma.fields.Integer(required=True)
    person = ma.fields.String(required=True)
    name = ma.fields.String(required=True, allow_none=True)
    points = ma.fields.Integer(required=True)
    items = listed("what the points are made of: reason, times, each, points", required=True)


class SeasonRow(ResponseSchema):
    """A season in a list."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True)
    name = ma.fields.String(required=True, allow_none=True)
    since = ma.fields.String(required=True)
    until = ma.fields.String(required=True)
    scoring = obj("points for each of these", required=True)
    closed = ma.fields.Boolean(required=True)


class SeasonView(SeasonRow):
    """A season with its table."""

    sessions = listed("its sessions, the latest 60, the last one first", required=True)
    standings = ma.fields.List(ma.fields.Nested(StandingRow), required=True)


class SessionRow(ResponseSchema):
    """A session in a list."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True)
    date = ma.fields.String(required=True)
    season = ma.fields.String(required=True)
    closed = ma.fields.Boolean(required=True)


class SessionView(SessionRow):
    """An evening: who is there, tables as drawn and as they play, its table of points."""

    names = obj("name of each person", required=True)
    present = ma.fields.List(ma.fields.String(), required=True)
    draws = listed("tables as drawn, the last one last", required=True)
    waiting = ma.fields.Boolean(
        required=True, metadata={"description": "the last draw is not opened yet"}
    )
    seal = ma.fields.String(
        required=True, metadata={"description": "what the next draw mixes with its seed"}
    )
    encuentros = listed("the encuentros of the evening", required=True)
    standings = ma.fields.List(ma.fields.Nested(StandingRow), required=True)


class SeasonList(ResponseSchema):
    """Every season."""

    component = "Seasons"

    items = ma.fields.List(ma.fields.Nested(SeasonRow), required=True)
    next = ma.fields.String(required=True, allow_none=True)


class Sessions(ResponseSchema):
    """The latest sessions."""

    items = ma.fields.List(ma.fields.Nested(SessionRow), required=True)
    next = ma.fields.String(required=True, allow_none=True)


class SeasonPlayerView(ResponseSchema):
    """A player in a season: results, partners and opponents, rating."""

    person = ma.fields.String(required=True)
    name = ma.fields.String(required=True, allow_none=True)
    row = ma.fields.Nested(StandingRow, required=True)
    form = listed("the last encuentros, the latest last", required=True)
    streak = obj("outcome and length of the current streak", required=True)
    longest = ma.fields.Integer(required=True, metadata={"description": "most won in a row"})
    partners = listed("with each partner: won, level, lost", required=True)
    opponents = listed("against each opponent: won, level, lost", required=True)
    ratings = listed("rating after each day of play", required=True)


class DrawnAnswer(Written):
    """Tables as they were drawn."""

    tables = listed("number, sides", required=True)
    seed = ma.fields.String(required=True)
    seal = ma.fields.String(required=True, metadata={"description": "mixed with the seed"})


class TablesOpenedAnswer(Written):
    """The encuentros of the tables, in their order."""

    encuentros = ma.fields.List(ma.fields.UUID(), required=True)
