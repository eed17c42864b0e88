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
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, has_request_context, request

PREFIX_VARIABLE: Final = "GUINOTE_PREFIX"
"""The path below which a proxy serves the house, and which it takes away."""
_PREFIX: Final = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)+")


def prefix() -> str:
    """Path prefix of every address of the house of the request; usually empty."""
    return request.script_root if has_request_context() else ""


def cookie_path() -> str:
    """Path of the cookies of the house, so that they are sent to it only."""
    return prefix() or "/"


def add_prefix_to_templates(app: Flask) -> None:
    """Make the prefix available in every template."""
    app.context_processor(lambda: {"prefix": prefix()})


def is_from_page_below(*paths: str) -> bool:
    """Whether a request was sent by a page of this host that is at one of these paths, or below it.

    Not if it does not name its page. The scheme is not compared: a proxy may not have told it.
    """
    try:
        page = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return False
    begins = tuple(f"{one}/" for one in paths)
    return page.netloc == request.host and f"{page.path}/".startswith(begins)


def read_prefix(setting: str) -> str:
    """Path prefix from the text of a setting; empty for none.

    :raises ValueError: it is none

    >>> read_prefix("/guinote/")
    '/guinote'
    """
    found = setting.strip().rstrip("/")
    if found and not _PREFIX.fullmatch(found):
        raise ValueError("to be a path, such as /guinote")
    return found


class FixedPrefix:
    """WSGI middleware of a house below a prefix that a proxy takes away from every path."""

    def __init__(self, app: WSGIApplication, below: str) -> None:
        self._app, self._below = app, below

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        environ["SCRIPT_NAME"] = self._below
        return self._app(environ, start_response)
