"""Schemas of a tournament."""

from __future__ import annotations

import typing

import marshmallow as ma
from marshmallow import validate

from api.http.answers import Written
from api.http.fields import (
    MAX_NAME,
    Bool,
    Day,
    Int,
    PublicText,
    RequestSchema,
    Text,
    choice_field,
    two_numbers_field,
)
from api.http.people import PersonIn
from api.money.amounts import MOST_CENTS, PrizeIn
from api.profiles.schemas import AtTable
from referee.aggregates.tournament.field import MOST
from referee.events.tournament import (
    AbsenceRule,
    Criterion,
    Format,
    Repechage,
    Settlement,
    TournamentPlan,
)

MOST_AT_ONCE = 64
"""Pairs that enter with one request."""
MOST_MINUTES = 600
LONGEST_WORD = 40
MOST_PRIZES = 8
MOST_SHIFTS = 6
MOST_NAMED = 64
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
_CRITERIA = typing.get_args(Criterion)
_USUAL = TournamentPlan("swiss").criteria


# --- what is asked for ---------------------------------------------------------------------------


class PointsIn(RequestSchema):
    """Points that the organiser gives."""

    won = Int(most=100, load_default=2)
    level = Int(most=100, load_default=1)
    lost = Int(most=100, load_default=0)
    bye = Int(most=100, load_default=2)
    absent = Int(most=100, load_default=0)
    late = Int(most=100, load_default=0)


class PlanIn(RequestSchema):
    """How a tournament is played."""

    format = choice_field(*typing.get_args(Format), required=True)
    has_consolation = Bool(load_default=False)
    has_third_place = Bool(load_default=False)
    groups = Int(most=MOST // 2, load_default=0)
    qualify = Int(most=MOST // 2, load_default=0)
    rounds = Int(most=MOST, load_default=0)
    criteria = ma.fields.List(
        choice_field(*_CRITERIA),
        load_default=lambda: list(_USUAL),
        validate=validate.Length(1, len(_CRITERIA)),
    )
    scoring = ma.fields.Nested(PointsIn, load_default=lambda: PointsIn().load({}))
    absence = choice_field(*typing.get_args(AbsenceRule), load_default="walkover")
    minutes = Int(most=MOST_MINUTES, load_default=0)
    tables = Int(most=MOST, load_default=0)
    consoles_absent = Bool(
        load_default=False,
        metadata={"description": "who lost because it did not come is in the consolation"},
    )
    repechage = choice_field(*typing.get_args(Repechage), load_default="none")


class TournamentIn(AtTable):
    """A new tournament."""

    name = Text(MAX_NAME, required=True)
    place = Text(MAX_NAME)
    date = Day()
    contact = Text(lines=True)
    plan = ma.fields.Nested(PlanIn, required=True)


class PlayersIn(RequestSchema):
    """Who plays for a pair."""

    players = ma.fields.List(
        ma.fields.Nested(PersonIn), required=True, validate=validate.Length(1, 2)
    )


class PairIn(PlayersIn):
    """A pair that enters; the strongest are seeded in a draw."""

    strength = Int(load_default=0)


class PairsIn(RequestSchema):
    """Pairs that enter."""

    pairs = ma.fields.List(
        ma.fields.Nested(PairIn), required=True, validate=validate.Length(1, MOST_AT_ONCE)
    )


class EntryFeeIn(RequestSchema):
    """Whether a pair has paid."""

    paid = Bool(required=True)


class AbsenceIn(RequestSchema):
    """A round in which a pair is not there."""

    round = Int(1, MOST, required=True)


_PAIR_OR_NONE = validate.Regexp(r"\A[0-9]{0,4}\Z")


class DrawToCommit(RequestSchema):
    """What is drawn: how many keep their places, where the word comes from, who is kept apart."""

    heads = Int(most=MOST, load_default=0)
    word_from = Text(MAX_NAME)
    apart = ma.fields.List(
        ma.fields.List(ma.fields.String(validate=_PAIR_OR_NONE)),
        validate=validate.Length(max=MOST),
        metadata={"description": "pairs of one bar each, who do not meet in round one"},
    )


class DrawTakenBackIn(RequestSchema):
    """Why a draw does not stand, for everybody to read."""

    reason = Text(required=True)


class PriceIn(RequestSchema):
    """What a pair pays, in cents, and the prizes by place."""

    fee = Int(0, MOST_CENTS, load_default=0)
    prizes = ma.fields.List(
        ma.fields.Nested(PrizeIn), load_default=list, validate=validate.Length(max=MOST_PRIZES)
    )


class RepechageToCommit(RequestSchema):
    """Where the word of the draw of a repechage comes from."""

    word_from = Text(MAX_NAME)


class WordIn(RequestSchema):
    """The word that was said once the commitment hung."""

    word = PublicText(LONGEST_WORD)


class TablesIn(RequestSchema):
    """Table of each meeting; without any, the lowest free ones."""

    tables = ma.fields.Dict(
        keys=ma.fields.String(validate=validate.Length(1, MAX_NAME)),
        values=Int(1, MOST),
        load_default=dict,
    )


class TableNamesIn(RequestSchema):
    """What the club calls its tables, the first one first."""

    names = ma.fields.List(
        ma.fields.String(validate=validate.Length(max=MAX_NAME)),
        required=True,
        validate=validate.Length(max=MOST_NAMED),
    )


class HoursIn(RequestSchema):
    """Hours of the shifts of a round, over which its open meetings are spread in their order."""

    hours = ma.fields.List(
        ma.fields.String(validate=validate.Regexp(rf"\A{_HOUR}\Z")),
        required=True,
        validate=validate.Length(max=MOST_SHIFTS),
    )


class HourIn(RequestSchema):
    """The hour of a meeting; empty for none."""

    hour = ma.fields.String(required=True, validate=validate.Regexp(rf"\A({_HOUR})?\Z"))


class ClockIn(RequestSchema):
    """Minutes of a round; none: as the plan says."""

    minutes = Int(most=MOST_MINUTES, load_default=0)


class PaperResult(RequestSchema):
    """The result of a meeting, reported on paper; an empty winner: level, or nobody came."""

    winner = ma.fields.String(required=True, validate=_PAIR_OR_NONE)
    cotos = two_numbers_field()
    partidas = two_numbers_field()
    is_walkover = Bool(load_default=False)


class SettlementIn(RequestSchema):
    """Which choice is taken; the winner as seen, so that no other result is settled."""

    what = choice_field(*typing.get_args(Settlement), required=True)
    winner = ma.fields.String(validate=_PAIR_OR_NONE)


# --- what comes of it ----------------------------------------------------------------------------


class Directed(Written):
    """What a write in a tournament recorded."""

    pairs = ma.fields.List(
        ma.fields.String(), metadata={"description": "numbers of the pairs that entered"}
    )
    commitment = ma.fields.String(metadata={"description": "of the draw, to be published"})
    encuentro = ma.fields.String(metadata={"description": "id of the one that was opened"})
