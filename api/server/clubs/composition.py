"""Composition of an installation of many clubs: the parts of a house alone, for each club."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from contextlib import ExitStack

from flask import Flask

from api.http.access.hosts import KnownHosts
from api.http.live import StreamPlaces, streams
from api.http.services import Services
from api.monitoring.measures import Measures
from api.server import wiring
from api.server.application import create_app
from api.server.clubs.bell import Bell
from api.server.clubs.birth import one_at_a_time
from api.server.clubs.door import ClubDoor, club_of_request
from api.server.clubs.folder import ClubsFolder, clubs_folder
from api.server.clubs.limits import ClubLimits
from api.server.clubs.lobby import Lobby
from api.server.clubs.pool import OpenClub, OpenClubs
from api.server.clubs.usage import in_use
from api.server.data_folder import Files
from api.server.faults.exits import UNUSABLE
from api.server.house import assert_one_house
from referee.log.durable import keep_journals


class ClubServices(wiring.LazyServices):
    """The services of a club, which is brought to this release when a process first opens it.

    ``on_write``: called after each write to its log, and once it is open.
    """

    def __init__(self, folder: ClubsFolder, name: str, on_write: Callable[[], None]) -> None:
        super().__init__(folder.files(name), with_projector=False)
        self.check = _settle
        self.limits = ClubLimits(self.files)
        self._on_write = on_write

    def open_for(self, closing: ExitStack) -> Services:
        """Services over the files of the club."""
        closing.enter_context(in_use(self.files.folder))
        databases = self.files.folder.glob("*.sqlite")
        with one_at_a_time(self.files.folder), keep_journals(databases):
            found = super().open_for(closing)
            found.reads.forget_missed()
        found.referee.on_commit.append(lambda *_: self._on_write())
        self._on_write()
        return found


def _settle(where: Files) -> None:
    """Settle a house, unless that was done with these files: opening them is the rest."""
    if not assert_one_house(where).is_noted:
        wiring.settle_house(where)


class HostsOfClub(KnownHosts):
    """The hosts that lead to a club now."""

    def __init__(self, folder: ClubsFolder, name: str) -> None:
        super().__init__((), is_strict=True)
        self._folder, self._name = folder, name

    def knows(self, asked: str, _reached: Callable[[], str]) -> bool:
        """Whether a host leads to the club."""
        return self._folder.is_of_all(asked) or self._folder.club_of(asked) == self._name


class ClubsProcess:
    """What the processes of an installation share of their composition, each for itself."""

    def __init__(self, folder: ClubsFolder) -> None:
        self.folder = folder
        self.bell = Bell(folder.path)
        self.places = StreamPlaces(streams())
        self.measures: Measures | None = None
        self.clubs = OpenClubs(self._make, folder.may_enter, self.bell.ring)

    def close(self) -> None:
        """Close every club, and ring no more."""
        self.clubs.close()
        self.bell.close()

    def _make(self, name: str) -> OpenClub:
        services = ClubServices(self.folder, name, lambda: self.bell.ring([name]))
        services.measures, services.stream_places = self.measures, self.places
        parts = wiring.house_parts(services, is_https_offered=False)
        parts["reach"].is_by_command = True  # whoever runs the installation opens its doors
        parts["backups"].of_installation = self.folder.backups(name)
        parts["owner"] = wiring.owner_of(services.files, lambda: services().keys)
        parts["hosts"] = HostsOfClub(self.folder, name)
        return OpenClub(name, services, parts)


def clubs_app() -> Flask:
    """The application of an installation, for gunicorn; its clubs are those of the environment."""
    installation = ClubsProcess(clubs_folder())
    made = create_app(lambda: club_of_request().services(), None, UNUSABLE)
    made.extensions["house"] = lambda: club_of_request().parts
    made.extensions["installation"] = installation
    lobby = Lobby(installation.folder, installation.bell.ring)
    door = ClubDoor(made, lobby, installation.folder, installation.clubs)
    made.wsgi_app = door  # type: ignore[method-assign]  # as the framework's pages do
    installation.measures = wiring.set_up(made, lobby.report)
    lobby.app.extensions["mail"] = made.extensions["mail"]
    atexit.register(installation.close)
    return made
