"""Hosts: the names and addresses under which this service answers."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import Response, request

from api.http.languages import language, say
from api.http.services import house_component_or_none

_NETWORK_V6: Final = 64


def host_without_port(asked: str) -> str:
    """Name of a host, normalised: lower case, without port and brackets.

    >>> [host_without_port(one) for one in ("Club.Example.:8443", "[::1]:80", "10.0.0.7", " a.b")]
    ['club.example', '::1', '10.0.0.7', 'a.b']
    """
    name = asked.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    if name.count(":") == 1:
        name = name.partition(":")[0]
    return name.removesuffix(".")


def address_for_counting(found: str) -> str:
    """An IP address normalised for counting: for IPv6 its network; empty if it is none.

    An address of IPv6 stands for its network, since a peer has all addresses of it.

    >>> [address_for_counting(one) for one in ("10.0.0.7", "::ffff:10.0.0.7", "2001:db8::1:2", "")]
    ['10.0.0.7', '10.0.0.7', '2001:db8::/64', '']
    """
    try:
        address = ipaddress.ip_address(found)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _NETWORK_V6), strict=False))


def is_loopback(name: str) -> bool:
    """Whether a name is this computer, as names that end with ``.localhost`` are (RFC 6761)."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_from_another_device(client: Any, server: Any) -> bool:
    """Whether a connection comes from elsewhere. ``client``, ``server``: addresses of sockets."""
    is_address = isinstance(client, tuple)
    return is_address and not is_loopback(client[0]) and client[0] != server[0]


HOST_VARIABLE: Final = "GUINOTE_HOST"
"""Names and addresses, separated by commas."""
WATCHED: Final = ("/livez", "/healthz", "/readyz")
"""Answered for any host: whatever watches the machine may have a name of its own for it."""
SOCKET: Final = "guinote.socket"
"""Name of the socket of a request, where gunicorn does not give it another one."""
MISDIRECTED: Final = 421
_MOST_REPORTED: Final = 20

_log = logging.getLogger(__name__)


class KnownHosts:
    """Hosts that may be asked for. ``is_strict``: others are refused, not only reported."""

    def __init__(self, names: Iterable[str], *, is_strict: bool) -> None:
        self._names = frozenset(map(host_without_port, names))
        self.is_strict = is_strict
        self.reported: set[str] = set()

    def knows(self, asked: str, reached: Callable[[], str]) -> bool:
        """Whether a host is known. ``reached``: the address of this computer that was reached."""
        name = host_without_port(asked)
        return name in self._names or is_loopback(name) or (bool(name) and name == reached())

    def report(self, asked: str) -> None:
        """Warn once of an unknown host."""
        if asked not in self.reported and len(self.reported) < _MOST_REPORTED:
            self.reported.add(asked)
            _log.warning("asked for the host %r, which %s does not name", asked, HOST_VARIABLE)


def answer_unknown_host() -> Response | None:
    """The answer to a request for a host that is not ours; None if it is ours."""
    hosts: KnownHosts | None = house_component_or_none("hosts")
    if (
        request.path in WATCHED
        or hosts is None
        or hosts.knows(request.host, _server_address_of_request)
    ):
        return None
    if not hosts.is_strict:
        hosts.report(request.host)
        return None
    text = say("problem.unknown_host", language(), host=request.host, setting=HOST_VARIABLE)
    return Response(f"{text}\n", MISDIRECTED, content_type="text/plain; charset=utf-8")


def is_known_host() -> bool:
    """Whether the host of the request is ours, so that links with it may be sent."""
    hosts: KnownHosts | None = house_component_or_none("hosts")
    return hosts is not None and hosts.knows(request.host, _server_address_of_request)


def hosts_notice() -> str:
    """Warning for the operator while requests for any host are answered; else empty."""
    hosts: KnownHosts | None = house_component_or_none("hosts")
    if hosts is None or hosts.is_strict:
        return ""
    asked = ", ".join(sorted(hosts.reported)) or "-"
    return say("problem.hosts_open", language(), setting=HOST_VARIABLE, asked=asked)


def _server_address_of_request() -> str:
    """Address of this computer at which the request arrived."""
    connection = socket_of_request()
    try:
        return str(connection.getsockname()[0]) if connection is not None else ""
    except (OSError, IndexError):
        return ""


def socket_of_request() -> Any:
    """Socket on which the request arrived; None in a test."""
    return request.environ.get("gunicorn.socket") or request.environ.get(SOCKET)


def is_house_tls(environ: Mapping[str, Any]) -> bool:
    """Whether a request came over TLS with the certificate of the house.

    Only devices that have the certificate of its authority open it, so links do not lead there.
    """
    connection = environ.get("gunicorn.socket") or environ.get(SOCKET)
    return bool(getattr(connection, "is_of_house", False))
