"""Tournaments over HTTP: public, so that other sites can read them."""

from __future__ import annotations

from uuid import UUID

import msgspec
from flask import Response

from api.http.access import guard
from api.http.answers import answer_schema_reference
from api.http.bodies import Body
from api.http.rest import Noun, Page, answer_headers, reply, tag_of_view, takes_headers
from api.http.services import await_position
from api.tournaments import views as tournament_views

blp = Noun("tournaments", __name__, url_prefix="/api/v1/tournaments", description="Tournaments")


@blp.route("")
@guard.open_to_all
@takes_headers(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, answer_schema_reference(tournament_views.TournamentPageData))
def list_tournaments(query: Body) -> Response:
    """All tournaments, the latest first"""
    await_position()
    return reply(tournament_views.tournaments(query.get("cursor", ""), query["limit"]))


@blp.route("/<uuid:tournament_id>")
@guard.open_to_all
@takes_headers(tag=True, wait=True)
@blp.response(
    200,
    answer_schema_reference(tournament_views.LinkedTournamentData),
    headers=answer_headers(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_tournament(tournament_id: UUID) -> Response:
    """A tournament: pairs, draw, rounds, tables, brackets"""
    await_position()
    return _public_response(tournament_views.tournament_json(tournament_id))


@blp.route("/<uuid:tournament_id>/standings")
@guard.open_to_all
@takes_headers(tag=True, wait=True)
@blp.response(
    200,
    answer_schema_reference(tournament_views.TournamentTableData),
    headers=answer_headers(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_standings(tournament_id: UUID) -> Response:
    """The standings alone, each row with what explains it"""
    await_position()
    return _public_response(tournament_views.standings_json(tournament_id))


@blp.route("/<uuid:tournament_id>/draw")
@guard.open_to_all
@takes_headers()
@blp.response(200, answer_schema_reference(tournament_views.DrawFileData))
def draw_file(tournament_id: UUID) -> Response:
    """The draw as `guinote draw verify` reads it; before it is made, the commitment to it"""
    return reply(tournament_views.draw_file(tournament_id))


@blp.route("/<uuid:tournament_id>/former-draws/<int:number>")
@guard.open_to_all
@takes_headers()
@blp.response(200, answer_schema_reference(tournament_views.DrawFileData))
def former_draw_file(tournament_id: UUID, number: int) -> Response:
    """A draw that was taken back, by its number from 1, in the same form"""
    return reply(tournament_views.former_draw_file(tournament_id, number))


@blp.route("/<uuid:tournament_id>/repechage")
@guard.open_to_all
@takes_headers()
@blp.response(200, answer_schema_reference(tournament_views.DrawFileData))
def repechage_draw_file(tournament_id: UUID) -> Response:
    """The draw of the repechage in the form of the first one"""
    return reply(tournament_views.repechage_draw_file(tournament_id))


def _public_response(view: msgspec.Raw) -> Response:
    return reply(view, tag=tag_of_view(view), headers={"Cache-Control": "public, no-cache"})
