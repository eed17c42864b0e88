"""Composition of an installation of many clubs: each gets the parts that a single house has."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any, Final, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, request
from werkzeug.wsgi import ClosingIterator

from api.http.access.hosts import WATCHED, KnownHosts
from api.http.live import StreamPlaces, stream_limit
from api.http.services import Services
from api.monitoring.measures import Measures
from api.monitoring.requests import CLUB
from api.server import wiring
from api.server.application import create_app
from api.server.clubs.bell import Bell
from api.server.clubs.birth import lock_store_opening
from api.server.clubs.folder import ClubsFolder, prepare_clubs_folder
from api.server.clubs.limits import ClubLimits
from api.server.clubs.lobby import Lobby
from api.server.clubs.pool import OpenClub, OpenClubs
from api.server.clubs.usage import lock_club_shared
from api.server.data_folder import Files
from api.server.faults.answers import EarlyRefusal
from api.server.faults.exits import UNUSABLE
from api.server.house import assert_one_house
from referee.log.durable import hold_journals

HOUSE: Final = "guinote.house"
"""Where a request has its club."""
RETRY_AFTER_S: Final = 5


def club_of_request() -> OpenClub:
    """The club that the request is of."""
    return cast("OpenClub", request.environ[HOUSE])


def tell_worker_of_answer(environ: WSGIEnvironment) -> None:
    """Tell the worker that a request is answered, though its bytes are still to be sent."""
    connection = environ.get("gunicorn.socket")
    if (tell := getattr(connection, "on_answer", None)) is not None:
        tell()


class ClubDoor:
    """WSGI middleware that passes each request to its club, or to the lobby.

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
        name = self._folder.club_of_host_and_path(host, path)
        if name is not None and self._folder.is_host_of_club_paths(host):
            if path == f"/{name}":
                return _redirect_to_slash(environ, start_response)
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
            tell_worker_of_answer(environ)
        except BaseException:
            self._clubs.leave(club)
            raise
        return ClosingIterator(answer, lambda: self._clubs.leave(club))


def _move_to_prefix(environ: WSGIEnvironment, name: str) -> str:
    """Move the name of the club from the path of a request to its prefix.

    Returns the path without it.
    """
    before = f"/{name}"
    environ["SCRIPT_NAME"] = environ.get("SCRIPT_NAME", "") + before
    path: str = environ["PATH_INFO"].removeprefix(before)
    environ["PATH_INFO"] = path
    return path


def _redirect_to_slash(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Redirect from the bare path of a club to the same path with a slash."""
    status, query = HTTPStatus.PERMANENT_REDIRECT, environ.get("QUERY_STRING", "")
    goal = f"{environ.get('SCRIPT_NAME', '')}{environ['PATH_INFO']}/" + (query and f"?{query}")
    start: Any = start_response
    start(f"{status.value} {status.phrase}", [("Location", goal), ("Content-Length", "0")])
    return [b""]


class ClubServices(wiring.LazyServices):
    """The services of one club, upgraded to this release when a process first opens the club.

    ``on_write``: called after each write to its log, and once it is open.
    """

    def __init__(self, folder: ClubsFolder, name: str, on_write: Callable[[], None]) -> None:
        super().__init__(folder.files(name), with_projector=False)
        self.check = _initialise_house_if_new
        self.limits = ClubLimits(self.files)
        self._on_write = on_write

    def open_services(self, stack: ExitStack) -> Services:
        """Open services over the files of the club; the stack closes them."""
        stack.enter_context(lock_club_shared(self.files.folder))
        databases = self.files.folder.glob("*.sqlite")
        with lock_store_opening(self.files.folder), hold_journals(databases):
            found = super().open_services(stack)
            found.reads.forget_lost_events()
        found.referee.on_commit.append(lambda *_: self._on_write())
        self._on_write()
        return found


def _initialise_house_if_new(where: Files) -> None:
    """Give a new club its house, unless its parts have noted one already."""
    if not assert_one_house(where).is_noted_in_every_part:
        wiring.initialise_house(where)


class HostsOfClub(KnownHosts):
    """The hosts that lead to a club now."""

    def __init__(self, folder: ClubsFolder, name: str) -> None:
        super().__init__((), is_strict=True)
        self._folder, self._name = folder, name

    def knows(self, asked: str, _reached: Callable[[], str]) -> bool:
        """Whether a host leads to the club."""
        return (
            self._folder.is_host_of_club_paths(asked)
            or self._folder.club_of_host_and_path(asked) == self._name
        )


class ClubsProcess:
    """Parts that all clubs of an installation share in one process."""

    def __init__(self, folder: ClubsFolder) -> None:
        self.folder = folder
        self.bell = Bell(folder.path)
        self.places = StreamPlaces(stream_limit())
        self.measures: Measures | None = None
        self.clubs = OpenClubs(self._make_open_club, folder.may_enter, self.bell.ring)

    def close(self) -> None:
        """Close every club, and the sender of messages."""
        self.clubs.close()
        self.bell.close()

    def _make_open_club(self, name: str) -> OpenClub:
        services = ClubServices(self.folder, name, lambda: self.bell.ring([name]))
        services.measures, services.stream_places = self.measures, self.places
        parts = wiring.extensions_of_house(services, is_https_offered=False)
        parts["reach"].is_by_command = True  # whoever runs the installation opens its doors
        parts["backups"].of_installation = self.folder.backup_folder(name)
        parts["owner"] = wiring.owner_token_of(services.files, lambda: services().keys)
        parts["hosts"] = HostsOfClub(self.folder, name)
        return OpenClub(name, services, parts)


def clubs_app() -> Flask:
    """The web application of an installation of many clubs, for gunicorn."""
    installation = ClubsProcess(prepare_clubs_folder())
    made = create_app(lambda: club_of_request().services(), None, UNUSABLE)
    made.extensions["house"] = lambda: club_of_request().parts
    made.extensions["installation"] = installation
    lobby = Lobby(installation.folder, installation.bell.ring)
    door = ClubDoor(made, lobby, installation.folder, installation.clubs)
    made.wsgi_app = door  # type: ignore[method-assign]  # as the framework's pages do
    installation.measures = wiring.configure_app(made, lobby.installation_report)
    lobby.app.extensions["mail"] = made.extensions["mail"]
    atexit.register(installation.close)
    return made
