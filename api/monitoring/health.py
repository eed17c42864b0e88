"""Health: whether the process answers, and whether the service is ready."""

from __future__ import annotations

from typing import Any, Literal, cast

import msgspec
from flask import Blueprint, Response, current_app, g, request
from msgspec import UNSET, UnsetType

from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.clock.header import CLOCK_PARAMETER
from api.http.problems import Problem
from api.http.rest import Noun, document_parameters, reply, takes_headers_and_query
from api.http.services import current_services, house_component_or_none
from api.monitoring.operators import Operators
from api.monitoring.readiness import Readiness
from referee.log.mapper import timestamp_of_datetime

blp = Noun("health", __name__, description="For those who watch the machine")
plain = Blueprint("livez", __name__)
"""Not in the OpenAPI document: no client of the API asks for it."""


class HealthData(msgspec.Struct, frozen=True):
    """The process answers."""

    status: Literal["ok"]


class ServiceClockData(msgspec.Struct, frozen=True, kw_only=True):
    """The moment of the service. Who is signed in is told what is known of its clock.

    ``behind_s``: seconds that it is known to be behind, below 0 ahead; 0: it may be right.
    """

    now: str
    behind_s: int | UnsetType = UNSET


class ReadinessData(msgspec.Struct, frozen=True, kw_only=True):
    """The service is ready. Operators get each part."""

    status: Literal["ready"]
    behind: int | UnsetType = UNSET
    parts: dict[str, Any] | UnsetType = UNSET


@blp.route("/healthz")
@guard.open_to_all
@blp.response(200, register_answer_schema(HealthData))
def healthz() -> Response:
    """The process answers"""
    return reply({"status": "ok"})


@blp.route("/api/v1/clock")
@guard.shows_more_to_users
@guard.open_to_all
@takes_headers_and_query()
@document_parameters(CLOCK_PARAMETER)
@blp.response(200, register_answer_schema(ServiceClockData))
def clock() -> Response:
    """The clock of the service; somebody signed in sends the time of theirs, to be compared"""
    here = current_services()
    now = here.clock()
    behind_s = UNSET if g.actor is None else here.witnesses.behind_s(now)
    return reply(ServiceClockData(now=timestamp_of_datetime(now), behind_s=behind_s))


plain.add_url_rule("/livez", "livez", healthz)


@blp.route("/readyz")
@guard.open_to_all
@blp.response(200, register_answer_schema(ReadinessData))
@blp.alt_response(503, "DEFAULT_ERROR")
def readyz() -> Response:
    """Every store can be written and read"""
    report = cast("Readiness", house_component_or_none("readiness")).report()
    operators: Operators = current_app.extensions["operators"]
    is_operator = operators.is_from_operator(request.environ)
    if not is_operator:
        guard.count_token_if_wrong()
    more: dict[str, Any] = {"behind": report.view_lag, "parts": report} if is_operator else {}
    if not report.is_ready:
        raise Problem("unavailable", **more)
    return reply({"status": "ready", **more})
