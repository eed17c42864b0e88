"""The day of an evening, a tournament or an encuentro over HTTP."""

from __future__ import annotations

from uuid import UUID

from flask import Response, g

from api.http import answers
from api.http.access import guard
from api.http.bodies import Body
from api.http.rest import Noun, headers_of, wants, write_answer
from api.http.services import current_services, meta
from api.seasons.day.correction import DayIn, correct_encuentro

blp = Noun("days", __name__, url_prefix="/api/v1", description="Days that a wrong clock gave")
_WRITE = headers_of(tag=True, replayed=True)


@blp.route("/sessions/<uuid:session_id>/day", methods=["POST"])
@guard.requires("club:manage")
@wants(key=True, match=True)
@blp.arguments(DayIn)
@blp.response(200, answers.Written, headers=_WRITE)
def correct_session_day(body: Body, session_id: UUID) -> Response:
    """Correct the day of an evening and its tables, with results and after it closed"""
    handler, expected = current_services().referee.seasons, g.expected_version
    return write_answer(handler.date_session(session_id, body["date"], meta(), expected))


@blp.route("/encuentros/<uuid:encuentro_id>/day", methods=["POST"])
@guard.requires("club:manage")
@wants(key=True, match=True)
@blp.arguments(DayIn)
@blp.response(200, answers.Written, headers=_WRITE)
def correct_encuentro_day(body: Body, encuentro_id: UUID) -> Response:
    """Correct the day of an encuentro that is of no evening, whatever was recorded at it"""
    expected = g.expected_version
    return write_answer(correct_encuentro(encuentro_id, body["date"], meta(), expected))


@blp.route("/tournaments/<uuid:tournament_id>/day", methods=["POST"])
@guard.requires("tournaments:run")
@wants(key=True, match=True)
@blp.arguments(DayIn)
@blp.response(200, answers.Written, headers=_WRITE)
def correct_tournament_day(body: Body, tournament_id: UUID) -> Response:
    """Correct the day of a tournament and of its tables that had it, also after it closed"""
    handler, expected = current_services().referee.tournaments, g.expected_version
    return write_answer(handler.correct_day(tournament_id, body["date"], meta(), expected))
