"""The lobby: what answers requests for no club, such as those of whoever watches the machine."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

from api.http.access.owner import Owner
from api.lobby.application import create_lobby
from api.lobby.book import LobbyBook
from api.monitoring import requests
from api.monitoring.readiness import Report, disk
from api.server.clubs.folder import ClubsFolder
from api.server.clubs.overview import ClubsOfFolder
from referee.access.attempts import Attempts
from referee.access.tables import AccessTables

ASK: Final = "/tls/ask"
"""Where a proxy asks whether a name, ``domain``, may have a certificate."""
_GUESSES: Final = "lobby.guesses.sqlite"


class Lobby:
    """WSGI application of an installation, beside that of its clubs.

    ``tell``: called with the names of clubs that were made, so that their logs are followed.
    """

    def __init__(self, folder: ClubsFolder, tell: Callable[[list[str]], None]) -> None:
        self._folder, self._turn = folder, threading.Lock()
        self._book: LobbyBook | None = None
        self._attempts: Attempts | None = None
        self.app = create_lobby(
            ClubsOfFolder(folder, tell), self.book, self._guesses, Owner(folder.path), self.report
        )
        requests.register(self.app)

    def report(self) -> Report:
        """State of what all clubs share."""
        return Report(disk=disk(self._folder.path))

    def book(self) -> LobbyBook:
        """The book, opened at its first use: a process forks before that."""
        with self._turn:
            if self._book is None:
                self._book = LobbyBook(self._folder.path, time.time)
            return self._book

    def _guesses(self) -> Attempts:
        with self._turn:
            if self._attempts is None:
                tables = AccessTables(self._folder.path / _GUESSES)
                self._attempts = Attempts(tables, time.time, secrets.token_bytes)
            return self._attempts

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; whoever gets certificates asks by the address of the computer."""
        if environ["PATH_INFO"] == ASK:
            asked = parse_qs(environ.get("QUERY_STRING", "")).get("domain", [""])[0]
            is_ours = asked == self._folder.domain or self._folder.club_of(asked) is not None
            start_response("200 OK" if is_ours else "404 Not Found", [("Content-Length", "0")])
            return [b""]
        return self.app.wsgi_app(environ, start_response)
