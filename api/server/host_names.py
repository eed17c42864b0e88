"""Hosts of this computer: as configured, else its own names and addresses."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509

from api.http.access.hosts import HOST_VARIABLE, KnownHosts
from api.http.access.reach import LOCAL_NAME
from api.server.data_folder import are_hosts_checked, mark_hosts_checked


def read_hosts(folder: Path, certificate: str = "") -> KnownHosts:
    """Hosts that may be asked for. ``certificate``: file of the certificate of the server.

    A folder of before, in which the setting was never made, only reports other hosts.
    """
    configured = [one for one in os.environ.get(HOST_VARIABLE, "").split(",") if one.strip()]
    if configured:
        mark_hosts_checked(folder)
        return KnownHosts(configured, is_strict=True)
    is_strict = are_hosts_checked(folder)
    if not is_strict:
        sys.stderr.write(
            f"{HOST_VARIABLE} is not set: any host is answered, as before. Set it to the names and"
            " addresses of this service; then no other is answered.\n"
        )
    return KnownHosts((*_own(), *_names_in_certificate(certificate)), is_strict=is_strict)


def _own() -> Iterator[str]:
    """Names and addresses of this computer."""
    yield LOCAL_NAME
    name = socket.gethostname()
    for one in {name, name.partition(".")[0], socket.getfqdn()}:
        yield one
        yield f"{one}.local"
    try:
        found = socket.getaddrinfo(name, None)
    except OSError:  # a name that nothing resolves
        return
    for *_, address in found:
        yield str(address[0])


def _names_in_certificate(certificate: str) -> Iterator[str]:
    """Names and addresses in a certificate, which somebody has made for this service."""
    if not certificate:
        return
    (first, *_) = x509.load_pem_x509_certificates(Path(certificate).read_bytes())
    try:
        names = first.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return
    yield from names.get_values_for_type(x509.DNSName)
    yield from map(str, names.get_values_for_type(x509.IPAddress))
