"""Connections of the server, whose requests are read without blocking before a thread gets them."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from gunicorn import sock as gunicorn_sockets
from gunicorn.http import get_parser
from gunicorn.workers.gthread import TConn

from api.http.access.hosts import address_for_counting
from api.http.bodies import MAX_BYTES
from api.server import serve_settings
from api.server.https import HouseTls, PlainSocket, SecureSocket

SLOWEST: Final = 3
"""A whole request may take this many times the timeout for a silent peer."""
_CHUNK: Final = 64 * 1024
MOST_OF_A_HEAD: Final = 64 * 1024
_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*(?=\r\n)", re.IGNORECASE)
_CODING: Final = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.IGNORECASE)


def gunicorn_tls_context(settings: Any, made: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
    """TLS context for gunicorn, made again when the files of certificate and key have changed."""

    def make_context(*_: str) -> ssl.SSLContext:
        context = made()
        context.sslsocket_class = SecureSocket
        return context

    return serve_settings.tls_context_of_files(settings.certfile, settings.keyfile, make_context)


class _SecureSettings:
    """Settings of gunicorn for one connection that is over TLS though the settings say HTTP."""

    is_ssl = True

    def __init__(self, settings: Any) -> None:
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        return getattr(self._settings, name)


class ConnectionOwner(Protocol):
    """The worker of a connection. ``silence_s``: time after which a silent peer is dropped.

    ``house_tls``: HTTPS of the house at the port of HTTP, if it may have it.
    """

    cfg: Any
    silence_s: float
    house_tls: HouseTls | None

    def close_socket(self, conn: IncomingConnection, *, graceful: bool) -> None:
        """Close the socket of a connection."""
        ...


class IncomingConnection(TConn):  # type: ignore[misc]  # gunicorn has no types
    """A connection, and the bytes that came of its next request."""

    sock: Any
    cfg: Any

    def __init__(
        self, owner: ConnectionOwner, accepted: socket.socket, client: Any, server: Any
    ) -> None:
        kind = accepted.family, accepted.type, accepted.proto
        super().__init__(owner.cfg, PlainSocket(*kind, fileno=accepted.detach()), client, server)
        self.initialized = True  # for gunicorn: a thread reads nothing from the socket
        self.address = address_for_counting(client[0]) if isinstance(client, tuple) else ""
        self.received, self.request = bytearray(), b""
        self.turn = ""
        """The club in whose turn its request is."""
        self._owner, self._is_closed = owner, False
        self._has_begun = self._has_shaken_hands = False
        self.reset_deadlines()

    def reset_deadlines(self) -> None:
        """Set the deadlines for the next request of the connection."""
        now = time.monotonic()
        self.silent_until = now + self._owner.silence_s
        self.until = now + SLOWEST * self._owner.silence_s

    def is_late(self, now: float) -> bool:
        """Whether the peer was silent for too long, or its request takes too long."""
        return now >= min(self.silent_until, self.until)

    def receive_request(self) -> bool:
        """Read the bytes that have come.

        True once the next request is whole and ready for a thread.

        :raises OSError: nothing more has come yet (``BlockingIOError``, ``SSLWantReadError``), or
            the connection is over
        :raises RefusedEarly: it is not read further
        """
        while not (length := complete_request_length_or_zero(self.received)):
            if not self._receive_into_buffer():
                if not has_head(self.received):
                    return False
                length = len(self.received)  # it was cut: the application says so
                break
        self.request = bytes(self.received[:length])
        self.parser = get_parser(self.cfg, iter((self.request,)), self.client)
        del self.received[:length]
        return True

    def _receive_into_buffer(self) -> bool:
        """Read once from the socket; False if the peer sends nothing more."""
        if not self._has_begun:
            self._wrap_socket_if_tls()
            self._has_begun = True
        if not self._has_shaken_hands:
            if isinstance(self.sock, ssl.SSLSocket):
                self.sock.do_handshake()
            self._has_shaken_hands = True
        came = self.sock.recv(_CHUNK)
        self.received += came
        self.silent_until = time.monotonic() + self._owner.silence_s
        return bool(came)

    def _wrap_socket_if_tls(self) -> None:
        """Wrap the socket if the service has TLS, or if the peer begins it and the house can."""
        tls = self._owner.house_tls
        if self.cfg.is_ssl:
            self.sock = gunicorn_sockets.ssl_wrap_socket(self.sock, self.cfg)
        elif tls is not None and (secure := tls.secure_socket_or_none(self.sock)) is not None:
            self.sock, self.cfg = secure, _SecureSettings(self.cfg)

    def close(self, graceful: bool = False) -> None:  # noqa: FBT001, FBT002 - as of gunicorn
        """Close the connection, once, without waiting for the peer."""
        if not self._is_closed:
            self._is_closed = True
            self._owner.close_socket(self, graceful=graceful)


class RefusedEarly(Exception):  # noqa: N818 - it says what became of it
    """A request that is refused before it is read completely.

    ``status``: The status line of the answer.
    """

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


def complete_request_length_or_zero(received: bytes | bytearray) -> int:
    r"""Bytes of the first request; 0 if it is not whole yet.

    A body that is too large is left out: its stated length is enough to refuse it.

    >>> head = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
    >>> came = (head[:-1], head + b"{", head + b"{}", head + b"{}GET")
    >>> [complete_request_length_or_zero(one) for one in came]
    [0, 0, 40, 40]

    :raises RefusedEarly: the head is too long, or the length of the body is not stated
    """
    end = received.find(_END)
    if end > MOST_OF_A_HEAD or (end < 0 and len(received) > MOST_OF_A_HEAD):
        raise RefusedEarly("431 Request Header Fields Too Large")
    if end < 0:
        return 0
    head = received[: end + 2]
    if _CODING.search(head):
        raise RefusedEarly("411 Length Required")
    stated = _LENGTH.findall(head)
    body = int(stated[0]) if len(stated) == 1 else 0  # of two, gunicorn refuses the request
    whole = end + len(_END) + (body if body <= MAX_BYTES else 0)
    return whole if len(received) >= whole else 0


def has_head(received: bytes | bytearray) -> bool:
    """Whether the head of a request (line and headers) was received completely."""
    return _END in received
