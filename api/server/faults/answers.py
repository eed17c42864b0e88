"""Answers to requests whose store fails: a problem that says what is wrong, not an internal error.

Whatever fails for every request is one line a minute in the log.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Response

from api.http import problems
from api.http.access.guard import NO_WRITES_RETRY_AFTER_S
from api.http.access.security_headers import SecurityHeaders
from api.http.languages import COOKIE
from api.http.problems import Problem
from api.http.services import house_component_or_none
from referee.log.faults import FaultLog, StoreFault, store_fault_or_none

RETRY_AFTER_S: Final = 1
_OF_THE_SYSTEM: Final = (sqlite3.DatabaseError, OSError)
"""Errors that are a fault of a store if their code says so."""


class FaultProblem(NamedTuple):
    """Code of a problem, and the seconds after which to try again."""

    code: str
    retry_after_s: int

    def problem(self) -> Problem:
        """Problem with this code and a ``Retry-After`` header."""
        return Problem(self.code, headers={"Retry-After": str(self.retry_after_s)})


_PROBLEMS: Final[dict[StoreFault | None, FaultProblem]] = {
    StoreFault.FULL: FaultProblem("disk_full", NO_WRITES_RETRY_AFTER_S),
    StoreFault.READ_ONLY: FaultProblem("read_only", NO_WRITES_RETRY_AFTER_S),
}


def store_problem(fault: StoreFault | None) -> FaultProblem:
    """Code of the problem, and time to wait, that a client is told for a fault of a store.

    >>> store_problem(StoreFault.FULL).code, store_problem(StoreFault.LOST).code
    ('disk_full', 'unavailable')
    """
    return _PROBLEMS.get(fault, FaultProblem("unavailable", RETRY_AFTER_S))


def register_store_faults(app: Flask, unusable: Sequence[type[Exception]]) -> None:
    """Register error handlers for failing stores.

    ``unusable``: Errors that always mean such a failure.

    Damage has the log checked at once, if it is.
    """
    log = FaultLog(app.logger)

    def answer_fault(error: Exception) -> Response:
        fault = store_fault_or_none(error)
        if fault is None and not isinstance(error, tuple(unusable)):
            raise error
        log.note("a store cannot be used", error)
        if (
            fault is StoreFault.DAMAGED
            and (check := house_component_or_none("log_check")) is not None
        ):
            check.request_early_check()
        return problems.answer_http_error(store_problem(fault).problem())

    for kind in (*unusable, *_OF_THE_SYSTEM):
        app.register_error_handler(kind, answer_fault)


_MOST_KEPT: Final = 256
_SAID: Final = re.compile(rb"\r\n(accept(?:-language)?):[ \t]*([^\r\n]*)", re.IGNORECASE)
_CHOSEN: Final = re.compile(
    rb"\r\ncookie:[^\r\n]*\b(%b=[a-z]{2})\b" % COOKIE.encode(), re.IGNORECASE
)
_METHODS: Final = ("GET", "HEAD")
"""Others are refused alike."""
_END: Final = b"\r\n\r\n"


class EarlyRefusal:
    """WSGI application that refuses each request with the same problem."""

    def __init__(self, app: Flask, code: str, retry_after_s: int) -> None:
        self._app, self._problem = app, FaultProblem(code, retry_after_s).problem()
        self._answer_with_headers = SecurityHeaders(self._answer_problem)
        self._drawn = lru_cache(_MOST_KEPT)(self._render)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Refuse a request."""
        return self._answer_with_headers(environ, start_response)

    def _answer_problem(
        self, environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        with self._app.request_context(environ):
            answer = problems.answer_http_error(self._problem)
        return answer(environ, start_response)

    def refusal_bytes(self, request: bytes, path: str, below: str) -> bytes:
        """Whole refusal of a request as bytes, cached for requests that are refused alike.

        ``path``: that of the request, after ``below``, the prefix of its addresses.
        """
        head = request[: request.find(_END) + 2]
        method, chosen = head.partition(b" ")[0].decode("latin-1"), _CHOSEN.search(head)
        said = {name.lower(): value.decode("latin-1") for name, value in _SAID.findall(head)}
        return self._drawn(
            method if method in _METHODS else "POST",
            "/api/" if path.startswith("/api/") else "/",
            below,
            said.get(b"accept", ""),
            said.get(b"accept-language", ""),
            chosen[1].decode() if chosen else "",
        )

    def _render(
        self, method: str, path: str, below: str, accept: str, languages: str, cookie: str
    ) -> bytes:
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": below,
            "PATH_INFO": path,
            "HTTP_ACCEPT": accept,
            "HTTP_ACCEPT_LANGUAGE": languages,
            "HTTP_COOKIE": cookie,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.url_scheme": "http",
        }
        head = list[str]()

        def keep_head(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
            head.extend((f"HTTP/1.1 {status}", *(": ".join(one) for one in headers)))

        body = b"".join(self(environ, keep_head))
        return "\r\n".join((*head, "Connection: close", "", "")).encode("latin-1") + body
