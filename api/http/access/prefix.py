"""The prefix: what stands before every address of the house, such as ``/guinote``; usually nothing.

A proxy serves the house below a path, or the first part of the path names a club. Routes and
``request.path`` know nothing of it. What leaves the house does: an address begins with
``{{ prefix }}/`` in a template, with ``f"{prefix()}/`` or by ``url_for`` in Python, and with
``${prefix}/`` in a module of a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, has_request_context, request

_FORWARDED: Final = "HTTP_X_FORWARDED_PREFIX"
_PREFIX: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")


def prefix() -> str:
    """What stands before the addresses of the house that is asked."""
    return request.script_root if has_request_context() else ""


def cookie_path() -> str:
    """Where a cookie of the house is sent: nowhere else on the same host."""
    return prefix() or "/"


def register(app: Flask) -> None:
    """Let every template write it."""
    app.context_processor(lambda: {"prefix": prefix()})


class ForwardedPrefix:
    """WSGI middleware that takes the prefix which a trusted proxy names, ``X-Forwarded-Prefix``.

    The proxy has taken it away from the path. ``hops``: proxies that each add a value.
    """

    def __init__(self, app: WSGIApplication, hops: int) -> None:
        self._app, self._hops = app, hops

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; what is no path is not taken."""
        if named := environ.get(_FORWARDED):
            given = named.split(",")[-self._hops :][0].strip().rstrip("/")
            if _PREFIX.fullmatch(given):
                environ["SCRIPT_NAME"] = given
        return self._app(environ, start_response)
