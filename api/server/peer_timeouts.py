"""Sockets that wait so long for a peer and no longer.

gunicorn gives a connection to a thread and blocks it. A peer that begins a handshake of TLS or a
request and then says nothing would keep that thread for ever, and few such peers the whole service.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable
from typing import Any, Final

SILENCE_VARIABLE: Final = "GUINOTE_SILENCE"
DEFAULT_SILENCE_S: Final = 20


def silence_s() -> float:
    """Seconds that a peer may be silent in the middle of something; of ``GUINOTE_SILENCE``."""
    found = float(os.environ.get(SILENCE_VARIABLE, str(DEFAULT_SILENCE_S)))
    if found <= 0:
        raise SystemExit(f"{SILENCE_VARIABLE}: more than 0")
    return found


_SILENCE_S: Final = silence_s()


class _PeerTimeout(socket.socket):
    """Where gunicorn asks for a socket that blocks, it blocks for a while."""

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 - as of socket
        """Block until something comes, but not for ever; or do not block."""
        self.settimeout(_SILENCE_S if flag else 0.0)

    def recv(self, *given: Any, **more: Any) -> bytes:
        """What came; a peer that was silent for too long is as one that went away."""
        try:
            return super().recv(*given, **more)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "silent for too long") from None


class PlainSocket(_PeerTimeout):
    """A connection as it was accepted."""


class SecureSocket(_PeerTimeout, ssl.SSLSocket):
    """A connection over TLS; its whole handshake takes no longer than a silence may."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - as of ssl
        """Agree on keys; ``SSLEOFError`` if the peer does not."""
        try:
            super().do_handshake(block)
        except TimeoutError:
            raise ssl.SSLEOFError(ssl.SSL_ERROR_EOF, "no handshake") from None


def patient(accepted: socket.socket) -> PlainSocket:
    """The same connection, whose peer may not be silent for ever."""
    kind = accepted.family, accepted.type, accepted.proto
    return PlainSocket(*kind, fileno=accepted.detach())


def secure_context(_settings: Any, made: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
    """What gunicorn makes of the certificate, for sockets that are patient."""
    context = made()
    context.sslsocket_class = SecureSocket
    return context
