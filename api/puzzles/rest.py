"""The problem of the week over HTTP."""

from __future__ import annotations

from flask import Response

from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.rest import Noun, answer_header_schemas, reply, tag_of_view, takes_headers_and_query
from api.puzzles import views
from api.puzzles.views import WeekData, WeeksData

blp = Noun("puzzles", __name__, url_prefix="/api/v1/puzzles", description="Problems of the week")


@blp.route("")
@guard.requires("read")
@guard.open_when(views.may_everybody_see_puzzles)
@takes_headers_and_query(tag=True)
@blp.response(200, register_answer_schema(WeeksData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def list_weeks() -> Response:
    """Weeks that have a problem, the latest first"""
    found = WeeksData(weeks=views.weeks_with_puzzle())
    return reply(found, tag=tag_of_view(found))


@blp.route("/<string(length=10):week>")
@guard.requires("read")
@guard.open_when(views.may_everybody_see_week)
@takes_headers_and_query(tag=True)
@blp.response(200, register_answer_schema(WeekData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_week(week: str) -> Response:
    """The problem of a week, with its solution"""
    found = WeekData(week=week, puzzle=views.require_puzzle_of_week(week).puzzle)
    return reply(found, tag=tag_of_view(found))
