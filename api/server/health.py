"""Health: whether the process answers, and whether it is ready."""

from __future__ import annotations

from flask import Response

from api.http import guard
from api.http.problems import Problem
from api.http.rest import Noun, reply
from api.http.services import current_services

blp = Noun("health", __name__, description="For those who watch the machine")
MOST_BEHIND = 1000
"""Lag of the read side, in events, from which the process is not ready."""


@blp.route("/healthz")
@guard.open_to_all
@blp.response(200)
@blp.doc(security=[])
def healthz() -> Response:
    """The process answers"""
    return reply({"status": "ok"})


@blp.route("/readyz")
@guard.open_to_all
@blp.response(200)
@blp.alt_response(503, "DEFAULT_ERROR")
@blp.doc(security=[])
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
