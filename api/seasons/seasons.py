"""Seasons: sessions that count together, their table and everybody in it."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Response, g

from api.club.phones.book import forget_expired_phones
from api.http import answers, rest
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    answer_header_schemas,
    official_view_response,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import (
    PendingTexts,
    are_seasons_public,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.seasons import schemas
from api.seasons import views as season_views
from api.seasons.pair_views import PairInSeasonData, pair_results_in_season
from api.seasons.rules import require_rules_in_body
from referee import events as ev

blp = Noun("seasons", __name__, url_prefix="/api/v1/seasons", description="Seasons")
_WRITE = answer_header_schemas(tag=True, replayed=True)


def _record_act_and_respond(season_id: UUID, act: ev.SeasonAct) -> Response:
    expected = g.expected_version
    return response_to_write(
        current_services().referee.seasons.record_season_act(
            season_id, act, metadata_of_request(), expected
        )
    )


@blp.route("")
@guard.requires("read")
@guard.open_when(are_seasons_public)
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(season_views.SeasonListData))
def list_seasons() -> Response:
    """Every season, the latest first"""
    await_position_in_request()
    return reply({"items": season_views.every_season(), "next": None})


@blp.route("", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(schemas.SeasonIn)
@blp.response(201, answers.Written, headers=_WRITE)
def open_season(body: Body) -> Response:
    """Open a season with its rule of points"""
    scoring = msgspec.convert(body["scoring"], ev.SeasonScoring)
    with pending_texts() as put:
        days = body.get("since", ""), body.get("until", "")
        opened = ev.SeasonOpened(
            put.add_text(body["name"]), *days, scoring, body["of"], require_rules_in_body(body)
        )
        answer = put.erase_if_replayed(
            current_services().referee.seasons.open_season(opened, metadata_of_request())
        )
    return response_to_write(answer, 201, location=f"{prefix()}/api/v1/seasons/{answer.id}")


@blp.route("/<uuid:season_id>")
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200,
    register_answer_schema(season_views.WholeSeasonData),
    headers=answer_header_schemas(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_season(season_id: UUID) -> Response:
    """A season with its sessions and its table of points"""
    await_position_in_request()
    return official_view_response(season_views.complete_season_view(season_id))


@blp.route("/<uuid:season_id>/players/<string(length=32):person_id>")
@guard.open_to_all
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(season_views.SeasonPlayerData))
def show_player(season_id: UUID, person_id: str) -> Response:
    """Somebody in a season: form, streaks, with and against whom, rating after each day"""
    await_position_in_request()
    return reply(season_views.player_results_in_season(season_id, person_id))


@blp.route("/<uuid:season_id>/pairs/<string(length=32):pair_id>")
@guard.open_to_all
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(PairInSeasonData))
def show_pair(season_id: UUID, pair_id: str) -> Response:
    """A pair in a season of pairs: form, streaks, against whom, rating after each day"""
    await_position_in_request()
    return reply(pair_results_in_season(season_id, pair_id))


@blp.route("/<uuid:season_id>/scoring", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.ScoringIn)
@blp.response(200, answers.Written, headers=_WRITE)
def set_scoring(body: Body, season_id: UUID) -> Response:
    """Set another rule of points, for the whole season"""
    return _record_act_and_respond(
        season_id, ev.ScoringSet(msgspec.convert(body, ev.SeasonScoring))
    )


@blp.route("/<uuid:season_id>/calendar", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.CalendarIn)
@blp.response(200, answers.Written, headers=_WRITE)
def set_calendar(body: Body, season_id: UUID) -> Response:
    """Set the days on which evenings are to be held, all at once"""
    with pending_texts() as put:
        act = calendar_act_of_body(body, put)
        expected = g.expected_version
        seasons = current_services().referee.seasons
        answer = put.erase_if_replayed(
            seasons.record_season_act(season_id, act, metadata_of_request(), expected)
        )
    return response_to_write(answer)


def calendar_act_of_body(body: Body, put: PendingTexts) -> ev.CalendarSet:
    """The act of a calendar, in the order of its days; equal places are stored as one text."""
    days = sorted(body["sessions"], key=lambda one: str(one["date"]))
    places = list(dict.fromkeys(one.get("place", "") for one in days))
    ids = dict(zip(places, put.add_texts(places), strict=True))
    return ev.CalendarSet(
        tuple(
            ev.PlannedSession(one["date"], one.get("time", ""), ids[one.get("place", "")])
            for one in days
        )
    )


@blp.route("/<uuid:season_id>/closing", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.response(200, answers.Written, headers=_WRITE)
def close_season(season_id: UUID) -> Response:
    """Close a season: no session is added any more; results may still be corrected"""
    rest.refuse_body()
    closed = _record_act_and_respond(season_id, ev.SeasonClosed())
    forget_expired_phones(current_services())
    return closed
