"""The lobby as an application of its own, without the services of any club."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from api.html import assets
from api.html.pages import page
from api.http.access import prefix
from api.http.access.hosts import MISDIRECTED, WATCHED, host_without_port, is_loopback
from api.http.access.security_headers import SecurityHeaders
from api.http.access.tokens import Owner
from api.http.folders import use_templates
from api.http.languages import LANGUAGES, language, template_functions, texts_of_language
from api.lobby import birth_pages, mail_pages, owner_pages, pages, parts
from api.lobby.book import LobbyBook
from api.lobby.parts import LobbyParts
from api.lobby.ports import InstalledClubs
from api.monitoring.readiness import Report
from referee.access.attempts import Attempts
from referee.errors import NotFound

_LARGEST_FORM = 20_000


def create_lobby(
    clubs: InstalledClubs,
    book: Callable[[], LobbyBook],
    attempts: Callable[[], Attempts],
    owner: Owner,
    report: Callable[[], Report],
) -> Flask:
    """The lobby. ``book``, ``attempts``: opened when needed. ``report``: of what clubs share."""
    app = Flask("lobby", static_folder=None, template_folder=None)
    use_templates(app)
    app.config["MAX_CONTENT_LENGTH"] = _LARGEST_FORM
    app.extensions["pack"] = lambda: "spanish"
    app.extensions[parts.LOBBY] = LobbyParts(clubs, book, attempts, owner, report)
    app.extensions["mail"] = None
    app.before_request(_answer_unknown_host)
    app.context_processor(_template_values)
    app.add_template_global(parts.lobby_address, "here")
    app.add_template_filter(parts.size_words, "size_words")
    app.add_template_filter(parts.print_moment, "moment_of")
    prefix.add_prefix_to_templates(app)
    assets.register_static_route(app)
    for blp in (pages.blp, birth_pages.blp, mail_pages.blp, owner_pages.blp):
        app.register_blueprint(blp)
    app.register_error_handler(HTTPException, _answer_http_error)
    app.register_error_handler(NotFound, _answer_not_found)
    app.wsgi_app = SecurityHeaders(app.wsgi_app)  # type: ignore[method-assign]  # as Flask says
    return app


def _template_values() -> dict[str, Any]:
    lang = language()
    return {
        "lang": lang,
        "languages": [(code, texts_of_language(code)["language.name"]) for code in LANGUAGES],
        "read_in": {code: texts_of_language(code)["page.read_in"] for code in LANGUAGES},
        "are_clubs_by_path": parts.lobby_parts().clubs.is_by_path,
        **template_functions(lang),
    }


def _answer_unknown_host() -> Response | None:
    """The answer to a request for a host of nobody here; None lets every other one through."""
    if request.path in WATCHED or request.path.startswith("/static/"):
        return None
    asked = host_without_port(request.environ.get("HTTP_HOST", ""))  # as it came: it may be none
    is_computer = is_loopback(asked) and not asked.endswith(".localhost")
    if is_computer or asked == parts.lobby_parts().clubs.domain:
        return None
    is_program = request.path.startswith("/api/")
    response = jsonify(status="no club") if is_program else page("lobby/no_club.html", host=asked)
    response.status_code = MISDIRECTED
    return response


def _answer_http_error(fault: HTTPException) -> Response:
    response = page("lobby/fault.html", says=_SAYS.get(fault.code or 0, "lobby.fault"))
    response.status_code = fault.code or 500
    if retry := getattr(fault, "retry_after", None):
        response.headers["Retry-After"] = str(retry)
    return response


def _answer_not_found(_: NotFound) -> Response:
    response = page("lobby/fault.html", says="lobby.no_page")
    response.status_code = 404
    return response


_SAYS = {404: "lobby.no_page", 403: "lobby.cross_site", 429: "lobby.too_many"}
