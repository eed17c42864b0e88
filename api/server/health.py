"""Health: whether the process answers, and whether it is ready."""

from __future__ import annotations

from typing import Literal, TypedDict

from flask import Response

from api.http.access import guard
from api.http.answers import typed
from api.http.problems import Problem
from api.http.rest import Noun, reply
from api.http.services import current_services

blp = Noun("health", __name__, description="For those who watch the machine")
MOST_BEHIND = 1000
"""Lag of the read side, in events, from which the process is not ready."""


class HealthData(TypedDict):
    """The process answers."""

    status: Literal["ok"]


class ReadinessData(TypedDict):
    """The process is ready; ``behind``: events that the read side has still to read."""

    status: Literal["ready"]
    behind: int


@blp.route("/healthz")
@guard.open_to_all
@blp.response(200, typed(HealthData))
def healthz() -> Response:
    """The process answers"""
    return reply({"status": "ok"})


@blp.route("/readyz")
@guard.open_to_all
@blp.response(200, typed(ReadinessData))
@blp.alt_response(503, "DEFAULT_ERROR")
def readyz() -> Response:
    """The log can be read, and the read side follows it"""
    try:
        here = current_services()
        last, read = here.referee.log.position(), here.reads.position()
    except Exception:  # noqa: BLE001 - whatever is wrong, the process is not ready
        raise Problem("unavailable") from None
    if last - read > MOST_BEHIND:
        raise Problem("unavailable", behind=last - read)
    return reply({"status": "ready", "behind": last - read})
