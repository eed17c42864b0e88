"""The lobby: answers requests that belong to no club, such as those of monitoring."""

from __future__ import annotations

import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

from eventsourcing.persistence import InterfaceError, OperationalError

from api.http.access.tokens import Owner
from api.lobby.application import create_lobby
from api.lobby.book import LobbyBook
from api.lobby.ports import ClubFacts, ClubHealth, NameFault, ShortNameTaken
from api.monitoring import requests
from api.monitoring.readiness import NOTARY_LATE_S, Report, state_of_disk
from api.server.clubs.birth import (
    ClubExists,
    fill_club_with_demo,
    invitation_id_or_empty,
    lock_store_opening,
    make_club,
    make_first_admin_link,
    name_club,
    store_invitation_id,
)
from api.server.clubs.folder import LONGEST, BadClubName, ClubsFolder, require_name_for_new_club
from api.server.clubs.schema import size_in_database
from api.server.data_folder import Files
from api.server.faults.exits import STORE_ERRORS
from projections.runner.log import LogReader
from referee.access.attempts import Attempts
from referee.access.tables import AccessTables
from referee.audit.auditor import Auditor, NotSigned
from referee.log.ports import NewerData

_FAULTS: Final = (*STORE_ERRORS, NewerData, ValueError)
"""``ValueError``: what is signed, or the key, is no checkpoint, no key, or no text."""
_EXAMPLE: Final = "-ejemplo"
_LATE: Final = timedelta(seconds=NOTARY_LATE_S)


class _NoAnswerError(Exception):
    """The database of clubs does not answer."""


class ClubsOfFolder:
    """The clubs of an installation. ``tell``: called with the names of those that were made."""

    def __init__(self, folder: ClubsFolder, tell: Callable[[list[str]], None]) -> None:
        self._folder, self._tell = folder, tell

    @property
    def domain(self) -> str:
        """Domain name of the installation."""
        return self._folder.domain

    @property
    def is_by_path(self) -> bool:
        """Whether each club is at a path below the domain, and not at a host under it."""
        return self._folder.is_by_path

    def has(self, name: str) -> bool:
        """Whether there is a club of this short name."""
        return self._folder.has(name)

    def names(self) -> list[str]:
        """Short names of all clubs, sorted."""
        return self._folder.names()

    def is_shut(self, name: str) -> bool:
        """Whether nobody may enter a club for now."""
        return self._folder.is_shut(name)

    def short_name_fault(self, short: str) -> NameFault:
        """Why no new club can have a short name; empty if one can."""
        try:
            require_name_for_new_club(short)
        except BadClubName:
            return "impossible"
        return "taken" if self.has(short) else ""

    def hold_making_lock(self) -> AbstractContextManager[None]:
        """Lock under which one process at a time makes a club."""
        return lock_store_opening(self._folder.path)

    def is_made_with_invitation(self, invitation: str, short: str) -> bool:
        """Whether there is a club of this short name that was made with an invitation."""
        return (
            self.has(short)
            and invitation_id_or_empty(self._folder.data_folder(short)) == invitation
        )

    def make_club_by_invitation(self, short: str, name: str, invitation: str) -> None:
        """Make a club with an invitation, and with the name that its pages show.

        :raises ShortNameTaken: there is one of this short name
        """

        def write_first_events(files: Files) -> None:
            store_invitation_id(files.folder, invitation)
            name_club(files, name)

        try:
            make_club(self._folder, short, write_first_events)
        except ClubExists:
            raise ShortNameTaken(short) from None
        self._tell([short])

    def make_example_club(self, short: str, lang: str, invitation: str) -> str:
        """Make a club with invented data beside another club.

        Returns its short name, empty if that is taken.
        """
        name = short[: LONGEST - len(_EXAMPLE)].rstrip("-") + _EXAMPLE

        def write_first_events(files: Files) -> None:
            store_invitation_id(files.folder, invitation)
            fill_club_with_demo(files, lang)

        try:
            make_club(self._folder, name, write_first_events)
        except ClubExists:
            return ""
        self._tell([name])
        return name

    def renew_first_admin_link(self, short: str, root: str) -> str | None:
        """Make the only good link for the first admin of a club; None if there is an admin."""
        return make_first_admin_link(self._folder.data_folder(short), root)

    def facts_of_clubs(self, names: Sequence[str]) -> list[ClubFacts]:
        """Size, health and dates of clubs, read from outside."""
        now, found, is_answering = datetime.now(UTC), list[ClubFacts](), True
        for name in names:
            if self._folder.is_shut(name):
                found.append(self._unread_facts(name, "unread"))
                continue
            try:
                found.append(self._read_facts(name, now, asks_database=is_answering))
            except _NoAnswerError:  # nobody waits for the same database again
                is_answering = False
                found.append(self._unread_facts(name, "unread"))
            except _FAULTS:
                found.append(self._unread_facts(name, "damaged"))
        return found

    def _unread_facts(self, name: str, health: ClubHealth) -> ClubFacts:
        size, is_shut = _folder_size(self._folder.data_folder(name)), self._folder.is_shut(name)
        return ClubFacts(name, is_shut, 0, size, None, None, health)

    def _read_facts(self, name: str, now: datetime, *, asks_database: bool) -> ClubFacts:
        """Size, health and dates of a club that is not shut.

        :raises _NoAnswerError: it is in the database, which does not answer, or is not asked
        """
        where = self._folder.files(name)
        if where.elsewhere and not asks_database:
            raise _NoAnswerError
        try:
            events, written = _last_position_and_time(where)
            count, signed = _checkpoint_facts(where)
            size = _folder_size(where.folder) + size_in_database(where)
        except (OperationalError, InterfaceError) as error:
            if where.elsewhere:
                raise _NoAnswerError from error
            raise
        is_late = written is not None and count < events and now - written > _LATE
        health: ClubHealth = "unsigned" if is_late else "ok"
        return ClubFacts(name, False, events, size, written, signed, health)

    def free_bytes(self) -> int:
        """Free bytes on the disk of the installation."""
        return shutil.disk_usage(self._folder.path).free

    def shut(self, short: str) -> None:
        """Shut a club to everybody."""
        self._folder.shut(short)

    def reopen(self, short: str) -> None:
        """Open a club to everybody again."""
        self._folder.reopen(short)


def _last_position_and_time(where: Files) -> tuple[int, datetime | None]:
    """Count of the events of a log, and the moment of the latest."""
    with closing(LogReader(where.log)) as log:
        last = log.last_position()
        latest = log.read_from(last, 1) if last else []
    return last, datetime.fromisoformat(latest[0].recorded.at) if latest else None


def _checkpoint_facts(where: Files) -> tuple[int, datetime | None]:
    """Number of events that are signed, and when; 0 and None if nothing is signed."""
    with closing(Auditor(where.log, where.folder)) as auditor:
        try:
            size, published = auditor.require_latest_checkpoint()
        except NotSigned:
            return 0, None
    return size, datetime.fromtimestamp(published, UTC)


def _folder_size(folder: Path) -> int:
    """Bytes of the files of a folder."""
    found = 0
    for one in folder.rglob("*"):
        with suppress(OSError):  # gone meanwhile
            found += one.stat().st_size
    return found


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
            ClubsOfFolder(folder, tell),
            self.lobby_book,
            self._open_attempts,
            Owner(folder.path),
            self.installation_report,
        )
        requests.add_route_and_actor_hook(self.app)

    def installation_report(self) -> Report:
        """State of the disk, which all clubs share."""
        return Report(disk=state_of_disk(self._folder.path))

    def lobby_book(self) -> LobbyBook:
        """The database of the lobby, opened at its first use."""
        with self._turn:
            if self._book is None:
                self._book = LobbyBook(self._folder.path, time.time)
            return self._book

    def _open_attempts(self) -> Attempts:
        with self._turn:
            if self._attempts is None:
                tables = AccessTables(self._folder.path / _GUESSES)
                self._attempts = Attempts(tables, time.time, secrets.token_bytes)
            return self._attempts

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; whoever gets certificates asks by the address of the computer."""
        if environ["PATH_INFO"] == ASK:
            asked = parse_qs(environ.get("QUERY_STRING", "")).get("domain", [""])[0]
            is_ours = (
                asked == self._folder.domain
                or self._folder.club_of_host_and_path(asked) is not None
            )
            start_response("200 OK" if is_ours else "404 Not Found", [("Content-Length", "0")])
            return [b""]
        return self.app.wsgi_app(environ, start_response)
