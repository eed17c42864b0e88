"""Answers to requests that no route gets: problems in words all the same, and no store is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask

from api.http import problems
from api.http.access.security_headers import SecurityHeaders
from api.http.languages import COOKIE
from api.server.faults.answers import FaultProblem

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
        self._answer_with_headers = SecurityHeaders(self._answer)
        self._drawn = lru_cache(_MOST_KEPT)(self._draw)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Refuse a request."""
        return self._answer_with_headers(environ, start_response)

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with self._app.request_context(environ):
            answer = problems.answer_http_error(self._problem)
        return answer(environ, start_response)

    def answer_to(self, request: bytes, path: str, below: str) -> bytes:
        """The whole answer to a request, as bytes; drawn once for all that are refused alike.

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

    def _draw(
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

        def start(status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
            head.extend((f"HTTP/1.1 {status}", *(": ".join(one) for one in headers)))

        body = b"".join(self(environ, start))
        return "\r\n".join((*head, "Connection: close", "", "")).encode("latin-1") + body
