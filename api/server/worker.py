"""gunicorn's ``gthread`` worker, whose threads get whole requests only.

The stock worker gives a connection to a thread as soon as its first byte is there, and closes
connections in its main loop, where it waits for the peer for up to two seconds. So as many slow
peers as there are threads stop the service. Here the main loop reads requests and closes
connections without waiting; an address has a share of the connections.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import ssl
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from gunicorn import util
from gunicorn.arbiter import Arbiter
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker

from api.http.access.hosts import is_from_another_device
from api.http.access.reach import HouseReach
from api.server.clubs.turns import FairTurns, TooManyWaiting, turn_key
from api.server.connections import IncomingConnection, RefusedEarly
from api.server.https import HouseTls
from api.server.serve_settings import is_behind_proxy
from referee.system import ports

SETTINGS_MODULE: Final = "api.server.gunicorn_conf"
SETTINGS_READ: Final = threading.Event()
"""Whether gunicorn has read the settings of this service."""
SILENCE_VARIABLE: Final = "GUINOTE_SILENCE"
DEFAULT_SILENCE_S: Final = 20
SHARE: Final = 4
"""An address has one in so many connections of a worker, unless a proxy is in front."""
LINGER_S: Final = 2.0
"""Time in which a peer can take the rest of an answer, after the connection was closed."""
MOST_LINGERING: Final = 256
CHECKED_EVERY_S: Final = 0.25
MASTER_CHECKED_EVERY_S: Final = 0.25
ORPHANED_S: Final = 0.7
"""Time in which a worker without a master may finish what it has begun."""
MOST_FILES: Final = 4096
SWITCH_S: Final = 0.0005
"""Time after which a thread that computes lets another one go on, a tenth of Python's: an act
waits for it each time that it comes back from the disk."""
TURN_S: Final = 0.05
_CHUNK: Final = 64 * 1024


def require_our_gunicorn_settings() -> None:
    """Refuse to be served by a gunicorn that has not read these settings.

    With its own it would read requests in a worker that a slow client can hold, with no projector.

    :raises SystemExit: with the code by which gunicorn ends, instead of starting another worker
    """
    if not SETTINGS_READ.is_set():
        sys.stderr.write(
            f"gunicorn has no settings of this service: add -c python:{SETTINGS_MODULE}, "
            "or start guinote serve\n"
        )
        raise SystemExit(Arbiter.APP_LOAD_ERROR)


def silence_timeout_s() -> float:
    """Timeout in seconds for a silent peer, from ``GUINOTE_SILENCE``."""
    found = float(os.environ.get(SILENCE_VARIABLE, str(DEFAULT_SILENCE_S)))
    if found <= 0:
        raise SystemExit(f"{SILENCE_VARIABLE}: more than 0")
    return found


class WholeRequestWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """The worker. ``incoming``: connections whose request is awaited, the oldest first."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.silence_s = silence_timeout_s()
        self.share = self.worker_connections // (1 if is_behind_proxy() else SHARE)
        self.incoming: dict[IncomingConnection, None] = {}
        self.lingering: dict[socket.socket, float] = {}
        self.by_address: Counter[str] = Counter()
        self._checked = 0.0
        self.sockets: list[socket.socket]
        self.reach: HouseReach | None = None
        self.house_tls: HouseTls | None = None
        self.turns: FairTurns[IncomingConnection] | None = None
        """Turns of the clubs, where there are many."""
        self.club_of: Callable[[str, str], str | None] = lambda host, _: host
        self.refusal_of: Callable[[bytes], bytes] = lambda _: b""
        """The answer to a request that does not wait for its turn."""

    def init_process(self) -> None:
        """Start the worker process, with a higher limit of open files."""
        ports.raise_open_file_limit(MOST_FILES)
        sys.setswitchinterval(SWITCH_S)
        threading.Thread(target=self._wait_and_end_with_master, name="master", daemon=True).start()
        super().init_process()

    def _wait_and_end_with_master(self) -> None:
        """End soon after the master was killed: a new one can have the address at once.

        Live streams would keep the worker for as long as they are open.
        """
        while os.getppid() == self.ppid:
            time.sleep(MASTER_CHECKED_EVERY_S)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(ORPHANED_S)
        os._exit(os.EX_UNAVAILABLE)

    # --- accepting ---------------------------------------------------------------------------

    def change_listeners(self, opened: list[socket.socket], closed: list[socket.socket]) -> None:
        """Add and remove listening sockets; may be called from any thread."""
        self.method_queue.defer(self._change_listeners, opened, closed)

    def _change_listeners(self, opened: list[socket.socket], closed: list[socket.socket]) -> None:
        was_accepting = self._accepting
        self.set_accept_enabled(False)
        self.sockets = [one for one in (*self.sockets, *opened) if one not in closed]
        self.set_accept_enabled(was_accepting)
        for one in closed:
            one.close()

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection; if there are too many, drop the oldest one without a request."""
        try:
            accepted, client = listener.accept()
        except OSError:  # it is gone already, or no descriptor is free
            return
        conn = IncomingConnection(self, accepted, client, listener.getsockname())
        if self.reach is not None and is_from_another_device(client, conn.server):
            self.reach.note_visit()
        has_room = self._make_place_for_connection(conn.address)
        self.nr_conns += 1
        self.by_address[conn.address] += 1
        if has_room:
            self.read_request(conn)
        else:
            self.drop(conn)

    def _make_place_for_connection(self, address: str) -> bool:
        """Make room for a connection of an address, by dropping one if need be.

        False if there is none.
        """
        is_full = self.nr_conns >= self.worker_connections - 1
        has_its_share = bool(address) and self.by_address[address] >= self.share
        if not (is_full or has_its_share):
            return True
        for one in self.incoming:
            if one.address == address or not has_its_share:
                self.drop(one)
                return True
        return False

    # --- reading -----------------------------------------------------------------------------

    def read_request(self, conn: IncomingConnection, *_: Any) -> None:
        """Read from a connection, and give its request to a thread once it is whole."""
        self._unwatch_socket(conn)
        try:
            is_whole = conn.receive_request()
        except (BlockingIOError, ssl.SSLWantReadError):
            self._read_when_ready(conn, selectors.EVENT_READ)
        except ssl.SSLWantWriteError:
            self._read_when_ready(conn, selectors.EVENT_WRITE)
        except RefusedEarly as refused:
            self._send_status(conn, refused.status)
        except ssl.SSLError:  # it speaks no TLS, or another one
            self.drop(conn, graceful=True)
        except (OSError, ValueError):  # the connection is over
            self.drop(conn)
        else:
            if is_whole:
                self.incoming.pop(conn, None)
                self.enqueue_req(conn)
            else:
                self.drop(conn)

    def _read_when_ready(self, conn: IncomingConnection, events: int) -> None:
        self.incoming.setdefault(conn)
        self.poller.register(conn.sock, events, partial(self.read_request, conn))

    def _unwatch_socket(self, conn: IncomingConnection) -> None:
        with suppress(KeyError, ValueError):
            self.poller.unregister(conn.sock)

    def _send_status(self, conn: IncomingConnection, status: str) -> None:
        answer = f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        self._send_and_drop(conn, answer.encode())

    def _send_and_drop(self, conn: IncomingConnection, answer: bytes) -> None:
        with suppress(OSError):
            conn.sock.send(answer)
        self.drop(conn, graceful=True)

    def drop(self, conn: IncomingConnection, *, graceful: bool = False) -> None:
        """Close a connection that no thread has."""
        self._unwatch_socket(conn)
        self.incoming.pop(conn, None)
        self.nr_conns -= 1
        conn.close(graceful=graceful)

    def on_client_socket_readable(self, conn: IncomingConnection, client: socket.socket) -> None:
        """Read the next request of a connection that was kept open."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        conn.reset_deadlines()
        self.read_request(conn)

    def finish_request(self, conn: IncomingConnection, fs: Any) -> None:
        """Keep or close a connection after its answer.

        Go on at once if its next request is there.
        """
        self._end_turn(conn)
        super().finish_request(conn, fs)
        if conn.received and conn in self.keepalived_conns:
            self.on_client_socket_readable(conn, conn.sock)

    # --- turns -------------------------------------------------------------------------------

    def enqueue_req(self, conn: IncomingConnection) -> None:
        """Give a request to a thread, once its host has its turn."""
        if self.turns is None or not (turn := turn_key(conn.request, self.club_of)):
            super().enqueue_req(conn)
            return
        conn.turn = turn
        try:
            self._begin_requests(self.turns.add_and_take_requests(conn.turn, conn))
        except TooManyWaiting:
            conn.turn = ""
            self._send_and_drop(conn, self.refusal_of(conn.request))

    def _begin_requests(self, begun: list[IncomingConnection]) -> None:
        for conn in begun:
            conn.sock.on_answer = partial(self.method_queue.defer, self._end_turn, conn)
            super().enqueue_req(conn)

    def _end_turn(self, conn: IncomingConnection) -> None:
        """End the turn of a request once it is answered, even if not sent; waiting ones begin."""
        turn, conn.turn = conn.turn, ""
        if turn and self.turns is not None:
            self._begin_requests(self.turns.end_and_take_requests(turn))

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Wait for events of sockets, for a short time only while requests wait for their turn."""
        if self.turns is not None and self.turns.has_queue:
            timeout = min(timeout, TURN_S)
            self._begin_requests(self.turns.take_requests_due_now())
        super().wait_for_and_dispatch_events(timeout)

    # --- closing -----------------------------------------------------------------------------

    def murder_pending(self) -> None:
        """Close connections that are late.

        A stopping worker waits shortly for requests that have begun.
        """
        now = time.monotonic()
        if now < self._checked + CHECKED_EVERY_S:
            return
        self._checked = now
        for conn in list(self.incoming):
            if not self.alive:
                conn.until = min(conn.until, now + STOP_KEEPALIVE_LINGER * bool(conn.received))
            if conn.is_late(now):
                self.drop(conn)
        for sock, until in list(self.lingering.items()):
            if now >= until:
                self._unregister_and_close(sock)

    def _keepalive_after(self, conn: IncomingConnection, keepalive: Any) -> bool:
        """Whether a connection can be used for another request."""
        is_kept = super()._keepalive_after(conn, keepalive)
        return is_kept and conn.parser.unreader.iter is not None

    def close_socket(self, conn: IncomingConnection, *, graceful: bool) -> None:
        """Close the socket of a connection; if graceful, when the peer has taken the answer."""
        self.by_address[conn.address] -= 1
        if not self.by_address[conn.address]:
            del self.by_address[conn.address]
        if not graceful or len(self.lingering) >= MOST_LINGERING:
            util.close(conn.sock)
            return
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, selectors.EVENT_READ, self._drain)
        except (OSError, ValueError, KeyError):  # the peer is gone already
            util.close(conn.sock)
        else:
            self.lingering[conn.sock] = time.monotonic() + LINGER_S

    def _drain(self, sock: socket.socket) -> None:
        """Throw away what a peer still sends, until it closes the connection too."""
        try:
            if sock.recv(_CHUNK):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._unregister_and_close(sock)

    def _unregister_and_close(self, sock: socket.socket) -> None:
        del self.lingering[sock]
        self.poller.unregister(sock)
        util.close(sock)
