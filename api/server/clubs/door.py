"""The door of an installation: which club a request is of."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, request
from werkzeug.wsgi import ClosingIterator

from api.http.access.hosts import WATCHED
from api.monitoring.requests import CLUB
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.pool import OpenClub, OpenClubs
from api.server.faults.early import EarlyRefusal

HOUSE: Final = "guinote.house"
"""Where a request has its club."""
RETRY_AFTER_S: Final = 5


def club_of_request() -> OpenClub:
    """The club that the request is of."""
    return cast("OpenClub", request.environ[HOUSE])


def tell_answered(environ: WSGIEnvironment) -> None:
    """Tell the worker that a request is answered, though its bytes are still to be sent."""
    connection = environ.get("gunicorn.socket")
    if (tell := getattr(connection, "on_answer", None)) is not None:
        tell()


class ClubDoor:
    """WSGI middleware around the application of the clubs.

    ``lobby``: answers requests for no club, among them those of whoever watches the machine.
    """

    def __init__(
        self, app: Flask, lobby: WSGIApplication, folder: ClubsFolder, clubs: OpenClubs
    ) -> None:
        self._app, self._lobby, self._folder, self._clubs = app.wsgi_app, lobby, folder, clubs
        self._shut = EarlyRefusal(app, "unavailable", RETRY_AFTER_S)
        """The answer of a club that nobody may enter for now: a device tries again."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Let a request in."""
        host, path = environ.get("HTTP_HOST", ""), environ["PATH_INFO"]
        name = self._folder.club_of(host, path)
        if name is not None and self._folder.is_of_all(host):
            if path == f"/{name}":
                return _lead_below(environ, start_response)
            path = _move_to_prefix(environ, name)
        if name is None or path in WATCHED:
            return self._lobby(environ, start_response)
        if self._folder.is_shut(name):
            answers = self._lobby if path.startswith("/static/") else self._shut
            return answers(environ, start_response)
        club = self._clubs.enter(name)
        environ |= {HOUSE: club, CLUB: name}
        try:
            answer = self._app(environ, start_response)
            tell_answered(environ)
        except BaseException:
            self._clubs.leave(club)
            raise
        return ClosingIterator(answer, lambda: self._clubs.leave(club))


def _move_to_prefix(environ: WSGIEnvironment, name: str) -> str:
    """The path of a request without the name of the club, which becomes part of its prefix."""
    before = f"/{name}"
    environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + before
    path: str = environ["PATH_INFO"].removeprefix(before)
    environ["PATH_INFO"] = path
    return path


def _lead_below(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The answer at the bare name of a club: it leads to where every address is below that."""
    status, query = HTTPStatus.PERMANENT_REDIRECT, environ.get("QUERY_STRING", "")
    goal = f"{environ.get('SCRIPT_NAME', '')}{environ['PATH_INFO']}/" + (query and f"?{query}")
    start: Any = start_response
    start(f"{status.value} {status.phrase}", [("Location", goal), ("Content-Length", "0")])
    return [b""]
