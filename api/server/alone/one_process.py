"""The server that does everything in one process.

Requests, views and signatures are its threads (``waitress``).

It is the way of Windows, which has no gunicorn, and of a computer that somebody sits at. Whole
requests are read by one thread, as in the worker of gunicorn; a live stream holds a thread, so
there is one for each of them beside those that answer (``serve_settings.threads``).
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from api.club.phones.book import forget_phones_in_thread
from api.http.access.hosts import SOCKET, is_from_another_device
from api.http.access.reach import HouseReach
from api.http.bodies import MAX_BYTES
from api.monitoring.log_lines import set_up_logging
from api.publication.issue import start_issue_thread
from api.server import wiring
from api.server.data_folder import DEFAULT_FOLDER
from api.server.faults.exits import STORE_ERRORS
from api.server.faults.read_only import run_when_writable
from api.server.house_backups import start_daily_backups
from api.server.https import (
    GivenTls,
    HouseTls,
    house_tls,
    start_certificate_renewal,
    tls_of_settings,
)
from api.server.local_network import start_listener_updates
from api.server.restoration.swap import finish_restoration
from api.server.serve_settings import is_behind_proxy, thread_count_in_settings
from api.server.side_processes import is_to_start_notary, notary_folder_of
from api.server.signer import sign_until_stop
from api.server.webhooks import start_webhook_thread
from referee.log.ports import NewerData
from referee.system import exits, ports

SILENT_S: Final = 20
"""Time after which a connection without a request is closed."""
MOST_CONNECTIONS: Final = 400
"""Windows can wait for 512 at one time."""
MOST_OF_A_HEAD: Final = 64 * 1024
MOST_OF_A_RECORD: Final = 16 * 1024
MOST_READ: Final = 8 * MAX_BYTES
"""A larger body is refused without words; one that is too large only, by the application."""
BACKLOG: Final = 128
TURN_S: Final = 1.0
GRACE_S: Final = 5.0
"""Time in which what was asked may be answered, once the server is to end."""

_log = logging.getLogger(__name__)


class _Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request of waitress that passes its socket on to the application."""

    def get_environment(self) -> dict[str, Any]:
        found = {**super().get_environment(), SOCKET: self.channel.socket}
        return found | ({"wsgi.url_scheme": "https"} if self.channel.is_secure() else {})


class _Channel(HTTPChannel):  # type: ignore[misc]  # as above
    """A connection, over TLS if the house has a certificate for it.

    A thread may send while the main loop reads, and TLS takes one of both at a time.
    """

    task_class = _Task
    socket: Any

    def __init__(self, *given: Any, **more: Any) -> None:
        self._has_begun, self._tls_turn = False, threading.RLock()
        super().__init__(*given, **more)

    def is_secure(self) -> bool:
        """Whether the connection is over TLS."""
        return isinstance(self.socket, ssl.SSLSocket)

    def handle_read(self) -> None:
        """Read from the connection what has come."""
        try:
            if not self._has_begun:
                tls = self.server.tls
                self.socket = (tls and tls.secure_socket_or_none(self.socket)) or self.socket
                self._has_begun = True
            came = self._read_decrypted() if self.is_secure() else None
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:  # the connection is over, or it trusts no certificate of the house
            self.handle_close()
            return
        if came is None:
            super().handle_read()
        elif came:
            self.last_activity = time.time()
            self.received(came)
        else:
            self.handle_close()

    def _read_decrypted(self) -> bytes:
        """Read all bytes that TLS has decrypted so far."""
        with self._tls_turn:
            came = bytes(self.socket.recv(MOST_OF_A_RECORD))
            while waiting := self.socket.pending():
                came += self.socket.recv(waiting)
        return came

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: FBT001, FBT002 - as of waitress
        """Send a part of an answer; 0 if the peer has to take some first."""
        if not self.is_secure():
            return int(super().send(data, do_close=do_close))
        try:
            with self._tls_turn:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0


class _Listener(TcpWSGIServer):  # type: ignore[misc]  # as above
    """A listening socket of the house. ``reach``: notes visits of other devices."""

    channel_class = _Channel
    reach: HouseReach | None = None
    tls: HouseTls | GivenTls | None = None

    def set_reuse_addr(self) -> None:
        """Leave the socket options as they are: ``ports.share_port`` has set them."""

    def set_socket_options(self, conn: socket.socket) -> None:
        """Note a visit if the connection comes from another device."""
        super().set_socket_options(conn)
        if self.reach is not None and is_from_another_device(
            conn.getpeername(), conn.getsockname()
        ):
            self.reach.note_visit()


class OneProcess:
    """The one-process server of an application. ``listener``: a listening socket."""

    def __init__(self, made: Flask, listener: socket.socket) -> None:
        self._made, self._reach = made, made.extensions["reach"]
        self._tls = tls_of_settings() or house_tls(made.extensions["https"])
        self._settings = Adjustments(
            threads=thread_count_in_settings(),
            ident=None,
            connection_limit=MOST_CONNECTIONS,
            channel_timeout=SILENT_S,
            cleanup_interval=SILENT_S // 2,
            max_request_body_size=MOST_READ,
            max_request_header_size=MOST_OF_A_HEAD,
            clear_untrusted_proxy_headers=not is_behind_proxy(),
            sockets=[],
        )
        self._dispatcher = ThreadedTaskDispatcher()
        self._map: dict[int, Any] = {}
        self._doors: dict[socket.socket, _Listener] = {}
        self._dispatcher.set_thread_count(self._settings.threads)
        self._first = self._add_listener(listener)
        self._ending = threading.Event()
        folder = made.extensions["guinote"].files.folder
        start_listener_updates(self._reach, [listener], self._change_listeners, folder)

    def run(self) -> None:
        """Serve until ``end`` is called, and then for a moment what was asked before that."""
        try:
            while not self._ending.is_set():
                self._poll_once()
            for door in self._doors.values():
                door.accepting = False
            until = time.monotonic() + GRACE_S
            while self._is_answering() and time.monotonic() < until:
                self._poll_once()
        finally:
            self._dispatcher.shutdown(timeout=GRACE_S)
            wasyncore.close_all(self._map)

    def end(self) -> None:
        """Stop serving, from any thread; live streams end first."""
        self._made.extensions["guinote"].end_streams()
        self._ending.set()
        self._first.pull_trigger()

    def _poll_once(self) -> None:
        if not self._map:  # the loop would return at once, and this one run for nothing
            raise RuntimeError("no listener is left")
        wasyncore.loop(timeout=TURN_S, map=self._map, count=1)

    def _is_answering(self) -> bool:
        channels = [one for one in self._map.values() if isinstance(one, _Channel)]
        return any(one.requests or one.total_outbufs_len for one in channels)

    def _change_listeners(self, opened: list[Any], closed: list[Any]) -> None:
        """Add and remove listening sockets; may be called from any thread."""

        def apply_change() -> None:
            for door in opened:
                self._add_listener(door)
            for door in closed:
                self._doors.pop(door).close()

        self._first.trigger.pull_trigger(apply_change)

    def _add_listener(self, door: socket.socket) -> _Listener:
        about = (door.family, door.type, door.proto, door.getsockname())
        opened = _Listener(
            *(
                _without_connection_header(self._made),
                self._map,
                True,
                door,
                self._dispatcher,
                self._settings,
                about,
            ),
            bind_socket=False,
        )
        opened.reach, opened.tls = self._reach, self._tls
        self._doors[door] = opened
        return opened


def _without_connection_header(made: Any) -> Any:
    """The application without its ``Connection`` header, which waitress sends itself."""

    def answer_without_header(environ: dict[str, Any], start_response: Any) -> Any:
        def start_without_header(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            kept = [one for one in headers if one[0].lower() != "connection"]
            return start_response(status, kept, *more)

        return made(environ, start_without_header)

    return answer_without_header


class AddressTaken(Exception):  # noqa: N818 - what is the case
    """Another program, or this one, listens at the address."""


def open_listener(bind: str) -> socket.socket:
    """Open a listening socket at ``host:port``.

    :raises AddressTaken: it cannot be had
    """
    host, _, port = bind.rpartition(":")
    host = host.strip("[]") or "0.0.0.0"  # noqa: S104 - as gunicorn takes it
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        ports.set_port_exclusive(listener)
        listener.bind((host, int(port)))
        listener.listen(BACKLOG)
    except (OSError, ValueError) as error:
        listener.close()
        raise AddressTaken(f"{bind}: {error}") from None
    return listener


def serve_house(bind: str, opened: Callable[[], None] = lambda: None) -> None:
    """Serve a house until stopped; ``opened``: called once it listens.

    It begins anew when a disk that took no writes takes them again, and to restore a backup.

    :raises AddressTaken: somebody else has the address
    """
    set_up_logging()
    os.umask(0o077)
    is_again = True
    while is_again:
        listener = open_listener(bind)
        finish_restoration(wiring.files_of_folder())
        made = wiring.app(with_projector=True)
        is_again = _serve_and_tell_if_again(made, OneProcess(made, listener), opened)
        opened = _do_nothing


def _do_nothing() -> None:
    """Do nothing, since the browser was opened before."""


def _serve_and_tell_if_again(made: Flask, server: OneProcess, opened: Callable[[], None]) -> bool:
    """Serve until the server ends; returns whether it is to start again."""
    home, again = made.extensions["guinote"], threading.Event()
    newer: list[NewerData] = []
    sending = threading.Event()

    def end_for_newer_data(error: NewerData) -> None:
        _log.critical("%s", error)
        newer.append(error)
        server.end()

    def restart_server() -> None:
        again.set()
        server.end()

    for one in ports.ENDS:
        signal.signal(one, lambda *_: threading.Thread(target=server.end, daemon=True).start())
    home.on_newer = end_for_newer_data
    made.extensions["backups"].restart = restart_server
    try:
        with _hold_notary_thread(home.files.folder):
            made.extensions["log_check"].start(made.extensions["measures"].began)
            start_daily_backups(made.extensions["backups"])
            forget_phones_in_thread(home)
            start_issue_thread(home)
            start_certificate_renewal(made.extensions["https"])
            with suppress(*STORE_ERRORS):  # each request asks again, and says what is wrong
                if home().no_writes:
                    run_when_writable(home.files.folder, restart_server)
            sending = start_webhook_thread(made)
            opened()
            server.run()
    finally:
        sending.set()
        home.close()
    if newer:
        raise SystemExit(exits.EX_CONFIG)
    return again.is_set()


@contextmanager
def _hold_notary_thread(folder: Path) -> Iterator[None]:
    """Run the notary in a thread meanwhile, if the settings want it."""
    if not is_to_start_notary():
        yield
        return
    stop = threading.Event()
    where, keys = wiring.files_of_folder(folder), notary_folder_of(folder, Path(DEFAULT_FOLDER))
    thread = threading.Thread(target=sign_until_stop, args=(where, keys, stop), name="notary")
    thread.daemon = True
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
