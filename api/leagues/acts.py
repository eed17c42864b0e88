"""Acts of a league in requests: their kinds, their schemas, and the events that they become."""

from __future__ import annotations

from typing import Final, cast

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.http import people
from api.http.acts.kinds import ActKinds, AskedAct, OneOfKindsField, values_of
from api.http.bodies import Body
from api.http.fields import RequestSchema
from api.http.names import fold_name
from api.http.services import PendingTexts, current_services
from api.leagues import schemas
from referee.aggregates.league.state import TeamLeague
from referee.events import Act
from referee.events import league as ev

_SHAPES: Final[dict[type[Act], type[RequestSchema]]] = {
    ev.TeamEntered: schemas.TeamEnterIn,
    ev.TeamChanged: schemas.TeamChangeIn,
    ev.PlayerRegistered: schemas.PlayerListIn,
    ev.PlayerReleased: schemas.PlayerListIn,
    ev.MatchesScheduled: schemas.LeagueCalendarIn,
    ev.MatchMoved: schemas.MatchMoveIn,
    ev.MatchPostponed: schemas.MatchReasonIn,
    ev.LineupNamed: schemas.LineupIn,
    ev.MatchReported: schemas.MatchReportIn,
    ev.MatchSigned: schemas.MatchAnswerIn,
    ev.MatchDenied: schemas.MatchAnswerIn,
    ev.MatchForfeited: schemas.MatchForfeitIn,
    ev.MatchAnnulled: schemas.MatchReasonIn,
    ev.MatchReopened: schemas.MatchReasonIn,
    ev.TeamSanctioned: schemas.TeamSanctionIn,
    ev.SanctionLifted: schemas.SanctionLiftIn,
    ev.TeamWithdrawn: schemas.TeamWithdrawIn,
    ev.TeamReturned: schemas.OneTeamIn,
    ev.TeamAddressRenewed: schemas.OneTeamIn,
    ev.LeagueClosed: schemas.NothingMoreIn,
    ev.LeagueReopened: schemas.NothingMoreIn,
}
KINDS: Final = ActKinds("LeagueAct", _SHAPES)


class LeagueActsIn(RequestSchema):
    """Acts of a league; all are recorded, or none."""

    acts = ma.fields.List(
        OneOfKindsField(KINDS), required=True, validate=validate.Length(1, schemas.MOST_ACTS)
    )


def event_of(asked: AskedAct, put: PendingTexts) -> ev.LeagueAct:
    """The event that an act becomes, with its texts and persons stored.

    :raises Problem: a person is unknown
    """
    values = values_of(asked, put)
    if asked.struct is ev.LineupNamed:
        named = {_identity(who): who for pair in values["pairs"] for who in pair}
        found = people.persons("pairs", named, put)
        values["pairs"] = [tuple(found[_identity(who)] for who in pair) for pair in values["pairs"]]
    return cast("ev.LeagueAct", msgspec.convert(values, asked.struct))


def drop_default_venue(asked: AskedAct, state: TeamLeague) -> AskedAct:
    """The act; a match that is moved to the venue of its home team has no venue of its own.

    So it stays at home if a calendar that is made again changes who is at home.
    """
    match = state.matches.get(asked.values.get("match", ""))
    venue = asked.values.get("venue", "")
    if asked.struct is not ev.MatchMoved or match is None or not venue:
        return asked
    usual = current_services().persons.text(state.teams[match.home].venue) or ""
    if fold_name(usual) != fold_name(venue):
        return asked
    return asked._replace(values={**asked.values, "venue": ""})


def _identity(who: Body) -> tuple[tuple[str, str], ...]:
    """How a person is given: two that are given alike are one."""
    return tuple(sorted(who.items()))
