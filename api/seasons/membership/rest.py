"""The season of an evening over HTTP: what another one would change, and the change."""

from __future__ import annotations

from uuid import UUID

import marshmallow as ma
from flask import Response, g

from api.http import answers
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import RequestSchema
from api.http.rest import (
    Noun,
    answer_header_schemas,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.services import await_end_of_log, current_services, metadata_of_request
from api.seasons import sessions
from api.seasons.membership.outlook import MoveOutlookData, evening_move_outlook

blp = Noun(
    "session_seasons", __name__, url_prefix="/api/v1/sessions", description="Seasons of sessions"
)
_ONE = "/<uuid:session_id>/season"


class SessionSeasonIn(RequestSchema):
    """The season that an evening is to count for."""

    season = ma.fields.UUID(metadata={"description": "left out: it counts for none"})


@blp.route(_ONE, methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(SessionSeasonIn)
@blp.response(200, answers.Written, headers=answer_header_schemas(tag=True, replayed=True))
def move_evening(body: Body, session_id: UUID) -> Response:
    """Count an evening in a season or in none, with the results that it has and after it closed"""
    season = sessions.require_season(body.get("season"))
    handler = current_services().referee.seasons
    return response_to_write(
        handler.move_session_to_season(
            session_id, season, metadata_of_request(), g.expected_version
        )
    )


@blp.route(f"{_ONE}/preview", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query()
@blp.arguments(SessionSeasonIn)
@blp.response(200, register_answer_schema(MoveOutlookData))
def preview_evening_move(body: Body, session_id: UUID) -> Response:
    """The tables of the seasons that an evening would join or leave; nothing is recorded"""
    await_end_of_log()
    return reply(evening_move_outlook(session_id, sessions.require_season(body.get("season"))))
