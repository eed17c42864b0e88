"""Timeouts for peers that stop sending in the middle of a handshake or a request.

gunicorn's ``gthread`` worker blocks a thread on the socket while it reads. Without a timeout a peer
that begins a TLS handshake or a request and then sends nothing blocks that thread forever, and a
few such peers stop the whole service. ``PeerTimeoutWorker`` is that worker with such a timeout.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

PEER_TIMEOUT_VARIABLE: Final = "GUINOTE_SILENCE"
DEFAULT_PEER_TIMEOUT_S: Final = 20


def peer_timeout_s() -> float:
    """Timeout in seconds for a silent peer, from ``GUINOTE_SILENCE``."""
    found = float(os.environ.get(PEER_TIMEOUT_VARIABLE, str(DEFAULT_PEER_TIMEOUT_S)))
    if found <= 0:
        raise SystemExit(f"{PEER_TIMEOUT_VARIABLE}: more than 0")
    return found


_PEER_TIMEOUT_S: Final = peer_timeout_s()


class _TimeoutSocket(socket.socket):
    """A socket whose blocking mode ends after the timeout."""

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 - as of socket
        """Block for at most the timeout, or do not block."""
        self.settimeout(_PEER_TIMEOUT_S if flag else 0.0)

    def recv(self, *given: Any, **more: Any) -> bytes:
        """Bytes received; a timeout is reported as a connection that the peer has closed."""
        try:
            return super().recv(*given, **more)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "the peer sent nothing") from None


class PlainSocket(_TimeoutSocket):
    """A connection without TLS, as it was accepted."""


class SecureSocket(_TimeoutSocket, ssl.SSLSocket):
    """A connection over TLS; the timeout holds for its whole handshake."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - as of ssl
        """Agree on keys; ``SSLEOFError`` if the peer does not."""
        try:
            super().do_handshake(block)
        except TimeoutError:
            raise ssl.SSLEOFError(ssl.SSL_ERROR_EOF, "no handshake") from None


class PeerTimeoutWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's ``gthread`` worker; each accepted connection gets a socket with the timeout."""

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread; replace its socket before the first time."""
        if not conn.initialized and not isinstance(conn.sock, PlainSocket):
            conn.sock = _with_timeout(conn.sock)
            conn.sock.setblocking(False)
        super().enqueue_req(conn)


def _with_timeout(accepted: socket.socket) -> PlainSocket:
    """The same connection as a socket with the timeout."""
    kind = accepted.family, accepted.type, accepted.proto
    return PlainSocket(*kind, fileno=accepted.detach())


def tls_context(_settings: Any, made: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
    """Gunicorn's TLS context of the certificate, with sockets that have the timeout."""
    context = made()
    context.sslsocket_class = SecureSocket
    return context
