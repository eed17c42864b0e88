"""Outgoing requests over HTTP or HTTPS that cannot be directed at the own network.

The address that is connected to is the one that was checked: a name is resolved once. A redirect is
not followed, an answer is read up to a bound or not beyond its head, and all of it has one time
limit.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import marshmallow as ma

from api.http.fields import error_with_fault_code

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

LIMIT_S: Final = 10.0
"""Time for the whole of an attempt, after the name of the receiver is resolved."""
CONNECT_LIMIT_S: Final = 3.0
"""Time of it for each address of a name, while there is another one to try."""
LONGEST_ADDRESS: Final = 500
GONE: Final = str(HTTPStatus.GONE.value)
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_LOCAL_NAT64: Final = ipaddress.IPv6Network("64:ff9b:1::/48")
_PORTS: Final = {"http": 80, "https": 443}


_FAILURES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (socket.gaierror, "not_found"),
    (ssl.SSLCertVerificationError, "certificate"),
    (TimeoutError, "timeout"),
    (ConnectionRefusedError, "refused"),
)


class BadAddress(ValueError):  # noqa: N818 - it says what the address is
    """An address that is not connected to, with a code that says why."""


class NotRead(Exception):  # noqa: N818 - an answer about an address
    """Nothing was read at an address. ``why``: a code of ``post``, a status, or ``too_large``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


_FAULTS: Final = (BadAddress, OSError, http.client.HTTPException, UnicodeError)
"""What an attempt may raise."""


class OutgoingAddress:
    """An address outside, in its parts.

    >>> OutgoingAddress("https://club.example/hooks?of=1").path
    '/hooks?of=1'

    :raises BadAddress: it is none of http or https, or has a user, a password or a fragment in it
    """

    def __init__(self, address: str) -> None:
        try:
            parts = urlsplit(address)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise BadAddress("address") from None
        is_plain = address.isascii() and address.isprintable() and " " not in address
        if parts.scheme not in _PORTS or not host or not is_plain:
            raise BadAddress("address")
        if parts.username is not None or parts.fragment or len(address) > LONGEST_ADDRESS:
            raise BadAddress("address")
        self.is_secure, self.host = parts.scheme == "https", host
        self.port = port or _PORTS[parts.scheme]
        self.path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def is_public_ip_address(address: str) -> bool:
    """Whether an address is one of the public internet, in whichever form it is written.

    >>> (
    ...     is_public_ip_address("93.184.215.14"),
    ...     is_public_ip_address("2606:2800:21f:cb07:6820:80da:af6b:8b2c"),
    ... )
    (True, True)
    >>> [is_public_ip_address(one) for one in ("10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1")]
    [False, False, False]
    """
    return not any(_is_private_ip_address(one) for one in _address_and_embedded_ipv4(address))


def _is_private_ip_address(one: IpAddress) -> bool:
    is_of_a_site = isinstance(one, ipaddress.IPv6Address) and one.is_site_local
    return not one.is_global or one.is_multicast or is_of_a_site or one in _LOCAL_NAT64


def _address_and_embedded_ipv4(address: str) -> Iterator[IpAddress]:
    """An address, and the IPv4 address that is written inside it, if there is one."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv4Address):
        yield found
        return
    inside = found.ipv4_mapped or found.sixtofour or (found.teredo and found.teredo[1])
    if found in _NAT64 or int(found) >> 32 == 0:
        inside = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    if found.ipv4_mapped is None:
        yield found
    if inside:
        yield inside


def post_for_status_or_fault(
    address: str, body: bytes, headers: Mapping[str, str], *, is_inside_allowed: bool = False
) -> str:
    """Send a body; returns the status of the answer, or a code of what prevented it.

    ``is_inside_allowed``: also to an address of the house's own network, or of this computer.
    Codes: ``address``, ``not_found`` (no such name), ``inside``, ``refused`` (no connection),
    ``certificate``, ``timeout``, ``broken`` (no answer of HTTP).
    """
    try:
        outside = OutgoingAddress(address)
        with _connection(outside, is_inside_allowed=is_inside_allowed) as connection:
            connection.request("POST", outside.path, body, dict(headers))
            return str(connection.getresponse().status)
    except _FAULTS as fault:
        return _fault_code(fault)


def get_content(
    address: str, most: int, headers: Mapping[str, str], *, is_inside_allowed: bool = False
) -> bytes:
    """The content at an address, refused if it has more than ``most`` bytes.

    :raises NotRead: it cannot be had
    """
    try:
        outside = OutgoingAddress(address)
        with _connection(outside, is_inside_allowed=is_inside_allowed) as connection:
            connection.request("GET", outside.path, headers=dict(headers))
            answer = connection.getresponse()
            if answer.status != HTTPStatus.OK:
                raise NotRead(str(answer.status))
            if answer.length is None and not answer.chunked:  # its end could not be known
                raise NotRead("broken")
            found = answer.read(most + 1)
            if len(found) > most:
                raise NotRead("too_large")
            if answer.length:
                raise http.client.IncompleteRead(found, answer.length)
            return found
    except _FAULTS as fault:
        raise NotRead(_fault_code(fault)) from None


def _fault_code(fault: Exception) -> str:
    """What prevented a connection or its answer."""
    if isinstance(fault, BadAddress):
        return str(fault)
    return next((code for kind, code in _FAILURES if isinstance(fault, kind)), "broken")


@contextmanager
def _connection(
    outside: OutgoingAddress, *, is_inside_allowed: bool
) -> Iterator[http.client.HTTPConnection]:
    """A connection to a host, after every address of its name was checked to be outside.

    :raises BadAddress: one of them is inside
    :raises TimeoutError: it took too long, also if its peer went on and on
    """
    found = socket.getaddrinfo(outside.host, outside.port, type=socket.SOCK_STREAM)
    if not is_inside_allowed and not all(is_public_ip_address(str(one[4][0])) for one in found):
        raise BadAddress("inside")
    until, is_late = time.monotonic() + LIMIT_S, threading.Event()
    connection = http.client.HTTPConnection(outside.host, outside.port)
    connection.default_port = _PORTS["https" if outside.is_secure else "http"]  # not in Host
    connection.sock = _connect_to_first(found, until)

    def close_late() -> None:
        is_late.set()
        with suppress(OSError):  # of the class below TLS, which another thread is using
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)

    timer = threading.Timer(until - time.monotonic(), close_late)
    timer.daemon = True
    timer.start()
    try:
        if outside.is_secure:
            connection.sock = _tls_context().wrap_socket(
                connection.sock, server_hostname=outside.host, do_handshake_on_connect=False
            )
            connection.sock.do_handshake()
        yield connection
    except (OSError, http.client.HTTPException):
        if is_late.is_set():
            raise TimeoutError from None
        raise
    finally:
        timer.cancel()
        connection.close()


def _connect_to_first(found: Sequence[Any], until: float) -> socket.socket:
    """A connection to the first of some addresses that accepts it.

    :raises OSError: none does; what the last one said
    """
    failure: OSError = TimeoutError()
    for number, (family, kind, protocol, _, place) in enumerate(found, 1):
        left = until - time.monotonic()
        if left <= 0:
            break
        is_last = number == len(found)
        opened = socket.socket(family, kind, protocol)
        try:
            opened.settimeout(left if is_last else min(left, CONNECT_LIMIT_S))
            opened.connect(place)
            opened.settimeout(LIMIT_S)
        except OSError as error:
            opened.close()
            failure = error
        else:
            return opened
    raise failure


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


class OutgoingAddressField(ma.fields.String):
    """An address that the house connects to."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more).strip()
        try:
            OutgoingAddress(text)
        except BadAddress:
            raise error_with_fault_code("not_an_address") from None
        return text
