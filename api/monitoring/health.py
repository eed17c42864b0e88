"""Health: whether the process answers, and whether the service is ready."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from flask import Blueprint, Response, current_app, request

from api.http.access import guard
from api.http.answers import typed
from api.http.problems import Problem
from api.http.rest import Noun, reply
from api.monitoring.operators import Operators
from api.monitoring.readiness import Readiness

blp = Noun("health", __name__, description="For those who watch the machine")
plain = Blueprint("livez", __name__)
"""Not in the OpenAPI document: no client of the API asks for it."""


class HealthData(TypedDict):
    """The process answers."""

    status: Literal["ok"]


class ReadinessData(TypedDict):
    """The service is ready. Operators get each part."""

    status: Literal["ready"]
    behind: NotRequired[int]
    parts: NotRequired[dict[str, Any]]


@blp.route("/healthz")
@guard.open_to_all
@blp.response(200, typed(HealthData))
def healthz() -> Response:
    """The process answers"""
    return reply({"status": "ok"})


plain.add_url_rule("/livez", "livez", healthz)


@blp.route("/readyz")
@guard.open_to_all
@blp.response(200, typed(ReadinessData))
@blp.alt_response(503, "DEFAULT_ERROR")
def readyz() -> Response:
    """Every store can be written and read"""
    report = cast("Readiness", current_app.extensions["readiness"]).report()
    operators: Operators = current_app.extensions["operators"]
    is_operator = operators.sent(request.environ)
    if not is_operator:
        guard.count_guess()
    more: dict[str, Any] = {"behind": report.behind, "parts": report} if is_operator else {}
    if not report.is_ready:
        raise Problem("unavailable", **more)
    return reply({"status": "ready", **more})
