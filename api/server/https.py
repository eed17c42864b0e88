"""The authority of the house: its certificate for HTTPS, made by one tap and renewed by itself.

It is limited to the local name and to addresses that routers give in homes and clubs. So a router
that gives another address needs nothing new on the phones, and who steals its key can impersonate
no site of the internet.
"""

from __future__ import annotations

import logging
import os
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from cryptography import x509

from api.accounts.house_https import SERVER_PEM, HouseHttps
from api.http.access.reach import LOCAL_NAME, own_addresses
from api.server.certificates import (
    ROOT,
    TLS_VARIABLES,
    Host,
    make_certificate_and_key,
    may_certify,
    private_key_pem,
)
from api.server.serve_settings import tls_context_of_files
from projections.runner.runner import runner_lock
from referee.log.durable import FILE_MODE, write_file_atomically
from referee.log.faults import repeat_in_thread

SEND_TIMEOUT_S: Final = 20.0
"""Time in which a peer has to take a part of an answer, or it is disconnected."""
_HANDSHAKE: Final = b"\x16"
"""The first byte of TLS (RFC 8446, 5.1); no request of HTTP begins with it."""


class _TimeoutSocket(socket.socket):
    """A socket that blocks for a limited time only."""

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 - as of socket
        """Block for a limited time, or do not block."""
        self.settimeout(SEND_TIMEOUT_S if flag else 0.0)


class PlainSocket(_TimeoutSocket):
    """An accepted connection without TLS."""


class SecureSocket(_TimeoutSocket, ssl.SSLSocket):
    """A connection over TLS."""


class HouseSocket(SecureSocket):
    """A connection over TLS with the certificate of the house."""

    is_of_house = True


class HouseTls:
    """TLS with the certificate in a file, for peers that begin TLS at the port of HTTP."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def secure_socket_or_none(self, accepted: socket.socket) -> SecureSocket | None:
        """The connection over TLS; None if its peer begins otherwise or there is no certificate.

        :raises BlockingIOError: nothing has come yet
        :raises OSError: the connection is over, or the certificate cannot be read
        """
        if accepted.recv(1, socket.MSG_PEEK) != _HANDSHAKE or not self._file.exists():
            return None
        file = str(self._file)
        return _socket_over_tls(
            accepted, tls_context_of_files(file, file, _context_maker(HouseSocket))
        )


class GivenTls:
    """TLS for every connection, with a certificate and a key of the settings."""

    def __init__(self, certificate: str, key: str) -> None:
        self._certificate, self._key = certificate, key

    def secure_socket_or_none(self, accepted: socket.socket) -> SecureSocket:
        """The connection over TLS.

        :raises OSError: the connection is over, or the certificate cannot be read
        """
        made = _context_maker(SecureSocket)
        return _socket_over_tls(accepted, tls_context_of_files(self._certificate, self._key, made))


def tls_of_settings() -> GivenTls | None:
    """TLS with the certificate of the settings; None without one."""
    certificate, key = (os.environ.get(name, "") for name in TLS_VARIABLES)
    return GivenTls(certificate, key) if certificate and key else None


def _socket_over_tls(accepted: socket.socket, context: ssl.SSLContext) -> SecureSocket:
    """A socket over TLS, whose handshake happens with the first read."""
    secure: Any = context.wrap_socket(accepted, server_side=True, do_handshake_on_connect=False)
    assert isinstance(secure, SecureSocket), "the context makes no others"
    return secure


def _context_maker(kind: type[SecureSocket]) -> Callable[[str, str], ssl.SSLContext]:
    def make_context(certificate: str, key: str) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        context.sslsocket_class = kind
        return context

    return make_context


RENEWED_BEFORE: Final = timedelta(days=60)
LOOKED_EVERY_S: Final = 2.0
_NETWORKS: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")
"""Addresses that routers give, and those that computers give themselves (RFC 1918, 3927)."""
_log = logging.getLogger(__name__)


def https_settings_of_house(folder: Path, *, is_offered: bool) -> HouseHttps:
    """HTTPS settings of a house; certificates are made only if ``is_offered``."""
    return HouseHttps(folder, renew_certificate_if_needed if is_offered else None)


def house_tls(https: HouseHttps) -> HouseTls | None:
    """TLS of the house for its listeners; None where a proxy or another certificate does HTTPS."""
    return HouseTls(https.folder / SERVER_PEM) if https.is_offered else None


def renew_certificate_if_needed(folder: Path) -> None:
    """Make a certificate for the present addresses of this computer, unless a good one is there.

    :raises OSError: it cannot be written
    """
    make_certificate_if_needed(folder, own_addresses(), datetime.now(UTC))


def make_certificate_if_needed(folder: Path, addresses: list[Host], now: datetime) -> None:
    """Make a certificate for these addresses and the local name, unless a good one is there."""
    if _is_certificate_good(folder, addresses, now):
        return
    with runner_lock(folder, threading.Event()):  # one worker signs at one time
        if _is_certificate_good(folder, addresses, now):
            return
        hosts = (LOCAL_NAME, *_addresses_root_may_certify(folder, addresses))
        certificate, key = make_certificate_and_key(
            folder, hosts, now, limits=(LOCAL_NAME, *_NETWORKS, *addresses)
        )
        write_file_atomically(folder / SERVER_PEM, certificate + private_key_pem(key), FILE_MODE)


def _addresses_root_may_certify(folder: Path, addresses: list[Host]) -> list[Host]:
    """Addresses for which the authority may sign: all of them if there is none yet."""
    try:
        root = x509.load_pem_x509_certificate((folder / ROOT).read_bytes())
    except OSError:
        return addresses
    return [one for one in addresses if may_certify(root, one)]


def _is_certificate_good(folder: Path, addresses: list[Host], now: datetime) -> bool:
    """Whether the certificate names the addresses and is valid long enough."""
    try:
        text = (folder / SERVER_PEM).read_bytes()
        root = x509.load_pem_x509_certificate((folder / ROOT).read_bytes())
    except OSError:
        return False
    found = x509.load_pem_x509_certificate(text)
    until = found.not_valid_after_utc
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    named = set(map(str, names.get_values_for_type(x509.IPAddress)))
    is_long = until - now > RENEWED_BEFORE or until >= root.not_valid_after_utc
    return is_long and named.issuperset(_addresses_root_may_certify(folder, addresses))


def start_certificate_renewal(https: HouseHttps) -> None:
    """Start a thread that renews the certificate."""
    if https.is_offered:
        repeat_in_thread(
            "renewal of the certificate for HTTPS", https.renew_if_due, LOOKED_EVERY_S, _log
        )
