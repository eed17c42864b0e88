"""The header in which a browser sends the time of its clock, and the service its own."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Final

from flask import Flask, Response, after_this_request, g, request

from api.http.access import guard
from api.http.clock.witnesses import BROWSERS_DIFFER_S
from api.http.moments import MOMENT
from api.http.services import current_services
from referee.log.mapper import timestamp_of_datetime

CLOCK_HEADER: Final = "Guinote-Clock"
CLOCK_PARAMETER: Final = {
    "name": CLOCK_HEADER,
    "in": "header",
    "description": (
        "The moment by the clock of the caller; the answer has that of the service if they are"
        " minutes apart."
    ),
    "schema": {"type": "string"},
}


def register_clock_header(app: Flask) -> None:
    """Have each request compare the clock of its caller with that of the service."""
    app.before_request(_note_caller_clock)


def _note_caller_clock() -> None:
    """Note the time that the clock of a known caller shows; a malformed header is ignored."""
    sent = request.headers.get(CLOCK_HEADER)
    moment = None if sent is None else _parse_moment(sent)
    if moment is None or g.get("actor") is None:
        return
    here = current_services()
    token, _ = guard.credential_and_kind()
    here.witnesses.note_browser_moment(sha256(token.encode()).hexdigest(), moment)
    now = here.clock()
    if abs((now - moment).total_seconds()) > BROWSERS_DIFFER_S:
        after_this_request(partial(_add_clock_header, timestamp_of_datetime(now)))


def _add_clock_header(moment: str, response: Response) -> Response:
    """Add the time of the service to an answer, for a caller whose clock differs."""
    response.headers[CLOCK_HEADER] = moment
    return response


def _parse_moment(sent: str) -> datetime | None:
    if not MOMENT.fullmatch(sent):
        return None
    try:
        return datetime.fromisoformat(sent)
    except ValueError:
        return None
