"""Schemas of a league: how it is opened, and what each of its acts holds."""

from __future__ import annotations

import typing
from typing import Any, Final

import marshmallow as ma
from marshmallow import validate

from api.http.fields import MAX_NAME, Day, Int, RequestSchema, Text, choice
from api.http.people import PersonIn
from referee.events.league import (
    KeptResults,
    LeagueRules,
    PartidaWinner,
    Signatures,
    TieBreak,
    WithdrawalRule,
)

MOST_DIVISIONS: Final = 30
MOST_TEAMS: Final = 1_000
MOST_PARTIDAS: Final = 30
MOST_DAYS: Final = 100
MOST_ACTS: Final = 100
_TIE_BREAKS: Final = typing.get_args(TieBreak)
_USUAL: Final = LeagueRules()
TEAM = r"\A[0-9]{1,4}\Z"
MATCH = r"\A[0-9]{1,2}-[0-9]{1,3}-[0-9]{1,3}\Z"
HOUR = r"\A([01][0-9]|2[0-3]):[0-5][0-9]\Z"


def _like(pattern: str, **more: Any) -> ma.fields.String:
    return ma.fields.String(validate=validate.Regexp(pattern), **more)


def _team(**more: Any) -> ma.fields.String:
    return _like(TEAM, **{"required": True, **more})


def _reason(**more: Any) -> Text:
    return Text(lines=True, **{"required": True, **more})


class LeagueRulesIn(RequestSchema):
    """How a league is played; `kept_from` in per cent."""

    partidas = Int(1, MOST_PARTIDAS, load_default=_USUAL.partidas)
    won = Int(most=100, load_default=_USUAL.won)
    level = Int(most=100, load_default=_USUAL.level)
    lost = Int(most=100, load_default=_USUAL.lost)
    legs = Int(1, 2, load_default=_USUAL.legs)
    tie_breaks = ma.fields.List(
        choice(*_TIE_BREAKS),
        load_default=lambda: list(_USUAL.tie_breaks),
        validate=validate.Length(0, len(_TIE_BREAKS)),
    )
    cards_cap = Int(load_default=_USUAL.cards_cap)
    withdrawal = choice(*typing.get_args(WithdrawalRule), load_default=_USUAL.withdrawal)
    kept_from = Int(most=100, load_default=_USUAL.kept_from)
    signatures = choice(*typing.get_args(Signatures), load_default=_USUAL.signatures)


class DivisionIn(RequestSchema):
    """A division; so many of its teams go up and down."""

    name = Text(MAX_NAME)
    promoted = Int(most=MOST_TEAMS, load_default=0)
    relegated = Int(most=MOST_TEAMS, load_default=0)


class LeagueIn(RequestSchema):
    """A new league."""

    name = Text(MAX_NAME, required=True)
    rules = ma.fields.Nested(LeagueRulesIn, load_default=lambda: LeagueRulesIn().load({}))
    divisions = ma.fields.List(
        ma.fields.Nested(DivisionIn),
        load_default=lambda: [DivisionIn().load({})],
        validate=validate.Length(1, MOST_DIVISIONS),
    )
    contact = Text(lines=True)


# --- acts, each by its kind ----------------------------------------------------------------------


class TeamEnterIn(RequestSchema):
    """A team takes part; it gets the next number."""

    name = Text(MAX_NAME, required=True)
    venue = Text(MAX_NAME)
    division = Int(1, MOST_DIVISIONS, load_default=1)


class TeamChangeIn(RequestSchema):
    """A team has another name or venue."""

    team = _team()
    name = Text(MAX_NAME, required=True)
    venue = Text(MAX_NAME)


class PlayerListIn(RequestSchema):
    """A player is on the list of a team, or is not any more, since a day."""

    team = _team()
    person = ma.fields.Nested(PersonIn, required=True)
    since = Day(required=True)


class LeagueCalendarIn(RequestSchema):
    """The calendar is made: a day for each round, the order of the teams if they were drawn."""

    days = ma.fields.List(Day(), required=True, validate=validate.Length(1, MOST_DAYS))
    time = _like(HOUR)
    order = ma.fields.List(_team(), validate=validate.Length(0, MOST_TEAMS))


class MatchMoveIn(RequestSchema):
    """A match is played on another day, at another hour, in another place."""

    match = _like(MATCH, required=True)
    date = Day(required=True)
    time = _like(HOUR)
    venue = Text(MAX_NAME)
    reason = _reason(required=False)


class MatchReasonIn(RequestSchema):
    """A match is postponed, annulled or open again, and why."""

    match = _like(MATCH, required=True)
    reason = _reason()


class LineupIn(RequestSchema):
    """The pairs of a team, in the order of the partidas."""

    match = _like(MATCH, required=True)
    team = _team()
    pairs = ma.fields.List(
        ma.fields.List(ma.fields.Nested(PersonIn), validate=validate.Length(equal=2)),
        required=True,
        validate=validate.Length(0, MOST_PARTIDAS),
    )


def _of_both() -> ma.fields.List[Any]:
    return ma.fields.List(Int(), load_default=lambda: [0, 0], validate=validate.Length(equal=2))


class PartidaToldIn(RequestSchema):
    """A partida of a match; each pair of numbers is of the home team and of the other one."""

    winner = choice(*typing.get_args(PartidaWinner), required=True)
    cotos = _of_both()
    cards = _of_both()


class MatchReportIn(RequestSchema):
    """Every partida of a match; without `by`, told by the organiser and official."""

    match = _like(MATCH, required=True)
    partidas = ma.fields.List(
        ma.fields.Nested(PartidaToldIn),
        required=True,
        validate=validate.Length(1, MOST_PARTIDAS),
    )
    by = _team(required=False)
    reason = _reason(required=False)


class MatchAnswerIn(RequestSchema):
    """A team agrees with a told result, or does not."""

    match = _like(MATCH, required=True)
    by = _team()


class MatchForfeitIn(RequestSchema):
    """Who did not come."""

    match = _like(MATCH, required=True)
    absent = ma.fields.List(_team(), required=True, validate=validate.Length(1, 2))
    reason = _reason()


class TeamSanctionIn(RequestSchema):
    """A team loses points; 0 warns it."""

    team = _team()
    points = Int(most=1_000, required=True)
    reason = _reason()
    article = Text(MAX_NAME)


class SanctionLiftIn(RequestSchema):
    """A sanction does not stand."""

    sanction = _team()
    reason = _reason()


class TeamWithdrawIn(RequestSchema):
    """A team plays no more; without `results`, they are kept or annulled as the rules say."""

    team = _team()
    reason = _reason()
    results = choice(*filter(None, typing.get_args(KeptResults)))


class OneTeamIn(RequestSchema):
    """A team."""

    team = _team()


class NothingMoreIn(RequestSchema):
    """The kind says all."""
