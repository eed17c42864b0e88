"""Acts of a league in requests: their kinds, their schemas, and the events that they become."""

from __future__ import annotations

import typing
from typing import Any, Final, cast

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http import people
from api.http.acts import ActKinds, AskedAct, OneOfKindsField, store_act_texts
from api.http.bodies import Body
from api.http.fields import MAX_NAME, Day, Int, RequestSchema, Text, choice_field, two_numbers_field
from api.http.names import fold_name
from api.http.people import PersonIn
from api.http.services import PendingTexts, current_services
from referee.aggregates.league.state import TeamLeague
from referee.events import Act
from referee.events import league as ev
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


def _regexp_field(pattern: str, **more: Any) -> ma.fields.String:
    return ma.fields.String(validate=validate.Regexp(pattern), **more)


def _team_field(**more: Any) -> ma.fields.String:
    return _regexp_field(TEAM, **{"required": True, **more})


def _reason_field(**more: Any) -> Text:
    return Text(lines=True, **{"required": True, **more})


class LeagueRulesIn(RequestSchema):
    """How a league is played; `kept_from` in per cent."""

    partidas = Int(1, MOST_PARTIDAS, load_default=_USUAL.partidas)
    won = Int(most=100, load_default=_USUAL.won)
    level = Int(most=100, load_default=_USUAL.level)
    lost = Int(most=100, load_default=_USUAL.lost)
    legs = Int(1, 2, load_default=_USUAL.legs)
    tie_breaks = ma.fields.List(
        choice_field(*_TIE_BREAKS),
        load_default=lambda: list(_USUAL.tie_breaks),
        validate=validate.Length(0, len(_TIE_BREAKS)),
    )
    cards_cap = Int(load_default=_USUAL.cards_cap)
    withdrawal = choice_field(*typing.get_args(WithdrawalRule), load_default=_USUAL.withdrawal)
    kept_from = Int(most=100, load_default=_USUAL.kept_from)
    signatures = choice_field(*typing.get_args(Signatures), load_default=_USUAL.signatures)


class DivisionIn(RequestSchema):
    """A division, and how many of its teams are promoted and relegated."""

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

    team = _team_field()
    name = Text(MAX_NAME, required=True)
    venue = Text(MAX_NAME)


class PlayerListIn(RequestSchema):
    """A player is on the list of a team, or is not any more, since a day."""

    team = _team_field()
    person = ma.fields.Nested(PersonIn, required=True)
    since = Day(required=True)


class LeagueCalendarIn(RequestSchema):
    """The calendar is made: a day for each round, the order of the teams if they were drawn."""

    days = ma.fields.List(Day(), required=True, validate=validate.Length(1, MOST_DAYS))
    time = _regexp_field(HOUR)
    order = ma.fields.List(_team_field(), validate=validate.Length(0, MOST_TEAMS))


class MatchMoveIn(RequestSchema):
    """A match is played on another day, at another hour, in another place."""

    match = _regexp_field(MATCH, required=True)
    date = Day(required=True)
    time = _regexp_field(HOUR)
    venue = Text(MAX_NAME)
    reason = _reason_field(required=False)


class MatchReasonIn(RequestSchema):
    """A match is postponed, annulled or open again, and why."""

    match = _regexp_field(MATCH, required=True)
    reason = _reason_field()


class LineupIn(RequestSchema):
    """The pairs of a team, in the order of the partidas."""

    match = _regexp_field(MATCH, required=True)
    team = _team_field()
    pairs = ma.fields.List(
        ma.fields.List(ma.fields.Nested(PersonIn), validate=validate.Length(equal=2)),
        required=True,
        validate=validate.Length(0, MOST_PARTIDAS),
    )


class PartidaToldIn(RequestSchema):
    """A partida of a match; each pair of numbers is of the home team and of the other one."""

    winner = choice_field(*typing.get_args(PartidaWinner), required=True)
    cotos = two_numbers_field()
    cards = two_numbers_field()


class MatchReportIn(RequestSchema):
    """Every partida of a match; without `by`, told by the organiser and official."""

    match = _regexp_field(MATCH, required=True)
    partidas = ma.fields.List(
        ma.fields.Nested(PartidaToldIn),
        required=True,
        validate=validate.Length(1, MOST_PARTIDAS),
    )
    by = _team_field(required=False)
    reason = _reason_field(required=False)


class MatchAnswerIn(RequestSchema):
    """A team agrees with a told result, or does not."""

    match = _regexp_field(MATCH, required=True)
    by = _team_field()


class MatchForfeitIn(RequestSchema):
    """Who did not come."""

    match = _regexp_field(MATCH, required=True)
    absent = ma.fields.List(_team_field(), required=True, validate=validate.Length(1, 2))
    reason = _reason_field()


class TeamSanctionIn(RequestSchema):
    """A sanction: a team loses points; with 0 points it is only warned."""

    team = _team_field()
    points = Int(most=1_000, required=True)
    reason = _reason_field()
    article = Text(MAX_NAME)


class SanctionLiftIn(RequestSchema):
    """A sanction is lifted."""

    sanction = _team_field()
    reason = _reason_field()


class TeamWithdrawIn(RequestSchema):
    """A team withdraws; `results` says what becomes of its results, else the rules do."""

    team = _team_field()
    reason = _reason_field()
    results = choice_field(*filter(None, typing.get_args(KeptResults)))


class OneTeamIn(RequestSchema):
    """An act about one team, with no other field."""

    team = _team_field()


class NothingMoreIn(RequestSchema):
    """An act without fields: its kind says all."""


_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.TeamEntered: TeamEnterIn,
    ev.TeamChanged: TeamChangeIn,
    ev.PlayerRegistered: PlayerListIn,
    ev.PlayerReleased: PlayerListIn,
    ev.MatchesScheduled: LeagueCalendarIn,
    ev.MatchMoved: MatchMoveIn,
    ev.MatchPostponed: MatchReasonIn,
    ev.LineupNamed: LineupIn,
    ev.MatchReported: MatchReportIn,
    ev.MatchSigned: MatchAnswerIn,
    ev.MatchDenied: MatchAnswerIn,
    ev.MatchForfeited: MatchForfeitIn,
    ev.MatchAnnulled: MatchReasonIn,
    ev.MatchReopened: MatchReasonIn,
    ev.TeamSanctioned: TeamSanctionIn,
    ev.SanctionLifted: SanctionLiftIn,
    ev.TeamWithdrawn: TeamWithdrawIn,
    ev.TeamReturned: OneTeamIn,
    ev.TeamAddressRenewed: OneTeamIn,
    ev.LeagueClosed: NothingMoreIn,
    ev.LeagueReopened: NothingMoreIn,
}
KINDS: Final = ActKinds("LeagueAct", _SHAPES)


class LeagueActsIn(RequestSchema):
    """Acts of a league; all are recorded, or none."""

    acts = ma.fields.List(
        OneOfKindsField(KINDS), required=True, validate=validate.Length(1, MOST_ACTS)
    )


def build_event_of_act(asked: AskedAct, put: PendingTexts) -> ev.LeagueAct:
    """The event that an act becomes, with its texts and persons stored.

    :raises Problem: a person is unknown
    """
    values = store_act_texts(asked, put)
    if asked.struct is ev.LineupNamed:
        named = {_person_key(who): who for pair in values["pairs"] for who in pair}
        found = people.ids_of_persons("pairs", named, put)
        values["pairs"] = [
            tuple(found[_person_key(who)] for who in pair) for pair in values["pairs"]
        ]
    return cast("ev.LeagueAct", msgspec.convert(values, asked.struct))


def drop_default_venue(asked: AskedAct, state: TeamLeague) -> AskedAct:
    """The act, without the venue of a match if that is its home team's anyway.

    So it stays at home if a calendar that is made again changes who is at home.
    """
    match = state.matches.get(asked.values.get("match", ""))
    venue = asked.values.get("venue", "")
    if asked.struct is not ev.MatchMoved or match is None or not venue:
        return asked
    usual = current_services().persons.text_by_id(state.teams[match.home].venue) or ""
    if fold_name(usual) != fold_name(venue):
        return asked
    return asked._replace(values={**asked.values, "venue": ""})


def _person_key(who: Body) -> tuple[tuple[str, str], ...]:
    """Key by which one person in several acts of a request is recognised."""
    return tuple(sorted(who.items()))
