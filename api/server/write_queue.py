"""Admission: acts are worked on one at a time in a process, in the order in which they came in.

They would queue for the one file in any case. Threads that share an interpreter lose it at every
statement of SQLite to each other; one that has the turn runs through. It is given when the body is
here, so that nobody waits for a slow line, and ends before the answer is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from api.http.bodies import MAX_BYTES
from api.http.guard import SAFE_METHODS
from referee.log.durable import FairLock

_WRITES = "/api/v1/encuentros"
_LENGTH = re.compile(r"[0-9]{1,9}")


class RequestQueue:
    """An application whose writes to the log have their turn one after another."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._turns = FairLock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if not (_writes(environ) and _body_is_here(environ)):
            return self._app(environ, start_response)
        with self._turns:
            return self._app(environ, start_response)


def _writes(environ: WSGIEnvironment) -> bool:
    is_safe = environ["REQUEST_METHOD"] in SAFE_METHODS
    return not is_safe and environ.get("PATH_INFO", "").startswith(_WRITES)


def _body_is_here(environ: WSGIEnvironment) -> bool:
    """Take in the body; False if it is one that will be refused."""
    length = environ.get("CONTENT_LENGTH", "")
    if not _LENGTH.fullmatch(length) or int(length) > MAX_BYTES:
        return False
    try:
        body = environ["wsgi.input"].read(int(length))
    except OSError:  # the line broke: whoever reads on will see it
        return False
    environ["wsgi.input"] = BytesIO(body)
    return True
