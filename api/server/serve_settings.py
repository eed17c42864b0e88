"""What is set of serving, whichever server does it: the address, the threads, the certificate."""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from typing import Final

from api.http import live

DEFAULT_BIND: Final = "127.0.0.1:8000"
DEFAULT_THREADS: Final = 4


class BadTls(Exception):  # noqa: N818 - it says what the files are
    """Certificate and key cannot be used."""


def threads() -> int:
    """Threads of a worker: ``GUINOTE_THREADS``, and one for each live stream."""
    for_answers = int(os.environ.get("GUINOTE_THREADS", str(DEFAULT_THREADS)))
    if for_answers < 1:
        raise SystemExit("GUINOTE_THREADS: at least 1")
    return for_answers + live.streams()


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


def _no_password() -> str:
    raise BadTls("the key is under a password, which nobody is there to type")
