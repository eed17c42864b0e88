"""Who may see how the service is in detail: this computer itself, or whoever has the token.

A proxy on this computer is no operator: a request that it passes on names the visitor in a header,
or the host that the visitor asked for.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
from pathlib import Path
from typing import Final
from wsgiref.types import WSGIEnvironment

from api.http.access.hosts import host_without_port, is_loopback

TOKEN_VARIABLE: Final = "GUINOTE_METRICS_TOKEN"  # noqa: S105 - a name
"""The token itself."""
TOKEN_FILE_VARIABLE: Final = "GUINOTE_METRICS_TOKEN_FILE"  # noqa: S105 - a name
"""A file with the token in its first line."""
SHORTEST: Final = 32
"""Characters of a token at least: it is no word that somebody thought of."""
_MAKE_ONE: Final = 'python3 -c "import secrets; print(secrets.token_urlsafe(32))" makes one'
_FORWARDED: Final = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")


def metrics_token() -> str:
    """The token of operators in the environment; empty if there is none.

    :raises SystemExit: its file cannot be read, or it is short enough to be guessed
    """
    place, token = TOKEN_VARIABLE, os.environ.get(TOKEN_VARIABLE, "").strip()
    if file := os.environ.get(TOKEN_FILE_VARIABLE):
        place, token = TOKEN_FILE_VARIABLE, _read_token_file(Path(file))
    if token and len(token) < SHORTEST:
        raise SystemExit(f"{place}: the token has fewer than {SHORTEST} characters; {_MAKE_ONE}")
    return token


def _read_token_file(file: Path) -> str:
    try:
        return file.read_text("utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{TOKEN_FILE_VARIABLE}: {file} cannot be read: {error}") from None


class Operators:
    """Decides whether a request comes from an operator. ``token``: empty if none is valid."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def is_from_operator(self, environ: WSGIEnvironment) -> bool:
        """Whether a request comes from an operator."""
        scheme, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() == "bearer" and self._token:
            return hmac.compare_digest(token.strip().encode(), self._token)
        return _is_local_request(environ)


def _is_local_request(environ: WSGIEnvironment) -> bool:
    """Whether a request came from this computer, and for this computer by its own name.

    >>> local = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000"}
    >>> _is_local_request(local), _is_local_request({**local, "HTTP_X_FORWARDED_FOR": "10.0.0.7"})
    (True, False)
    >>> (
    ...     _is_local_request({**local, "HTTP_HOST": "club.example"}),
    ...     _is_local_request({**local, "REMOTE_ADDR": ""}),
    ... )
    (False, False)
    """
    if any(name in _FORWARDED or name.startswith("HTTP_X_FORWARDED_") for name in environ):
        return False
    try:
        address = ipaddress.ip_address(environ.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback and is_loopback(host_without_port(environ.get("HTTP_HOST", "")))
