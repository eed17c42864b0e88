"""Each request: its id, a line in the log, and its place in the metrics.

The line has the template of the route, never the address itself, which may hold a secret; ids of
those who ask, never a name; and no network address. Lines are written by a thread of their own: so
no request waits for whoever reads stderr, and lines that are made one after another take a fifth of
the processor time. A process that is killed loses those of the last tenth of a second.
"""

from __future__ import annotations

import os
import random
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, g, request
from structlog.typing import FilteringBoundLogger

from api.monitoring.log_lines import REQUEST
from api.monitoring.measures import NO_ROUTE, Labels, Measures
from api.monitoring.operators import Operators

ID_HEADER: Final = "X-Request-Id"
METRICS: Final = "/metrics"
PROBES: Final = ("/livez", "/healthz", "/readyz")
"""Asked every few seconds: a line is written only if the answer is no."""
CLUB: Final = "guinote.installed"
"""Where a request has the name of its club, of many in one installation."""
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_ID_BITS: Final = 64
_TOLD: Final = "guinote.told"
_PARAMETER: Final = re.compile(r"<(?:[^:<>]*:)?(\w+)>")
_FAILED: Final = "5"
GATHERED_S: Final = 0.1
MOST_WAITING: Final = 20_000
"""Lines that wait while stderr cannot be written; the oldest are dropped."""

MetricsPage = Callable[[str], tuple[bytes, str]]


def add_route_and_actor_hook(app: Flask) -> None:
    """Have an application note route and actor of each answer in the WSGI environment."""

    @app.after_request
    def _note_route_and_actor(response: Response) -> Response:
        rule, actor = request.url_rule, g.get("actor")
        request.environ[_TOLD] = rule and template_of_rule(rule.rule), actor and actor.by
        return response


def routes_of(app: Flask) -> list[Labels]:
    """Template and method of each route."""
    return [
        (template_of_rule(rule.rule), method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method != "OPTIONS"
    ]


@cache
def template_of_rule(rule: str) -> str:
    """A route with its parameters in braces, as the OpenAPI document has it.

    >>> template_of_rule("/e/<uuid:encuentro_id>/c/<int:c>")
    '/e/{encuentro_id}/c/{c}'
    """
    return _PARAMETER.sub(r"{\1}", rule)


def plain_id_or_new(sent: str) -> str:
    """The id that came with a request, if it is short and plain; else a new one.

    >>> plain_id_or_new("tablet-7.41"), len(plain_id_or_new("two words"))
    ('tablet-7.41', 16)
    >>> plain_id_or_new("") == plain_id_or_new("")
    False
    """
    if sent and _ID.fullmatch(sent):
        return sent
    return f"{random.getrandbits(_ID_BITS):016x}"


class AnsweredRequest(NamedTuple):
    """A request that was answered. ``at``: seconds since 1970; ``by``: an id, or None.

    ``club``: its name, of many in one installation; else empty.
    """

    at: float
    method: str
    route: str
    status: str
    seconds: float
    by: str | None
    id: str
    club: str = ""


class RequestLines:
    """The lines that are still to be written, and the thread of this process that writes them."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        self._log = log
        self._waiting: deque[AnsweredRequest] = deque(maxlen=MOST_WAITING)
        self._wake = threading.Event()
        self._turn = threading.Lock()
        self._process = 0

    def add(self, answered: AnsweredRequest) -> None:
        """Queue a line, which the thread writes soon."""
        self._waiting.append(answered)
        if self._process != os.getpid():  # a process that was forked has no thread yet
            self._process, self._wake, self._turn = os.getpid(), threading.Event(), threading.Lock()
            threading.Thread(target=self._run, name="lines", daemon=True).start()
        if not self._wake.is_set():
            self._wake.set()

    def flush(self) -> None:
        """Write all queued lines now."""
        with self._turn:
            while self._waiting:
                self._write_line(self._waiting.popleft())

    def _run(self) -> None:
        while True:
            self._wake.wait()
            time.sleep(GATHERED_S)
            self._wake.clear()
            self.flush()

    def _write_line(self, one: AnsweredRequest) -> None:
        more = {"club": one.club} if one.club else {}
        more |= {"by": one.by} if one.by else {}
        moment = datetime.fromtimestamp(one.at, UTC).isoformat(timespec="milliseconds")
        with suppress(OSError):  # stderr may be a file on a full disk
            self._log.info(
                "request",
                at=moment.replace("+00:00", "Z"),
                method=one.method,
                route=one.route,
                status=int(one.status),
                ms=round(one.seconds * 1000, 1),
                **more,
                request=one.id,
            )


class ObservedRequests:
    """WSGI middleware that gives each request an id, a line in the log, and a place in the metrics.

    ``page``: gives the metrics; to whom they are not shown, their address is an unknown one.
    """

    def __init__(
        self,
        app: WSGIApplication,
        measures: Measures,
        operators: Operators,
        page: MetricsPage,
        lines: RequestLines,
    ) -> None:
        self._app, self._measures, self._lines = app, measures, lines
        self._operators, self._page = operators, page

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        began = time.perf_counter()
        if environ["PATH_INFO"] == METRICS and self._operators.is_from_operator(environ):
            return self._send_metrics(environ, start_response)
        name = plain_id_or_new(environ.get("HTTP_X_REQUEST_ID", ""))
        during = REQUEST.set(name)
        status = "500"

        def start(line: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            nonlocal status
            status = line[:3]
            return start_response(line, [*headers, (ID_HEADER, name)], *error)

        try:
            return self._app(environ, start)
        finally:
            self._record_answer(environ, name, status, time.perf_counter() - began)
            REQUEST.reset(during)

    def _record_answer(
        self, environ: WSGIEnvironment, name: str, status: str, seconds: float
    ) -> None:
        route, by = environ.get(_TOLD, (None, None))
        known = (route, environ["REQUEST_METHOD"])
        route, method = known if known in self._measures.routes else NO_ROUTE
        self._measures.count_answer((route, method), status, seconds)
        if route not in PROBES or status[0] == _FAILED:
            club = environ.get(CLUB, "")
            self._lines.add(
                AnsweredRequest(time.time(), method, route, status, seconds, by, name, club)
            )

    def _send_metrics(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        page, media_type = self._page(environ.get("HTTP_ACCEPT", ""))
        headers = [
            ("Content-Type", media_type),
            ("Content-Length", str(len(page))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        start("200 OK", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [page]
