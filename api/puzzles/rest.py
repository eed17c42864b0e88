"""The problem of the week over HTTP."""

from __future__ import annotations

from flask import Response

from api.http.access import guard
from api.http.answers import answer_schema_reference
from api.http.rest import Noun, answer_headers, reply, tag_of_view, takes_headers
from api.puzzles import views
from api.puzzles.views import WeekData, WeeksData

blp = Noun("puzzles", __name__, url_prefix="/api/v1/puzzles", description="Problems of the week")


@blp.route("")
@guard.requires("read")
@guard.open_when(views.is_public)
@takes_headers(tag=True)
@blp.response(200, answer_schema_reference(WeeksData), headers=answer_headers(tag=True))
@blp.alt_response(304, description="Not modified")
def list_weeks() -> Response:
    """Weeks that have a problem, the latest first"""
    found = WeeksData(weeks=views.every_week())
    return reply(found, tag=tag_of_view(found))


@blp.route("/<string(length=10):week>")
@guard.requires("read")
@guard.open_when(views.is_public_week)
@takes_headers(tag=True)
@blp.response(200, answer_schema_reference(WeekData), headers=answer_headers(tag=True))
@blp.alt_response(304, description="Not modified")
def show(week: str) -> Response:
    """The problem of a week, with its solution"""
    found = WeekData(week=week, puzzle=views.puzzle_of_week(week).puzzle)
    return reply(found, tag=tag_of_view(found))
