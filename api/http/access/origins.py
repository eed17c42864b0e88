"""Origins: sites of others whose pages may embed pieces of ours, or read the API."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from flask import Flask, Response, current_app, request

from api.http.access.roles import OPEN

EMBED_VARIABLE: Final = "GUINOTE_EMBED_ORIGINS"
"""Sites that may show the pieces of ``/incrustar/`` in a frame, separated by commas."""
CORS_VARIABLE: Final = "GUINOTE_CORS_ORIGINS"
"""Sites whose scripts may read the public API, separated by commas."""
_ORIGIN: Final = re.compile(r"(https?)://([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?/?")
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}
API: Final = "/api/v1/"
_ASKED: Final = "If-None-Match, Guinote-Position"
_TOLD: Final = "ETag, Guinote-Position, Retry-After, X-Request-Id"
_ASKED_OF_ALL: Final = "Accept-Language, Authorization, Content-Type, Guinote-Device"
_ASKED_WITH_TOKEN: Final = f"{_ASKED_OF_ALL}, Idempotency-Key, If-Match, {_ASKED}"
_TOLD_WITH_TOKEN: Final = f"Guinote-View, Idempotent-Replayed, Location, WWW-Authenticate, {_TOLD}"
_METHODS: Final = "DELETE, GET, HEAD, POST"
_PREFLIGHT_S: Final = 600


def read_origins(text: str) -> tuple[str, ...]:
    """Origins in the text of a setting, normalised as browsers send them.

    >>> read_origins("https://Club.example, http://localhost:8080/,https://other.example:443")
    ('https://club.example', 'http://localhost:8080', 'https://other.example')

    :raises ValueError: one is no origin; the message names it
    """
    return tuple(_parse_origin(one.strip()) for one in text.split(",") if one.strip())


def _parse_origin(given: str) -> str:
    found = _ORIGIN.fullmatch(given.lower())
    if found is None:
        message = f"{given!r} is no origin, such as https://club.example"
        raise ValueError(message)
    scheme, host, port = found.groups()
    is_default = port is None or port == _DEFAULT_PORTS[scheme]
    return f"{scheme}://{host}" if is_default else f"{scheme}://{host}:{port}"


def embedding_sites() -> tuple[str, ...]:
    """Origins whose pages may embed ours; empty unless a setting names some."""
    found: tuple[str, ...] = current_app.extensions.get("embedding", ())
    return found


def set_allowed_origins(app: Flask, embedding: tuple[str, ...], reading: tuple[str, ...]) -> None:
    """Set the origins that may embed our pages, and those that may read the public API."""
    app.extensions |= {"embedding": embedding, "reading": reading}


def allow_reading(response: Response, reading: tuple[str, ...]) -> Response:
    """The same response, with CORS headers if it is a public read and its origin may read it.

    Reading alone, and without credentials: no answer says that they are allowed, so that a browser
    shows no script what a cookie opened, and ``Authorization`` is not among the allowed headers.
    """
    if not _is_public_read():
        return response
    response.vary.add("Origin")
    asked = request.headers.get("Origin", "")
    if asked not in reading:
        return response
    response.headers["Access-Control-Allow-Origin"] = asked
    response.headers["Access-Control-Expose-Headers"] = _TOLD
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        response.headers["Access-Control-Allow-Methods"] = "GET, HEAD"
        response.headers["Access-Control-Allow-Headers"] = _ASKED
        response.headers["Access-Control-Max-Age"] = str(_PREFLIGHT_S)
    return response


def is_cross_site() -> bool:
    """Whether a request was sent by a page of another site."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in ("same-origin", "none")
    return request.headers["Origin"] != f"{request.scheme}://{request.host}"


def is_preflight() -> bool:
    """Whether a request is a CORS preflight for the API."""
    is_asked = {"Origin", "Access-Control-Request-Method"} <= set(request.headers.keys())
    return is_asked and request.path.startswith(API)


def preflight_answer_or_none(named: Collection[str]) -> Response | None:
    """Answer to a CORS preflight from an origin that a token names; None for other origins.

    A browser asks without the token. The answer to the request itself is for the sites of its own
    token alone.
    """
    asked = request.headers["Origin"]
    if asked not in named:
        return None
    response = Response(status=204)
    response.vary.add("Origin")
    response.headers["Access-Control-Allow-Origin"] = asked
    response.headers["Access-Control-Allow-Methods"] = _METHODS
    response.headers["Access-Control-Allow-Headers"] = _ASKED_WITH_TOKEN
    response.headers["Access-Control-Max-Age"] = str(_PREFLIGHT_S)
    return response


def allow_with_token(response: Response, named: Collection[str]) -> Response:
    """The same response, with CORS headers if the token names the origin."""
    response.vary.add("Origin")
    asked = request.headers.get("Origin", "")
    if asked in named:
        response.headers["Access-Control-Allow-Origin"] = asked
        response.headers["Access-Control-Expose-Headers"] = _TOLD_WITH_TOKEN
    return response


def _is_public_read() -> bool:
    """Whether a request only reads something of the API that is or becomes public."""
    view = current_app.view_functions.get(request.endpoint or "")
    is_open = getattr(view, "permission", "") == OPEN or hasattr(view, "is_open")
    is_read = request.method in ("GET", "HEAD", "OPTIONS")
    return is_open and is_read and request.path.startswith(API)
