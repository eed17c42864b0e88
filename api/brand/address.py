"""The address that names the club: ``/c/`` and its name, before the address of a public page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.brand.brand import brand
from api.html.addresses import origin_for_others
from api.http.access.prefix import prefix

_NAMED: Final = "guinote.club"
_ADDRESS: Final = re.compile(
    r"/c/([^/]+)"
    r"((?:/(?:encuentro|jornadas|jugador|mesa|problema|reglas|repeticion|sala|temporadas|torneos)(?:/.*)?|/)?)",
    re.DOTALL,
)
"""Only what is shared: what a proxy in front limits by its path, as the sign-in, is not."""
_SAFE: Final = ("GET", "HEAD")


class NamedAddresses:
    """WSGI middleware that takes the club's name out of the path of a request, and notes it."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if found := _ADDRESS.fullmatch(environ.get("PATH_INFO", "")):
            environ |= {"PATH_INFO": found[2] or "/", _NAMED: found[1]}
        return self._app(environ, start_response)


def serve_club_addresses(app: Flask) -> None:
    """Serve public pages under the club's name too, and let templates ask for that address."""
    app.wsgi_app = NamedAddresses(app.wsgi_app)  # type: ignore[method-assign]  # the way Flask says to wrap it
    app.before_request(_redirect_to_current_name)
    app.add_template_global(address_to_share)


def slug(name: str) -> str:
    """A name as a part of an address; empty if it has no letters or digits.

    >>> slug("Peña «La Sota», 1985"), slug("Penya de l'Estació"), slug("♠")
    ('pena-la-sota-1985', 'penya-de-l-estacio', '')
    """
    signs = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(one for one in signs if not unicodedata.combining(one))
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def path_with_club(path: str) -> str:
    """The path of a page with the club's name before it; unchanged where the club has no name."""
    club = slug(brand().name)
    return f"/c/{club}{'' if path == '/' else path}" if club else path


def address_to_share(path: str = "") -> str:
    """The full address of a page with the club's name in it.

    Of this page unless a path is given.
    """
    return origin_for_others() + prefix() + path_with_club(path or request.path)


def _redirect_to_current_name() -> AnyResponse | None:
    """Redirect from an address with an earlier name of the club; None if there is no need."""
    asked = request.environ.get(_NAMED)
    club = slug(brand().name) if asked is not None else None
    if asked == club or request.method not in _SAFE:
        return None
    query = f"?{request.query_string.decode('latin-1')}" if request.query_string else ""
    response = redirect(quote(prefix() + path_with_club(request.path)) + query, 302)
    response.headers["Cache-Control"] = "no-store"
    return response
