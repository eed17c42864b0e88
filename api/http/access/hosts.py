"""Hosts: names and addresses under which this service may be asked, and addresses of callers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from flask import Response, request

from api.http.access.host_names import host_name, is_loopback
from api.http.languages import language, say
from api.http.services import house_part

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
        self._names = frozenset(map(host_name, names))
        self.is_strict = is_strict
        self.reported: set[str] = set()

    def knows(self, asked: str, reached: Callable[[], str]) -> bool:
        """Whether a host is known. ``reached``: the address of this computer that was reached."""
        name = host_name(asked)
        return name in self._names or is_loopback(name) or (bool(name) and name == reached())

    def report(self, asked: str) -> None:
        """Warn once of an unknown host."""
        if asked not in self.reported and len(self.reported) < _MOST_REPORTED:
            self.reported.add(asked)
            _log.warning("asked for the host %r, which %s does not name", asked, HOST_VARIABLE)


def refuse_unknown_host() -> Response | None:
    """The answer to a request for a host that is not ours; None if it is ours."""
    hosts: KnownHosts | None = house_part("hosts")
    if request.path in WATCHED or hosts is None or hosts.knows(request.host, _own_address):
        return None
    if not hosts.is_strict:
        hosts.report(request.host)
        return None
    text = say("problem.unknown_host", language(), host=request.host, setting=HOST_VARIABLE)
    return Response(f"{text}\n", MISDIRECTED, content_type="text/plain; charset=utf-8")


def is_known_host() -> bool:
    """Whether the host of the request is ours, so that a link may be sent to somebody with it."""
    hosts: KnownHosts | None = house_part("hosts")
    return hosts is not None and hosts.knows(request.host, _own_address)


def hosts_notice() -> str:
    """Words for whoever runs the service, while any host is answered; else empty."""
    hosts: KnownHosts | None = house_part("hosts")
    if hosts is None or hosts.is_strict:
        return ""
    asked = ", ".join(sorted(hosts.reported)) or "-"
    return say("problem.hosts_open", language(), setting=HOST_VARIABLE, asked=asked)


def _own_address() -> str:
    """Address of this computer to which the connection goes, as its socket knows it."""
    connection = socket_of_request()
    try:
        return str(connection.getsockname()[0]) if connection is not None else ""
    except (OSError, IndexError):
        return ""


def socket_of_request() -> Any:
    """The socket of the request, which both servers tell; None in a test."""
    return request.environ.get("gunicorn.socket") or request.environ.get(SOCKET)


def is_house_tls(environ: Mapping[str, Any]) -> bool:
    """Whether a request came over the HTTPS of the house, which stands beside HTTP.

    Only devices that have the certificate of its authority open it, so links do not lead there.
    """
    connection = environ.get("gunicorn.socket") or environ.get(SOCKET)
    return bool(getattr(connection, "is_of_house", False))
