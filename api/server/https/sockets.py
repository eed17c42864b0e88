"""Sockets of connections, and TLS for those whose peer begins it at the port of HTTP.

The first byte of a connection tells TLS from HTTP. So a house has one port, one rule in a firewall
and one number on paper, and no server needs a restart for HTTPS to begin.
"""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from api.server.certificates import TLS_VARIABLES
from api.server.serve_settings import tls_context

SEND_TIMEOUT_S: Final = 20.0
"""Time in which a peer has to take a part of an answer, or it is disconnected."""
_HANDSHAKE: Final = b"\x16"
"""The first byte of TLS (RFC 8446, 5.1); no request of HTTP begins with it."""


class _TimeoutSocket(socket.socket):
    """A socket whose blocking mode ends after a time."""

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 - as of socket
        """Block for a time at most, or do not block."""
        self.settimeout(SEND_TIMEOUT_S if flag else 0.0)


class PlainSocket(_TimeoutSocket):
    """A connection without TLS, as it was accepted."""


class SecureSocket(_TimeoutSocket, ssl.SSLSocket):
    """A connection over TLS."""


class HouseSocket(SecureSocket):
    """A connection over the TLS of the house, which stands beside HTTP."""

    is_of_house = True


class HouseTls:
    """TLS with the certificate in a file, read again when it is another one; none without it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def begin(self, accepted: socket.socket) -> SecureSocket | None:
        """The connection over TLS, if its peer begins so and there is a certificate.

        :raises BlockingIOError: nothing has come yet
        :raises OSError: the connection is over, or the certificate cannot be read
        """
        if accepted.recv(1, socket.MSG_PEEK) != _HANDSHAKE or not self._file.exists():
            return None
        file = str(self._file)
        return _socket_over_tls(accepted, tls_context(file, file, _context_maker(HouseSocket)))


class GivenTls:
    """TLS with certificate and key that the house was given, for every connection."""

    def __init__(self, certificate: str, key: str) -> None:
        self._certificate, self._key = certificate, key

    def begin(self, accepted: socket.socket) -> SecureSocket:
        """The connection over TLS.

        :raises OSError: the connection is over, or the certificate cannot be read
        """
        made = _context_maker(SecureSocket)
        return _socket_over_tls(accepted, tls_context(self._certificate, self._key, made))


def tls_of_settings() -> GivenTls | None:
    """TLS with the certificate of the settings; None without one."""
    certificate, key = (os.environ.get(name, "") for name in TLS_VARIABLES)
    return GivenTls(certificate, key) if certificate and key else None


def _socket_over_tls(accepted: socket.socket, context: ssl.SSLContext) -> SecureSocket:
    """The connection over TLS, whose handshake comes with the first bytes that are read."""
    secure: Any = context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
    assert isinstance(secure, SecureSocket), "the context makes no others"
    return secure


def _context_maker(kind: type[SecureSocket]) -> Callable[[str, str], ssl.SSLContext]:
    def make(certificate: str, key: str) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        context.sslsocket_class = kind
        return context

    return make
