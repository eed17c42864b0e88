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
    """WSGI middleware that finds a page under the address with a name, and notes the name."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if found := _ADDRESS.fullmatch(environ.get("PATH_INFO", "")):
            environ |= {"PATH_INFO": found[2] or "/", _NAMED: found[1]}
        return self._app(environ, start_response)


def register(app: Flask) -> None:
    """Serve public pages under the club's name too, and let templates ask for that address."""
    app.wsgi_app = NamedAddresses(app.wsgi_app)  # type: ignore[method-assign]  # the way Flask says to wrap it
    app.before_request(_lead_to_present_name)
    app.add_template_global(address_to_share)


def slug(name: str) -> str:
    """A name as a part of an address; empty if nothing of it can stand in one.

    >>> slug("Peña «La Sota», 1985"), slug("Penya de l'Estació"), slug("♠")
    ('pena-la-sota-1985', 'penya-de-l-estacio', '')
    """
    signs = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(one for one in signs if not unicodedata.combining(one))
    return "-".join(re.findall(r"[a-z0-9]+", plain))


def path_with_club(path: str) -> str:
    """The path of a page with the club's name; its own where the club has none."""
    club = slug(brand().name)
    return f"/c/{club}{'' if path == '/' else path}" if club else path


def address_to_share(path: str = "") -> str:
    """The whole address of a page, this one unless another is named, as it is shared."""
    return origin_for_others() + prefix() + path_with_club(path or request.path)


def _lead_to_present_name() -> AnyResponse | None:
    """A page under another name than the club has now is found under that one."""
    asked = request.environ.get(_NAMED)
    club = slug(brand().name) if asked is not None else None
    if asked == club or request.method not in _SAFE:
        return None
    query = f"?{request.query_string.decode('latin-1')}" if request.query_string else ""
    response = redirect(quote(prefix() + path_with_club(request.path)) + query, 302)
    response.headers["Cache-Control"] = "no-store"
    return response
