"""Results of evenings from a file, over HTTP: what it would write, and the write."""

from __future__ import annotations

import marshmallow as ma
import msgspec
from flask import Response

from api.club.rest import problem_of_cells
from api.club.schemas import FileIn
from api.http.access import guard
from api.http.answers import TypedField
from api.http.bodies import Body
from api.http.fields import ResponseSchema
from api.http.rest import (
    POSITION_HEADER,
    Noun,
    answer_header_schemas,
    reply,
    takes_headers_and_query,
)
from api.http.services import current_services, metadata_of_request
from api.profiles.schemas import ProfileIn
from api.results.files import import_commands
from api.results.files import plan as plans
from api.results.files.plan import ImportPlan, LineState, PlannedResult, Terms


class ResultsIn(FileIn):
    """Results of evenings as a table in a text; season and rules of evenings that are new."""

    season = ma.fields.UUID(metadata={"description": "season that they count for"})
    profile = ma.fields.Nested(ProfileIn)


class PlannedResultData(msgspec.Struct, frozen=True):
    """A result of a file: its sides by the names of their players, and what it would do.

    ``encuentro``: the table where it belongs, empty for a new one; ``stands``: what is written
    there otherwise.
    """

    line: int
    day: str
    table: int
    sides: list[list[str]]
    score: list[int]
    state: LineState
    encuentro: str
    stands: str


class ResultCountsData(msgspec.Struct, frozen=True):
    """How many results of a file are of each state."""

    new: int
    open: int
    known: int
    differs: int


class ResultsPreview(ResponseSchema):
    """What a file would write: each result, names that nobody has, columns nobody asks for."""

    lines = TypedField(list[PlannedResultData], required=True)
    counts = TypedField(ResultCountsData, required=True)
    names = ma.fields.List(ma.fields.String(), required=True)
    ignored = ma.fields.List(ma.fields.String(), required=True)


class ResultsWritten(ResponseSchema):
    """What a write came to: the position to wait for in a read."""

    position = ma.fields.Integer(required=True)


blp = Noun("results_file", __name__, url_prefix="/api/v1/sessions", description="Results in a file")


@blp.route("/file", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(ResultsIn)
@blp.response(200, ResultsWritten, headers=answer_header_schemas(replayed=True))
def import_results(body: Body) -> Response:
    """Results of a file written as evenings: all of it, or nothing if anything is wrong"""
    here = current_services()
    answer = here.referee.answer_to(metadata_of_request())
    if answer is None:
        plan, terms, opening = _plan_of_request(body)
        answer = import_commands.write_import(
            plan, terms, opening, lambda part: metadata_of_request(part=part)
        )
    position = here.reads.position() if answer is None else answer.position
    headers = {POSITION_HEADER: str(position)}
    if answer is not None and answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return reply({"position": position}, headers=headers)


@blp.route("/file/preview", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query()
@blp.arguments(ResultsIn)
@blp.response(200, ResultsPreview)
def preview(body: Body) -> Response:
    """What a file would write, line by line; nothing is recorded"""
    plan, _, _ = _plan_of_request(body)
    lines = [_result_view(one, evening.day) for evening in plan.evenings for one in evening.results]
    ignored = list(plan.ignored)
    return reply(
        {
            "lines": lines,
            "counts": plan.result_counts_by_state,
            "names": list(plan.new),
            "ignored": ignored,
        }
    )


def _plan_of_request(body: Body) -> tuple[ImportPlan, Terms, Body]:
    """The plan of a request's file, its terms, and the body that opens new evenings.

    :raises Problem: something in it is wrong; ``errors`` say where by line and column
    """
    asked: Body = {name: body[name] for name in ("season", "profile") if name in body}
    opening: Body = {**plans.new_evening_body({}), **asked}
    terms = plans.evening_terms(opening)
    plan = plans.plan_import(body["text"], terms, None)
    if plan.faults:
        raise problem_of_cells(plan.faults)
    return plan, terms, opening


def _result_view(one: PlannedResult, day: str) -> PlannedResultData:
    return PlannedResultData(
        line=one.line.line,
        day=day,
        table=one.line.table,
        sides=[[who.name for who in side.players] for side in one.sides],
        score=list(one.line.score),
        state=one.state,
        encuentro=one.encuentro,
        stands=one.stands,
    )
