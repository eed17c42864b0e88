"""What is set of serving, whichever server does it: the address, the threads, the certificate."""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Final

from api.http import live
from api.http.access.prefix import PREFIX_VARIABLE, read_prefix
from api.server.faults.exits import end
from referee.system import exits

DEFAULT_BIND: Final = "127.0.0.1:8000"
DEFAULT_THREADS: Final = 4
PROXIES_VARIABLE: Final = "GUINOTE_PROXIES"
"""Number of trusted proxies in front, whose forwarding headers are used."""

_log = logging.getLogger(__name__)
_contexts: dict[tuple[int, ...], ssl.SSLContext] = {}


class BadTls(Exception):  # noqa: N818 - it says what the files are
    """Certificate and key cannot be used."""


def threads() -> int:
    """Threads of a worker: ``GUINOTE_THREADS``, and one for each live stream."""
    for_answers = int(os.environ.get("GUINOTE_THREADS", str(DEFAULT_THREADS)))
    if for_answers < 1:
        raise SystemExit("GUINOTE_THREADS: at least 1")
    return for_answers + live.streams()


def is_proxied() -> bool:
    """Whether a proxy stands in front."""
    return os.environ.get(PROXIES_VARIABLE, "0") not in ("", "0")


def path_below() -> str:
    """The path that the setting names.

    :raises SystemExit: it names none
    """
    try:
        return read_prefix(os.environ.get(PREFIX_VARIABLE, ""))
    except ValueError as error:
        end(f"Error: {PREFIX_VARIABLE}: {error}", exits.EX_CONFIG)


def bind() -> str:
    """Address and port: ``GUINOTE_BIND``, else the ``PORT`` of a host that reads the Procfile."""
    if address := os.environ.get("GUINOTE_BIND"):
        return address
    port = os.environ.get("PORT")
    return f"0.0.0.0:{port}" if port else DEFAULT_BIND


def check_tls(certificate: Path, key: Path) -> None:
    """Refuse a certificate or a key that cannot be used.

    :raises BadTls: the fault in one line
    """
    for name, file in (("certificate", certificate), ("key", key)):
        if not os.access(file, os.R_OK):
            raise BadTls(f"the {name} {file} cannot be read")
    try:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key, password=_no_password)
    except (ssl.SSLError, OSError) as wrong:
        raise BadTls(f"{certificate} and {key} do not fit: {wrong}") from None


def tls_context(
    certificate: str, key: str, made: Callable[[str, str], ssl.SSLContext]
) -> ssl.SSLContext:
    """The TLS context, made again when certificate or key are other files that fit."""
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


def _no_password() -> str:
    raise BadTls("the key is under a password, which nobody is there to type")
