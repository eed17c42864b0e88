"""Turns of the clubs in a worker: one that asks for much does not take the time of the others."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar
from urllib.parse import unquote, urlsplit

from api.http.access.hosts import WATCHED

AT_ONCE: Final = 2
"""Requests of a host that are answered at one time; one alone, if it has asked for many."""
FEW: Final = 20
"""Requests that are not many: beyond them a host has one answered at one time, until it pauses."""
A_SECOND: Final = 40.0
"""Requests of a host that are answered in a second, for long."""
AT_MOST: Final = 400.0
"""Requests of a host that may come together after a pause, as when phones load their pages."""
MOST_WAITING: Final = 200
"""Requests of a host that wait; another one is refused."""
NO_CLUB: Final = "no club"
"""In whose turn are requests for hosts of no club."""
WATCHERS: Final = "who watches"
"""In whose turn is whatever watches the machine, so that it waits for nobody else."""
_FORGOTTEN_S: Final = 60.0
_TARGET: Final = re.compile(rb"(?:\r\n)?[^ \r\n]+ ([^ \r\n]*)")
_HOST: Final = re.compile(rb"\r\nhost:[ \t]*([^\r\n]*)", re.IGNORECASE)
_STREAM: Final = re.compile(
    rb"GET (?:/[a-z0-9-]+)?/api/v1/public/[a-z0-9/-]*(?:stream|changes)(?:\?\S*)? HTTP/"
)
_Asked = TypeVar("_Asked")


REFUSED_FOR_S: Final = 5
"""Time after which a refused request may be tried again: about that in which the others begin."""


class TooManyWaiting(Exception):  # noqa: N818 - what is the case
    """So many requests of the host wait already."""


@dataclass(slots=True)
class _Host(Generic[_Asked]):
    """``left``: requests that may begin without a pause; as of ``at``."""

    at: float
    left: float = AT_MOST
    busy: int = 0
    waiting: deque[_Asked] = field(default_factory=deque)

    @property
    def may_begin(self) -> bool:
        """Whether one more request of the host may begin now."""
        at_once = AT_ONCE if self.left > AT_MOST - FEW else 1
        return self.left >= 1 and self.busy < at_once


class FairTurns(Generic[_Asked]):
    """Scheduler that decides which requests begin now, by host. For one thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._hosts: dict[str, _Host[_Asked]] = {}
        self._forgotten, self._waiting = now(), 0

    @property
    def has_queue(self) -> bool:
        """Whether some request waits for its turn."""
        return self._waiting > 0

    def add_and_take_requests(self, host: str, request: _Asked) -> list[_Asked]:
        """Queue a request that has come; returns those that the caller is to begin now.

        :raises TooManyWaiting: it does not wait either
        """
        found = self._hosts.setdefault(host, _Host(self._now()))
        if len(found.waiting) >= MOST_WAITING:
            raise TooManyWaiting
        found.waiting.append(request)
        self._waiting += 1
        return self._take_requests_to_begin(found)

    def end_and_take_requests(self, host: str) -> list[_Asked]:
        """Note that a request was answered; returns those that the caller is to begin now."""
        found = self._hosts[host]
        found.busy -= 1
        return self._take_requests_to_begin(found)

    def take_requests_due_now(self) -> list[_Asked]:
        """Take the requests that may begin because time has passed; idle hosts are forgotten."""
        if (now := self._now()) - self._forgotten >= _FORGOTTEN_S:
            self._forgotten = now
            self._hosts = {
                name: one
                for name, one in self._hosts.items()
                if one.busy or one.waiting or now - one.at < _FORGOTTEN_S
            }
        return [
            begun for one in self._hosts.values() for begun in self._take_requests_to_begin(one)
        ]

    def _take_requests_to_begin(self, host: _Host[_Asked]) -> list[_Asked]:
        now = self._now()
        host.left = min(AT_MOST, host.left + (now - host.at) * A_SECOND)
        host.at = now
        begun: list[_Asked] = []
        while host.waiting and host.may_begin:
            host.busy += 1
            host.left -= 1
            begun.append(host.waiting.popleft())
            self._waiting -= 1
        return begun


def turn_key(request: bytes, club_of: Callable[[str, str], str | None]) -> str:
    """Key of the club that a request is counted for; empty for a live stream.

    ``club_of``: Of a host and a path.
    """
    if not (host := host_unless_live_stream(request)):
        return ""
    path = request_path(request)
    return WATCHERS if path in WATCHED else club_of(host, path) or NO_CLUB


def host_unless_live_stream(request: bytes) -> str:
    r"""The host that a request asks; empty for a live stream, which has a thread of its own.

    >>> host_unless_live_stream(b"GET /?x=/stream HTTP/1.1\r\nHost: a.example\r\n\r\n")
    'a.example'
    >>> stream = b"GET /api/v1/public/sala/stream HTTP/1.1\r\nHost: a.example\r\n\r\n"
    >>> host_unless_live_stream(stream)
    ''
    """
    found = None if _STREAM.match(request) else _HOST.search(request)
    return found[1].decode("latin-1").strip().lower() if found else ""


def request_path(request: bytes) -> str:
    r"""The path that a request asks.

    >>> targets = (b"/pe%6Eya/sala/?x=1", b"http://a.example/penya/sala/", b"/penya/sala/#/x")
    >>> {request_path(b"GET %b HTTP/1.1\r\nHost: a.example\r\n\r\n" % one) for one in targets}
    {'/penya/sala/'}
    """
    found = _TARGET.match(request)
    target = found[1].decode("latin-1") if found else ""
    dot = "." if target.startswith("//") else ""  # no host follows
    try:
        return unquote(urlsplit(dot + target).path.removeprefix(dot))
    except ValueError:  # gunicorn refuses it
        return ""
