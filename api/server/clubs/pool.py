"""Clubs that are open in this process: opened at the first request, closed when they are idle."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from api.http.services import ProcessServices
from referee.log.faults import repeat_in_thread

MOST_OPEN: Final = 64
"""Clubs that a process keeps open without need; in use there may be more."""
MOST_FILES: Final = 32_768
"""Files of a process: an open club has some twenty, and each thread that reads it three more."""
IDLE_S: Final = 60.0
"""Time after which a club that nobody asks for is closed."""
LOOKED_EVERY_S: Final = 1.0


_log = logging.getLogger(__name__)


class OpenClub:
    """A club in this process: its services and own components (``house_component_or_none``)."""

    def __init__(self, name: str, services: ProcessServices, parts: dict[str, Any]) -> None:
        self.name, self.services, self.parts = name, services, parts
        self.uses, self.used = 0, time.monotonic()
        self.is_over = False
        """Whether it is closed as soon as nobody uses it: another one may be open by then."""


class OpenClubs:
    """The clubs that are open in this process. ``make``: opens a club at its first request.

    ``may_enter``: whether a club is there, and not shut. ``tell``: called each second with the
    names of those that are open.
    """

    def __init__(
        self,
        make: Callable[[str], OpenClub],
        may_enter: Callable[[str], bool],
        tell: Callable[[list[str]], None],
        *,
        most: int = MOST_OPEN,
        idle_s: float = IDLE_S,
    ) -> None:
        self._make, self._may_enter, self._tell = make, may_enter, tell
        self._most, self._idle_s = most, idle_s
        self._turn = threading.Lock()
        self._open: dict[str, OpenClub] = {}  # the one that was used last is the last

    @contextmanager
    def use_club(self, name: str) -> Iterator[OpenClub]:
        """An open club, which is not closed before the block ends."""
        club = self.enter(name)
        try:
            yield club
        finally:
            self.leave(club)

    def enter(self, name: str) -> OpenClub:
        """Open a club if need be, and keep it open until ``leave``."""
        with self._turn:
            club = self._open.pop(name, None) or self._make(name)
            self._open[name] = club
            club.uses += 1
            club.used = time.monotonic()
        return club

    def leave(self, club: OpenClub) -> None:
        """End one use of a club, so that it may be closed."""
        with self._turn:
            club.uses -= 1
            club.used = time.monotonic()
            is_last = club.is_over and not club.uses
        if is_last:
            _close_club(club)

    def names(self) -> list[str]:
        """Names of the clubs that are open."""
        with self._turn:
            return list(self._open)

    def start_cleanup_thread(self) -> None:
        """Start a thread that closes idle clubs."""
        repeat_in_thread("clubs", self.close_idle_and_shut_clubs, LOOKED_EVERY_S, _log)

    def close_idle_and_shut_clubs(self) -> None:
        """Close clubs that are idle, too many, or shut; tell which are open.

        One that is shut is entered no more, and closed once what uses it has ended.
        """
        now = time.monotonic()
        shut = {name for name in self.names() if not self._may_enter(name)}
        with self._turn:
            too_many = len(self._open) - self._most
            closed: list[OpenClub] = []
            for name, club in list(self._open.items()):
                is_idle = now - club.used >= self._idle_s or too_many > len(closed)
                if name in shut or (is_idle and not club.uses):
                    closed.append(self._open.pop(name))
                    club.is_over = bool(club.uses)
        self._tell(self.names())
        for club in closed:
            if club.is_over:  # its streams would keep it open
                club.services.end_streams()
            else:
                _close_club(club)

    def end_streams(self) -> None:
        """End every live stream, because the process is stopping."""
        with self._turn:
            every = list(self._open.values())
        for club in every:
            club.services.end_streams()

    def close(self) -> None:
        """Close every club."""
        with self._turn:
            every, self._open = list(self._open.values()), {}
        for club in every:
            _close_club(club)


def _close_club(club: OpenClub) -> None:
    try:
        club.services.close()
    except Exception:  # noqa: BLE001 - of this club alone
        _log.exception("%s was not closed as it should be", club.name)
