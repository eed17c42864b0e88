"""Leagues over HTTP: public to read; an organiser opens them and records their acts."""

from __future__ import annotations

from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Response, g

from api.audit.trail import TrailPageData
from api.audit.trail import audit as trail_of
from api.http.access import guard
from api.http.acts.kinds import AskedAct, UnstoredTexts
from api.http.answers import Written, schema_of
from api.http.bodies import Body
from api.http.rest import Noun, Page, headers_of, reply, tag_of, wants, write_answer
from api.http.services import (
    await_position,
    current_services,
    is_league_of_teams_public,
    meta,
    pending_texts,
)
from api.leagues import previews
from api.leagues import views as league_views
from api.leagues.acts import LeagueActsIn, drop_default_venue, event_of
from api.leagues.schemas import LeagueIn
from referee.events.league import (
    LeagueDivision,
    LeagueOpened,
    LeagueRules,
    TeamEntered,
    TeamSanctioned,
)
from referee.log.streams import Answer, WriteMetadata

blp = Noun("leagues", __name__, url_prefix="/api/v1/leagues", description="Leagues of teams")
_WRITE = headers_of(tag=True, replayed=True)


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
@guard.open_when(is_league_of_teams_public)
@wants(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, schema_of(league_views.LeaguePageData))
def list_leagues(query: Body) -> Response:
    """All leagues, the latest first"""
    await_position()
    return reply(league_views.leagues(query.get("cursor", ""), query["limit"]))


@blp.route("", methods=["POST"])
@guard.requires("tournaments:run")
@wants(key=True)
@blp.arguments(LeagueIn)
@blp.response(201, LeagueWritten, headers=_WRITE)
def open_league(body: Body) -> Response:
    """Open a league with its rules and its divisions"""
    answer = open_from_body(body, meta())
    return write_answer(answer, 201, location=league_views.address(answer.id))


def open_from_body(body: Body, asked: WriteMetadata) -> Answer:
    """Open a league from a body.

    :raises Refused: its rules are not playable
    """
    with pending_texts() as put:
        divisions = tuple(
            LeagueDivision(put.text(one.get("name", "")), one["promoted"], one["relegated"])
            for one in body["divisions"]
        )
        act = LeagueOpened(
            put.text(body["name"]),
            msgspec.convert(body["rules"], LeagueRules),
            divisions,
            put.text(body.get("contact", "")),
        )
        return put.settle(current_services().referee.leagues.open(act, asked))


@blp.route("/<uuid:league_id>")
@guard.requires("read")
@guard.open_when(is_league_of_teams_public)
@wants(tag=True, wait=True)
@blp.response(200, schema_of(league_views.WholeLeagueData), headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show(league_id: UUID) -> Response:
    """A league: rules, teams, sanctions, and of each division the table and the matches"""
    await_position()
    view = league_views.league(league_id)
    kept = "public" if is_league_of_teams_public() else "private"
    return reply(view, tag=tag_of(view), headers={"Cache-Control": f"{kept}, no-cache"})


@blp.route("/<uuid:league_id>/acts", methods=["POST"])
@guard.requires("tournaments:run")
@wants(key=True, match=True)
@blp.arguments(LeagueActsIn)
@blp.response(200, LeagueWritten, headers=_WRITE)
def record(body: Body, league_id: UUID) -> Response:
    """Record acts: teams, lists, calendar, results, sanctions, withdrawals, corrections"""
    answer = record_asked(league_id, body["acts"], meta(), g.expected_version)
    events = [one.event for one in answer.events]
    return write_answer(
        answer,
        teams=[one.team for one in events if isinstance(one, TeamEntered)],
        sanctions=[one.sanction for one in events if isinstance(one, TeamSanctioned)],
    )


def record_asked(
    league_id: UUID, acts: list[AskedAct], asked: WriteMetadata, version: int | None = None
) -> Answer:
    """Record acts of a request, with their names and texts.

    :raises Refused: one of them is impossible
    """
    leagues = current_services().referee.leagues
    state = leagues.league(league_id)
    with pending_texts() as put:
        events = [event_of(drop_default_venue(one, state), put) for one in acts]
        return put.settle(leagues.record(league_id, events, asked, version))


@blp.route("/<uuid:league_id>/acts/preview", methods=["POST"])
@guard.requires("tournaments:run")
@wants()
@blp.arguments(LeagueActsIn)
@blp.response(200, schema_of(previews.LeaguePreviewData))
def preview(body: Body, league_id: UUID) -> Response:
    """The tables as they would be after acts; nothing is recorded"""
    events = [event_of(one, UnstoredTexts()) for one in body["acts"]]
    return reply(previews.preview(league_id, events))


@blp.route("/<uuid:league_id>/audit")
@guard.requires("audit:read")
@wants(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, schema_of(TrailPageData))
def audit(query: Body, league_id: UUID) -> Response:
    """Who recorded what of a league, when and on which device"""
    await_position()
    current_services().referee.leagues.league(league_id)
    return reply(trail_of(league_id, query.get("cursor", ""), query["limit"]))
