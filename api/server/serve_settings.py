"""Settings of serving, for either server: the address, the threads, the certificate."""

from __future__ import annotations

import logging
import os
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from cryptography import x509

from api.http import live
from api.http.access.hosts import HOST_VARIABLE, KnownHosts
from api.http.access.prefix import PREFIX_VARIABLE, read_prefix
from api.http.access.reach import LOCAL_NAME
from api.server.data_folder import enable_host_check, has_host_check
from api.server.faults.exits import end_process
from referee.system import exits


def read_hosts(folder: Path, certificate: str = "") -> KnownHosts:
    """Hosts for which requests are answered.

    ``certificate``: File of the certificate of the server.

    A folder of before, in which the setting was never made, only reports other hosts.
    """
    configured = [one for one in os.environ.get(HOST_VARIABLE, "").split(",") if one.strip()]
    if configured:
        enable_host_check(folder)
        return KnownHosts(configured, is_strict=True)
    is_strict = has_host_check(folder)
    if not is_strict:
        sys.stderr.write(
            f"{HOST_VARIABLE} is not set: any host is answered, as before. Set it to the names and"
            " addresses of this service; then no other is answered.\n"
        )
    return KnownHosts(
        (*_own_host_names(), *_names_in_certificate(certificate)), is_strict=is_strict
    )


def _own_host_names() -> Iterator[str]:
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
    """Host names and addresses that the certificate of the server states."""
    if not certificate:
        return
    (first, *_) = x509.load_pem_x509_certificates(Path(certificate).read_bytes())
    try:
        names = first.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return
    yield from names.get_values_for_type(x509.DNSName)
    yield from map(str, names.get_values_for_type(x509.IPAddress))


DEFAULT_BIND: Final = "127.0.0.1:8000"
DEFAULT_THREADS: Final = 4
PROXIES_VARIABLE: Final = "GUINOTE_PROXIES"
"""Number of trusted proxies in front, whose forwarding headers are used."""

_log = logging.getLogger(__name__)
_contexts: dict[tuple[int, ...], ssl.SSLContext] = {}


class BadTls(Exception):  # noqa: N818 - it says what the files are
    """Certificate and key cannot be used."""


def thread_count_in_settings() -> int:
    """Threads of a worker: ``GUINOTE_THREADS``, and one for each live stream."""
    for_answers = int(os.environ.get("GUINOTE_THREADS", str(DEFAULT_THREADS)))
    if for_answers < 1:
        raise SystemExit("GUINOTE_THREADS: at least 1")
    return for_answers + live.stream_limit()


def is_behind_proxy() -> bool:
    """Whether the settings say that a proxy stands in front of the server."""
    return os.environ.get(PROXIES_VARIABLE, "0") not in ("", "0")


def path_prefix() -> str:
    """Path prefix of the house from the setting ``GUINOTE_PREFIX``; empty for none.

    :raises SystemExit: it names none
    """
    try:
        return read_prefix(os.environ.get(PREFIX_VARIABLE, ""))
    except ValueError as error:
        end_process(f"Error: {PREFIX_VARIABLE}: {error}", exits.EX_CONFIG)


def bind_address() -> str:
    """Address and port to listen at.

    ``GUINOTE_BIND``, else the variable ``PORT`` of a hosting platform.
    """
    if address := os.environ.get("GUINOTE_BIND"):
        return address
    port = os.environ.get("PORT")
    return f"0.0.0.0:{port}" if port else DEFAULT_BIND


def refuse_bad_tls(certificate: Path, key: Path) -> None:
    """Refuse a certificate or a key that cannot be used.

    :raises BadTls: the fault in one line
    """
    for name, file in (("certificate", certificate), ("key", key)):
        if not os.access(file, os.R_OK):
            raise BadTls(f"the {name} {file} cannot be read")
    try:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key, password=_refuse_password)
    except (ssl.SSLError, OSError) as wrong:
        raise BadTls(f"{certificate} and {key} do not fit: {wrong}") from None


def tls_context_of_files(
    certificate: str, key: str, made: Callable[[str, str], ssl.SSLContext]
) -> ssl.SSLContext:
    """TLS context of a certificate, cached, and made again when the files have changed and fit."""
    try:
        stats = [Path(one).stat() for one in (certificate, key)]
        files = tuple(number for one in stats for number in (one.st_mtime_ns, one.st_ino))
        if files not in _contexts:
            context = made(certificate, key)
            _contexts.clear()
            _contexts[files] = context
        return _contexts[files]
    except OSError as error:  # ssl.SSLError too: they are being replaced
        if not _contexts:
            raise
        _log.warning("%s, %s: %s; the certificate of before is used", certificate, key, error)
        return next(iter(_contexts.values()))


def _refuse_password() -> str:
    """Raise ``BadTls`` when OpenSSL asks for the password of a private key."""
    raise BadTls("the key is under a password, which nobody is there to type")
