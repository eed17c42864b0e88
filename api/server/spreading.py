"""Connections spread evenly over the workers of a server, and their next request awaited.

A connection that is kept stays with the worker that took it. Taken by whoever wakes first, most of
sixteen are with one worker, whose clients wait in a long queue while the other worker is idle.
Between two requests gunicorn hands a connection to its main thread and back: a sixth of the work.
"""

from __future__ import annotations

import mmap
import select
import threading
import time
from array import array
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

from api.server.peer_timeouts import PlainSocket, patient

MOST_WORKERS: Final = 256
FREE: Final = -1
STARTING: Final = 2**31 - 1
"""Of a worker that takes no connections yet: nobody waits for it."""
WAIT_S: Final = 0.001
WAITS: Final = 10
LINGERING: Final = 8
"""Threads of a worker that may each wait a moment for the next request of a connection."""
LINGER_MS: Final = 20

_connections = memoryview(mmap.mmap(-1, 4 * MOST_WORKERS)).cast("i")
"""Connections of each worker by its seat, in memory that all processes of a server share."""
_connections[:] = array("i", [FREE] * MOST_WORKERS)


class BalancedWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A worker that leaves a new connection to one that has fewer."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self.seat = _connections.tolist().index(FREE)  # before the fork, so no two have the same
        super().__init__(*given, **more)
        self.nr_conns = STARTING
        self._lingering = threading.Semaphore(LINGERING)

    def run(self) -> None:
        """Take connections until told to stop."""
        self.nr_conns = 0
        super().run()

    @property
    def nr_conns(self) -> int:
        """Connections that this worker has; the name is gunicorn's."""
        return _connections[self.seat]

    @nr_conns.setter
    def nr_conns(self, number: int) -> None:
        _connections[self.seat] = number

    def accept(self, listener: Any) -> None:
        """Take a connection that waits, unless another worker has taken it by then.

        One that has fewer is given a moment, and no more: it might hang.
        """
        for _ in range(WAITS):
            if self.nr_conns <= fewest():
                break
            time.sleep(WAIT_S)
        super().accept(listener)

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread; a new one will not be waited for without an end."""
        if not conn.initialized and not isinstance(conn.sock, PlainSocket):
            conn.sock = patient(conn.sock)
            conn.sock.setblocking(False)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        """Answer a request, and those that follow it at once on the same connection."""
        kept = super().handle(conn)
        while kept is True and self.alive and self._follows(conn):
            kept = super().handle(conn)
        return kept

    def _follows(self, conn: Any) -> bool:
        """Whether another request begins within a moment, if a thread is free to wait for it."""
        if not self._lingering.acquire(blocking=False):
            return False
        try:
            line = select.poll()
            line.register(conn.sock, select.POLLIN)
            return bool(line.poll(LINGER_MS))
        except (OSError, ValueError):  # closed meanwhile
            return False
        finally:
            self._lingering.release()


def fewest() -> int:
    """Connections of the worker that has the fewest."""
    return min(number for number in _connections if number != FREE)


def leave(arbiter: Any, worker: BalancedWorker) -> None:
    """Free the seat of a worker that has ended."""
    del arbiter
    _connections[worker.seat] = FREE
