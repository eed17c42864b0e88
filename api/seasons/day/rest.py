"""The day of an evening, a tournament or an encuentro over HTTP."""

from __future__ import annotations

from uuid import UUID

from flask import Response, g

from api.http import answers
from api.http.access import guard
from api.http.bodies import Body
from api.http.fields import Day, FieldFault, RequestSchema
from api.http.problems import Problem
from api.http.rest import Noun, answer_header_schemas, response_to_write, takes_headers_and_query
from api.http.services import current_services, metadata_of_request
from referee.errors import NotFound
from referee.log.streams import Answer, WriteMetadata


class DayIn(RequestSchema):
    """The right day of an evening, an encuentro or a tournament."""

    date = Day(required=True)


def evening_id_or_empty(encuentro_id: UUID) -> str:
    """Id of the evening whose table an encuentro is; empty if it is of none.

    :raises NotFound: there is no such encuentro
    """
    here = current_services().referee
    opened = here.encuentros.encuentro(encuentro_id).opened
    assert opened is not None
    try:
        return str(here.seasons.session(UUID(opened.held_in)) and opened.held_in)
    except (NotFound, ValueError):  # of a tournament, or of nothing
        return ""


def correct_day_outside_evening(
    encuentro_id: UUID, day: str, made: WriteMetadata, expected: int | None
) -> Answer:
    """Correct the day of an encuentro that is of no evening.

    :raises Problem: it is a table of an evening, whose day is that of all its tables
    """
    if evening_id_or_empty(encuentro_id):
        raise Problem("invalid", errors={"json": {"date": [FieldFault("day_of_evening")]}})
    return current_services().referee.encuentros.correct_day(encuentro_id, day, made, expected)


blp = Noun("days", __name__, url_prefix="/api/v1", description="Days that a wrong clock gave")
_WRITE = answer_header_schemas(tag=True, replayed=True)


@blp.route("/sessions/<uuid:session_id>/day", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(DayIn)
@blp.response(200, answers.Written, headers=_WRITE)
def correct_session_day(body: Body, session_id: UUID) -> Response:
    """Correct the day of an evening and its tables, with results and after it closed"""
    handler, expected = current_services().referee.seasons, g.expected_version
    return response_to_write(
        handler.correct_session_day(session_id, body["date"], metadata_of_request(), expected)
    )


@blp.route("/encuentros/<uuid:encuentro_id>/day", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(DayIn)
@blp.response(200, answers.Written, headers=_WRITE)
def correct_encuentro_day(body: Body, encuentro_id: UUID) -> Response:
    """Correct the day of an encuentro that is of no evening, whatever was recorded at it"""
    expected = g.expected_version
    return response_to_write(
        correct_day_outside_evening(encuentro_id, body["date"], metadata_of_request(), expected)
    )


@blp.route("/tournaments/<uuid:tournament_id>/day", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(DayIn)
@blp.response(200, answers.Written, headers=_WRITE)
def correct_tournament_day(body: Body, tournament_id: UUID) -> Response:
    """Correct the day of a tournament and of its tables that had it, also after it closed"""
    handler, expected = current_services().referee.tournaments, g.expected_version
    return response_to_write(
        handler.correct_day(tournament_id, body["date"], metadata_of_request(), expected)
    )
