"""Tournaments over HTTP: public, so that other sites can read them."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Response

from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    Page,
    answer_header_schemas,
    reply,
    tag_of_view,
    takes_headers_and_query,
)
from api.http.services import await_position_in_request
from api.tournaments import views as tournament_views

blp = Noun("tournaments", __name__, url_prefix="/api/v1/tournaments", description="Tournaments")


@blp.route("")
@guard.open_to_all
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(tournament_views.TournamentPageData))
def list_tournaments(query: Body) -> Response:
    """All tournaments, the latest first"""
    await_position_in_request()
    return reply(tournament_views.tournament_list_page(query.get("cursor", ""), query["limit"]))


@blp.route("/<uuid:tournament_id>")
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200,
    register_answer_schema(tournament_views.LinkedTournamentData),
    headers=answer_header_schemas(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_tournament(tournament_id: UUID) -> Response:
    """A tournament: pairs, draw, rounds, tables, brackets"""
    await_position_in_request()
    return _public_response(tournament_views.tournament_view_raw_json(tournament_id))


@blp.route("/<uuid:tournament_id>/standings")
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200,
    register_answer_schema(tournament_views.TournamentTableData),
    headers=answer_header_schemas(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_standings(tournament_id: UUID) -> Response:
    """The standings alone, each row with what explains it"""
    await_position_in_request()
    return _public_response(tournament_views.standings_raw_json(tournament_id))


@blp.route("/<uuid:tournament_id>/draw")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, register_answer_schema(tournament_views.DrawFileData))
def show_draw_file(tournament_id: UUID) -> Response:
    """The draw as `guinote draw verify` reads it; before it is made, the commitment to it"""
    return reply(tournament_views.draw_file_view(tournament_id))


@blp.route("/<uuid:tournament_id>/former-draws/<int:number>")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, register_answer_schema(tournament_views.DrawFileData))
def show_former_draw_file(tournament_id: UUID, number: int) -> Response:
    """A draw that was taken back, by its number from 1, in the same form"""
    return reply(tournament_views.former_draw_file_view(tournament_id, number))


@blp.route("/<uuid:tournament_id>/repechage")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, register_answer_schema(tournament_views.DrawFileData))
def show_repechage_draw_file(tournament_id: UUID) -> Response:
    """The draw of the repechage in the form of the first one"""
    return reply(tournament_views.repechage_draw_file_view(tournament_id))


def _public_response(view: msgspec.Raw) -> Response:
    return reply(view, tag=tag_of_view(view), headers={"Cache-Control": "public, no-cache"})
