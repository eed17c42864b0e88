"""The clubs of a folder, as the lobby asks for them: from outside, and never into a record."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from eventsourcing.persistence import InterfaceError, OperationalError

from api.lobby.ports import ClubFacts, ClubHealth, NameFault, ShortNameTaken
from api.monitoring.readiness import NOTARY_LATE_S
from api.server.clubs.birth import (
    ClubExists,
    fill_example,
    first_link,
    invitation_of,
    make_club,
    name_club,
    note_invitation,
    one_at_a_time,
)
from api.server.clubs.folder import LONGEST, BadClubName, ClubsFolder, check_new_name
from api.server.clubs.schema import size_in_database
from api.server.data_folder import Files
from api.server.faults.exits import STORE_ERRORS
from projections.runner.log import LogReader
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
        """Name under which every club has one."""
        return self._folder.domain

    @property
    def is_by_path(self) -> bool:
        """Whether a club is below that name, at a path, and not at a host under it."""
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

    def fault_of(self, short: str) -> NameFault:
        """Why no new club can have a short name."""
        try:
            check_new_name(short)
        except BadClubName:
            return "impossible"
        return "taken" if self.has(short) else ""

    def turn(self) -> AbstractContextManager[None]:
        """A turn to make a club, which no other process has meanwhile."""
        return one_at_a_time(self._folder.path)

    def is_made_by(self, invitation: str, short: str) -> bool:
        """Whether there is a club of this short name that was made with an invitation."""
        return self.has(short) and invitation_of(self._folder.data(short)) == invitation

    def make(self, short: str, name: str, invitation: str) -> None:
        """Make a club with an invitation, and with the name that its pages show.

        :raises ShortNameTaken: there is one of this short name
        """

        def furnish(files: Files) -> None:
            note_invitation(files.folder, invitation)
            name_club(files, name)

        try:
            make_club(self._folder, short, furnish)
        except ClubExists:
            raise ShortNameTaken(short) from None
        self._tell([short])

    def make_example_club(self, short: str, lang: str, invitation: str) -> str:
        """Short name of a made-up club, made beside another one; empty if its name is taken."""
        name = short[: LONGEST - len(_EXAMPLE)].rstrip("-") + _EXAMPLE

        def furnish(files: Files) -> None:
            note_invitation(files.folder, invitation)
            fill_example(files, lang)

        try:
            make_club(self._folder, name, furnish)
        except ClubExists:
            return ""
        self._tell([name])
        return name

    def first_link(self, short: str, root: str) -> str | None:
        """Link of the first admin of a club, the only one that is good; None if it has one."""
        return first_link(self._folder.data(short), root)

    def facts(self, names: Sequence[str]) -> list[ClubFacts]:
        """What is known of clubs from outside."""
        now, found, is_answering = datetime.now(UTC), list[ClubFacts](), True
        for name in names:
            if self._folder.is_shut(name):
                found.append(self._unread(name, "unread"))
                continue
            try:
                found.append(self._facts(name, now, asks_database=is_answering))
            except _NoAnswerError:  # nobody waits for the same database again
                is_answering = False
                found.append(self._unread(name, "unread"))
            except _FAULTS:
                found.append(self._unread(name, "damaged"))
        return found

    def _unread(self, name: str, health: ClubHealth) -> ClubFacts:
        size, is_shut = _size(self._folder.data(name)), self._folder.is_shut(name)
        return ClubFacts(name, is_shut, 0, size, None, None, health)

    def _facts(self, name: str, now: datetime, *, asks_database: bool) -> ClubFacts:
        """What is known of a club that is open.

        :raises _NoAnswerError: it is in the database, which does not answer, or is not asked
        """
        where = self._folder.files(name)
        if where.elsewhere and not asks_database:
            raise _NoAnswerError
        try:
            events, written = _end_of_log(where)
            count, signed = _checkpoint(where)
            size = _size(where.folder) + size_in_database(where)
        except (OperationalError, InterfaceError) as error:
            if where.elsewhere:
                raise _NoAnswerError from error
            raise
        is_late = written is not None and count < events and now - written > _LATE
        health: ClubHealth = "unsigned" if is_late else "ok"
        return ClubFacts(name, False, events, size, written, signed, health)

    def free_bytes(self) -> int:
        """What is left on the disk."""
        return shutil.disk_usage(self._folder.path).free

    def shut(self, short: str) -> None:
        """Let nobody enter a club."""
        self._folder.shut(short)

    def reopen(self, short: str) -> None:
        """Let everybody enter again."""
        self._folder.reopen(short)


def _end_of_log(where: Files) -> tuple[int, datetime | None]:
    """Count of the events of a log, and the moment of the latest."""
    with closing(LogReader(where.log)) as log:
        last = log.last()
        latest = log.since(last, 1) if last else []
    return last, datetime.fromisoformat(latest[0].recorded.at) if latest else None


def _checkpoint(where: Files) -> tuple[int, datetime | None]:
    """Count of the events that are signed, and when they were."""
    with closing(Auditor(where.log, where.folder)) as auditor:
        try:
            size, published = auditor.latest()
        except NotSigned:
            return 0, None
    return size, datetime.fromtimestamp(published, UTC)


def _size(folder: Path) -> int:
    """Bytes of the files of a folder."""
    found = 0
    for one in folder.rglob("*"):
        with suppress(OSError):  # gone meanwhile
            found += one.stat().st_size
    return found
