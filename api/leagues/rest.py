"""Leagues over HTTP: public to read; an organiser opens them and records their acts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Response, g

from api.audit.trail import TrailPageData, trail_entries_from_cursor
from api.http.access import guard
from api.http.acts import AskedAct, UnstoredTexts
from api.http.answers import Written, register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    Page,
    answer_header_schemas,
    reply,
    response_to_write,
    tag_of_view,
    takes_headers_and_query,
)
from api.http.services import (
    are_team_leagues_public,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.leagues import views as league_views
from api.leagues.acts import LeagueActsIn, LeagueIn, build_event_of_act, drop_default_venue
from projections.leagues.standings import DivisionTable
from projections.leagues.views import LeagueStandingData
from referee.aggregates.league.state import TeamLeague
from referee.events.league import (
    LeagueAct,
    LeagueDivision,
    LeagueOpened,
    LeagueRules,
    TeamEntered,
    TeamId,
    TeamSanctioned,
)
from referee.log.streams import Answer, WriteMetadata


class MovedTeamData(msgspec.Struct, frozen=True):
    """A team whose row of the table would change: places and points before and after."""

    team: TeamId
    places: tuple[int, int]
    points: tuple[int, int]


class ChangedTableData(msgspec.Struct, frozen=True):
    """A division whose table would change, with its new table."""

    division: int
    moved: list[MovedTeamData]
    standings: list[LeagueStandingData]


class LeaguePreviewData(msgspec.Struct, frozen=True):
    """What acts would change. ``version``: of the league that this was worked out for."""

    version: int
    divisions: list[ChangedTableData]


def league_preview(league_id: UUID, acts: Sequence[LeagueAct]) -> LeaguePreviewData:
    """What acts would change in the tables of a league; nothing is recorded.

    :raises Refused: one of them is impossible
    """
    leagues = current_services().referee.leagues
    before = leagues.league(league_id)
    after = leagues.state_after_acts(league_id, acts)
    numbers = range(1, len(before.divisions) + 1)
    found = (_table_change_or_none(before, after, number) for number in numbers)
    return LeaguePreviewData(
        version=before.version, divisions=[one for one in found if one is not None]
    )


def _table_change_or_none(
    before: TeamLeague, after: TeamLeague, number: int
) -> ChangedTableData | None:
    rows = DivisionTable(after, number).rows()
    old = DivisionTable(before, number).rows()
    if rows == old:
        return None
    known = {row.team: row for row in old}
    moved: list[MovedTeamData] = [
        MovedTeamData(
            team=row.team,
            places=(known[row.team].place, row.place),
            points=(known[row.team].points, row.points),
        )
        for row in rows
        if row.team in known and row != known[row.team]
    ]
    return ChangedTableData(division=number, moved=moved, standings=rows)


blp = Noun("leagues", __name__, url_prefix="/api/v1/leagues", description="Leagues of teams")
_WRITE = answer_header_schemas(tag=True, replayed=True)


class LeagueWritten(Written):
    """What a write in a league recorded."""

    teams = ma.fields.List(
        ma.fields.String(), metadata={"description": "numbers of the teams that entered"}
    )
    sanctions = ma.fields.List(
        ma.fields.String(), metadata={"description": "numbers of the sanctions that were given"}
    )


@blp.route("")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(league_views.LeaguePageData))
def list_leagues(query: Body) -> Response:
    """All leagues, the latest first"""
    await_position_in_request()
    return reply(league_views.league_list_page(query.get("cursor", ""), query["limit"]))


@blp.route("", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True)
@blp.arguments(LeagueIn)
@blp.response(201, LeagueWritten, headers=_WRITE)
def open_league(body: Body) -> Response:
    """Open a league with its rules and its divisions"""
    answer = open_from_body(body, metadata_of_request())
    return response_to_write(answer, 201, location=league_views.league_api_address(answer.id))


def open_from_body(body: Body, asked: WriteMetadata) -> Answer:
    """Open a league from a body, and return the answer to the write.

    :raises Refused: its rules are not playable
    """
    with pending_texts() as put:
        divisions = tuple(
            LeagueDivision(put.add_text(one.get("name", "")), one["promoted"], one["relegated"])
            for one in body["divisions"]
        )
        act = LeagueOpened(
            put.add_text(body["name"]),
            msgspec.convert(body["rules"], LeagueRules),
            divisions,
            put.add_text(body.get("contact", "")),
        )
        return put.erase_if_replayed(current_services().referee.leagues.open(act, asked))


@blp.route("/<uuid:league_id>")
@guard.requires("read")
@guard.open_when(are_team_leagues_public)
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200,
    register_answer_schema(league_views.WholeLeagueData),
    headers=answer_header_schemas(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_league(league_id: UUID) -> Response:
    """A league: rules, teams, sanctions, and of each division the table and the matches"""
    await_position_in_request()
    view = league_views.league(league_id)
    kept = "public" if are_team_leagues_public() else "private"
    return reply(view, tag=tag_of_view(view), headers={"Cache-Control": f"{kept}, no-cache"})


@blp.route("/<uuid:league_id>/acts", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(LeagueActsIn)
@blp.response(200, LeagueWritten, headers=_WRITE)
def post_league_acts(body: Body, league_id: UUID) -> Response:
    """Record acts: teams, lists, calendar, results, sanctions, withdrawals, corrections"""
    answer = record_asked_acts(league_id, body["acts"], metadata_of_request(), g.expected_version)
    events = [one.event for one in answer.events]
    return response_to_write(
        answer,
        teams=[one.team for one in events if isinstance(one, TeamEntered)],
        sanctions=[one.sanction for one in events if isinstance(one, TeamSanctioned)],
    )


def record_asked_acts(
    league_id: UUID, acts: list[AskedAct], asked: WriteMetadata, version: int | None = None
) -> Answer:
    """Record acts of a request, with their names and texts; returns the answer to the write.

    :raises Refused: one of them is impossible
    """
    leagues = current_services().referee.leagues
    state = leagues.league(league_id)
    with pending_texts() as put:
        events = [build_event_of_act(drop_default_venue(one, state), put) for one in acts]
        return put.erase_if_replayed(leagues.record(league_id, events, asked, version))


@blp.route("/<uuid:league_id>/acts/preview", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query()
@blp.arguments(LeagueActsIn)
@blp.response(200, register_answer_schema(LeaguePreviewData))
def preview_acts(body: Body, league_id: UUID) -> Response:
    """The tables as they would be after acts; nothing is recorded"""
    events = [build_event_of_act(one, UnstoredTexts()) for one in body["acts"]]
    return reply(league_preview(league_id, events))


@blp.route("/<uuid:league_id>/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(TrailPageData))
def audit(query: Body, league_id: UUID) -> Response:
    """Who recorded what of a league, when and on which device"""
    await_position_in_request()
    current_services().referee.leagues.league(league_id)
    return reply(trail_entries_from_cursor(league_id, query.get("cursor", ""), query["limit"]))
