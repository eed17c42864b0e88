"""Whether the clock of this computer is right: what browsers, the log and the notary say.

Browsers of persons who are signed in and paired devices say their moment with their requests. If
more than half of two or more are minutes away on the same side, the clock is wrong; if they agree
with it, it is right, whatever the log says: an act may have been recorded under a wrong clock.
Otherwise a clock before the newest act of the log, or before what the notary signed, is behind. One
browser alone proves nothing against the clock: it says how far the clock is behind, if it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Final, Literal, NamedTuple

LOG_DIFFERS_S: Final = 120.0
"""Two computers of a house may differ by as much."""
BROWSERS_DIFFER_S: Final = 180.0
HEARD_S: Final = 900.0
"""Time for which a browser is a witness after it was heard."""
FRESH_S: Final = 1.0
"""Time for which what the log and the notary say is not asked again."""
LEAST_BROWSERS: Final = 2
MOST_BROWSERS: Final = 256

Witness = Literal["browsers", "log", "notary"]


class ClockFault(NamedTuple):
    """How many seconds the clock is behind, below 0 ahead, and who says so."""

    behind_s: float
    witness: Witness


class Heard(NamedTuple):
    """What a browser said: its moment less the time of this process, and when."""

    less_ticks: float
    at: float


class ClockWitnesses:
    """Evidence about the clock of this computer: browsers, log and notary. Safe for any thread.

    ``newest``: moment of the newest act, ISO form, empty if there is none. ``signed``: the moment
    of the newest checkpoint, in seconds since 1970. ``ticks``: seconds that no clock changes.
    """

    def __init__(
        self,
        newest: Callable[[], str],
        signed: Callable[[], float],
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._newest, self._signed, self._ticks = newest, signed, ticks
        self._lock = threading.Lock()
        self._heard: dict[str, Heard] = {}  # the one that was heard first is first
        self._latest: tuple[float, Witness] = (0.0, "log")
        self._looked = float("-inf")

    def note_browser_moment(self, browser: str, moment: datetime) -> None:
        """Note the time that the clock of a browser shows."""
        at = self._ticks()
        with self._lock:
            self._heard.pop(browser, None)
            self._heard[browser] = Heard(moment.timestamp() - at, at)
            while len(self._heard) > MOST_BROWSERS:
                del self._heard[next(iter(self._heard))]

    def clock_fault_or_none(self, now: datetime) -> ClockFault | None:
        """What is known to be wrong with a clock that shows this moment; None if nothing."""
        apart = self._browser_differences_s(now)
        middle = apart[(len(apart) - 1) // 2 : len(apart) // 2 + 1]  # one, or two
        if len(apart) >= LEAST_BROWSERS:
            if middle[0] > BROWSERS_DIFFER_S:
                return ClockFault(middle[0], "browsers")
            if middle[-1] < -BROWSERS_DIFFER_S:
                return ClockFault(middle[-1], "browsers")
            if max(map(abs, middle)) <= BROWSERS_DIFFER_S:
                return None
        latest, witness = self._latest_moment_and_witness()
        behind_s = latest - now.timestamp()
        if behind_s <= LOG_DIFFERS_S:
            return None
        return ClockFault(max(behind_s, *apart) if len(apart) == 1 else behind_s, witness)

    def behind_s(self, now: datetime) -> int:
        """Whole seconds that a clock is known to be behind, negative if ahead.

        0 if nothing is known.
        """
        fault = self.clock_fault_or_none(now)
        return 0 if fault is None else round(fault.behind_s)

    def _browser_differences_s(self, now: datetime) -> list[float]:
        """How many seconds the clock is behind each browser, the least first."""
        ticks = self._ticks()
        with self._lock:
            heard = [one for one in self._heard.values() if ticks - one.at <= HEARD_S]
        return sorted(one.less_ticks + ticks - now.timestamp() for one in heard)

    def _latest_moment_and_witness(self) -> tuple[float, Witness]:
        """The latest moment that log or notary knows, in seconds since 1970, and which it is."""
        ticks = self._ticks()
        if not self._latest[0] or ticks - self._looked >= FRESH_S:
            self._looked = ticks
            log, signed = self._moment_of_log(), self._moment_of_checkpoint()
            self._latest = (log, "log") if log >= signed else (signed, "notary")
        return self._latest

    def _moment_of_log(self) -> float:
        try:
            newest = self._newest()
        except Exception:  # noqa: BLE001 - a log that cannot be read is said elsewhere
            return 0.0
        return datetime.fromisoformat(newest).timestamp() if newest else 0.0

    def _moment_of_checkpoint(self) -> float:
        try:
            return self._signed()
        except Exception:  # noqa: BLE001 - nothing is signed, or it is said elsewhere
            return 0.0
