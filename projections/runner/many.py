"""Projector for many logs.

Each is followed in a thread from a write until it has been quiet for long.

A log that was written to has a thread, which sleeps until the next write and ends after a while
without one. So a log whose rows are rebuilt, or that is damaged, holds up no other.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, closing
from typing import Final

from projections.runner.log import LogReader
from projections.runner.runner import GATHER_S, RETRY_S, Runner
from projections.runner.views import OutdatedViews, Views
from referee.log.faults import FaultLog
from referee.log.ports import NewerData

MOST: Final = 512
"""Logs that are followed at one time; another one is, once it is named again and there is room."""
IDLE_S: Final = 60.0
"""Time after which a log is closed of which nothing was heard."""
LOOKED_EVERY_S: Final = 1.0
"""Time after which it is asked again whether a log may be open."""

_log = logging.getLogger(__name__)


class ManyLogs:
    """Follows many logs by name, each in its own thread.

    ``open_log``, ``open_views``: Open those of one name.

    ``may_follow``: whether a log may be open here; ``alone``: has it for this process, if no other
    follows it.
    """

    def __init__(
        self,
        open_log: Callable[[str], LogReader],
        open_views: Callable[[str], Views],
        may_follow: Callable[[str], bool],
        alone: Callable[[str], AbstractContextManager[bool]],
        *,
        idle_s: float = IDLE_S,
    ) -> None:
        self._open_log, self._open_views = open_log, open_views
        self._may_follow, self._alone, self._idle_s = may_follow, alone, idle_s
        self._turn = threading.Lock()
        self._bells: dict[str, threading.Event] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._ending = threading.Event()

    def start_or_wake(self, names: Iterable[str]) -> None:
        """Follow these logs, each in its thread: start it, or wake it if it waits."""
        with self._turn:
            for name in names:
                has_room = len(self._bells) < MOST and not self._ending.is_set()
                if name not in self._bells and has_room:
                    self._bells[name] = threading.Event()
                    self._threads[name] = threading.Thread(target=self._run, args=(name,))
                    self._threads[name].start()
                if name in self._bells:
                    self._bells[name].set()

    def names(self) -> list[str]:
        """Names of the logs that are followed now."""
        with self._turn:
            return list(self._bells)

    def close(self) -> None:
        """Stop following all logs; returns when their threads have ended."""
        with self._turn:
            self._ending.set()
            threads = list(self._threads.values())
            for bell in self._bells.values():
                bell.set()
        for thread in threads:
            thread.join()

    def _run(self, name: str) -> None:
        """Follow a log until nobody writes to it any more."""
        bell, faults = self._bells[name], FaultLog(_log)
        while self._keep_if_wanted(name, bell):
            bell.clear()
            try:
                self._follow(name, bell)
            except OutdatedViews:  # the views have said why, and have another file by now
                bell.set()
                self._ending.wait(RETRY_S)
            except NewerData as newer:
                _log.critical("%s: %s", name, newer)
                self._ending.wait(self._idle_s)
            except Exception as error:  # noqa: BLE001 - it is logged, and tried again once wanted
                faults.note(f"{name}: following stopped", error)
                self._ending.wait(RETRY_S)

    def _keep_if_wanted(self, name: str, bell: threading.Event) -> bool:
        """Whether a log may have new events; if not, it is forgotten."""
        with self._turn:
            if bell.is_set() and not self._ending.is_set() and self._may_follow(name):
                return True
            del self._bells[name], self._threads[name]
            return False

    def _follow(self, name: str, bell: threading.Event) -> None:
        """Apply new events of a log until it has been quiet for long."""
        with ExitStack() as held:
            if not held.enter_context(self._alone(name)):
                self._ending.wait(RETRY_S)
                return
            log = held.enter_context(closing(self._open_log(name)))
            views = held.enter_context(closing(self._open_views(name)))
            runner, until = Runner(log, views), time.monotonic() + self._idle_s
            while self._may_follow(name) and time.monotonic() <= until:
                while runner.apply_next_batch() and not self._ending.wait(GATHER_S):
                    until = time.monotonic() + self._idle_s
                if bell.wait(LOOKED_EVERY_S):
                    bell.clear()
                    until = time.monotonic() + self._idle_s
                if self._ending.is_set():
                    return
