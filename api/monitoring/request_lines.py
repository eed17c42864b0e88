"""Lines of the requests, written by a thread of their own.

So no request waits for whoever reads stderr, and lines that are made one after another take a fifth
of the processor time. A process that is killed loses those of the last tenth of a second.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, NamedTuple

from structlog.typing import FilteringBoundLogger

GATHERED_S: Final = 0.1
MOST_WAITING: Final = 20_000
"""Lines that wait while stderr cannot be written; the oldest are dropped."""


class AnsweredRequest(NamedTuple):
    """A request that was answered. ``at``: seconds since 1970; ``by``: an id, or None.

    ``club``: its name, of many in one installation; else empty.
    """

    at: float
    method: str
    route: str
    status: str
    seconds: float
    by: str | None
    id: str
    club: str = ""


class RequestLines:
    """The lines that are still to be written, and the thread of this process that writes them."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        self._log = log
        self._waiting: deque[AnsweredRequest] = deque(maxlen=MOST_WAITING)
        self._wake = threading.Event()
        self._turn = threading.Lock()
        self._process = 0

    def add(self, answered: AnsweredRequest) -> None:
        """Have a line written soon."""
        self._waiting.append(answered)
        if self._process != os.getpid():  # a process that was forked has no thread yet
            self._process, self._wake, self._turn = os.getpid(), threading.Event(), threading.Lock()
            threading.Thread(target=self._run, name="lines", daemon=True).start()
        if not self._wake.is_set():
            self._wake.set()

    def flush(self) -> None:
        """Write what waits now."""
        with self._turn:
            while self._waiting:
                self._write(self._waiting.popleft())

    def _run(self) -> None:
        while True:
            self._wake.wait()
            time.sleep(GATHERED_S)
            self._wake.clear()
            self.flush()

    def _write(self, one: AnsweredRequest) -> None:
        more = {"club": one.club} if one.club else {}
        more |= {"by": one.by} if one.by else {}
        moment = datetime.fromtimestamp(one.at, UTC).isoformat(timespec="milliseconds")
        with suppress(OSError):  # stderr may be a file on a full disk
            self._log.info(
                "request",
                at=moment.replace("+00:00", "Z"),
                method=one.method,
                route=one.route,
                status=int(one.status),
                ms=round(one.seconds * 1000, 1),
                **more,
                request=one.id,
            )
