"""Schemas of sessions and seasons."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http.answers import TypedField, Written
from api.http.fields import (
    MAX_NAME,
    SEED,
    Day,
    FieldFault,
    Int,
    RequestSchema,
    Text,
    choice_field,
    error_with_fault_code,
)
from api.http.people import PERSON_ID, PersonIn
from api.profiles.schemas import PROFILE_ID, AtTable, ProfileIn
from projections.facts import DrawnTableFactData
from referee.events import SeasonScoring

MOST_PLAYERS = 200
MOST_PAIRS = MOST_PLAYERS // 2
MOST_DAYS = 400
"""Most days of a calendar: more than a year of them."""
_MOST_POINTS = 100
_TIME = validate.Regexp(r"\A([01][0-9]|2[0-3]):[0-5][0-9]\Z")
_SEED = validate.Regexp(SEED)


def _competitor_kind_field() -> ma.fields.String:
    """Field that says whether persons or pairs compete."""
    more = {"description": "persons, whose partners are drawn, or fixed pairs"}
    return choice_field("persons", "pairs", load_default="persons", metadata=more)


class ScoringIn(RequestSchema):
    """Points for each counted item; an item that is left out has its default."""

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
    of = _competitor_kind_field()
    rules = ma.fields.String(
        validate=PROFILE_ID,
        metadata={"description": "profile or rules of the club, for evenings that name none"},
    )

    @ma.validates_schema
    def _refuse_until_before_since(self, data: dict[str, str], **_more: object) -> None:
        if data.get("until") and data.get("since", "") > data["until"]:
            raise ma.ValidationError({"until": error_with_fault_code("not_a_day").messages})


class ArrivingPairIn(RequestSchema):
    """A pair: one of the club by id, or two persons who are one, with a name or without."""

    pair = ma.fields.String(validate=PERSON_ID)
    players = ma.fields.List(ma.fields.Nested(PersonIn), validate=validate.Length(2, 2))
    name = Text(MAX_NAME)

    @ma.validates_schema
    def _require_exactly_one(self, data: dict[str, Any], **_more: Any) -> None:
        if ("pair" in data) == ("players" in data) or ("pair" in data and "name" in data):
            raise error_with_fault_code("pair_or_players")


class PlannedSessionIn(RequestSchema):
    """A day on which an evening is to be held."""

    date = Day(required=True)
    time = ma.fields.String(validate=_TIME, metadata={"description": "as ``20:30``"})
    place = Text(MAX_NAME)


class CalendarIn(RequestSchema):
    """The calendar of a season; it replaces the earlier one."""

    sessions = ma.fields.List(
        ma.fields.Nested(PlannedSessionIn), required=True, validate=validate.Length(max=MOST_DAYS)
    )

    @ma.validates_schema
    def _refuse_day_twice(self, data: dict[str, list[dict[str, str]]], **_more: object) -> None:
        days = [one["date"] for one in data["sessions"]]
        if len(set(days)) < len(days):
            raise ma.ValidationError({"sessions": error_with_fault_code("day_twice").messages})


class SessionTermsIn(AtTable):
    """How an evening is held: when, where, for which season, by which rules, else the season's."""

    profile = ma.fields.Nested(ProfileIn)
    date = Day(required=True)
    name = Text(MAX_NAME)
    place = Text(MAX_NAME)
    season = ma.fields.UUID(metadata={"description": "season that it counts for"})
    tables = Int(0, MOST_PLAYERS, load_default=0, metadata={"description": "0: enough"})


class SessionIn(SessionTermsIn):
    """A new evening, with those who are there already."""

    present = ma.fields.List(
        ma.fields.Nested(PersonIn), load_default=list, validate=validate.Length(max=MOST_PLAYERS)
    )
    pairs = ma.fields.List(
        ma.fields.Nested(ArrivingPairIn),
        load_default=list,
        validate=validate.Length(max=MOST_PAIRS),
    )
    of = _competitor_kind_field()


class ArrivalsIn(RequestSchema):
    """Who came: players, or pairs to an evening of pairs."""

    players = ma.fields.List(
        ma.fields.Nested(PersonIn), load_default=list, validate=validate.Length(max=MOST_PLAYERS)
    )
    pairs = ma.fields.List(
        ma.fields.Nested(ArrivingPairIn),
        load_default=list,
        validate=validate.Length(max=MOST_PAIRS),
    )

    @ma.validates_schema
    def _require_arrival(self, data: dict[str, Any], **_more: object) -> None:
        if not data.get("players") and not data.get("pairs"):
            raise ma.ValidationError({"players": [FieldFault("too_short", min=1)]})


class DepartureIn(RequestSchema):
    """Who left: a person, or a pair of an evening of pairs."""

    person = ma.fields.String(validate=PERSON_ID)
    pair = ma.fields.String(validate=PERSON_ID)

    @ma.validates_schema
    def _require_exactly_one(self, data: dict[str, Any], **_more: object) -> None:
        if len(data) != 1:
            raise error_with_fault_code("person_or_pair")


def _sides_field(least: int, *, required: bool = False) -> ma.fields.List[Any]:
    """Field for sides, each of one person or of two."""
    person = ma.fields.String(validate=PERSON_ID)
    side: ma.fields.List[Any] = ma.fields.List(person, validate=validate.Length(1, 2))
    return ma.fields.List(side, validate=validate.Length(least, MOST_PLAYERS), required=required)


class DrawnTableIn(RequestSchema):
    """A table put by hand."""

    number = Int(1, MOST_PLAYERS, required=True)
    sides = _sides_field(2, required=True)


class EveningTablesIn(RequestSchema):
    """How tables are drawn: by a seed (or nothing, for one of the program), strength or hand.

    Rotation: by the seed too, with those who met least in the evening.
    """

    method = choice_field("seed", "rotation", "strength", "hand", required=True)
    seed = ma.fields.String(validate=_SEED)
    together = _sides_field(0)
    tables = ma.fields.List(
        ma.fields.Nested(DrawnTableIn), validate=validate.Length(1, MOST_PLAYERS)
    )

    @ma.validates_schema
    def _require_tables_by_hand(self, data: dict[str, object], **_more: object) -> None:
        if data.get("method") == "hand" and "tables" not in data:
            raise ma.ValidationError({"tables": ma.fields.Field.default_error_messages["required"]})


class DrawnAnswer(Written):
    """Tables as they were drawn. ``unconfirmed``: encuentros here whose result is not sure.

    Ask before the drawn tables play over these.
    """

    unconfirmed = ma.fields.List(ma.fields.UUID(), required=True)
    tables = TypedField(list[DrawnTableFactData], "number, sides", required=True)
    seed = ma.fields.String(required=True)
    seal = ma.fields.String(required=True, metadata={"description": "mixed with the seed"})


class TablesOpenedAnswer(Written):
    """The encuentros of the tables, in their order."""

    encuentros = ma.fields.List(ma.fields.UUID(), required=True)
