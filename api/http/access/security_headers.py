"""Security headers of every answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from api.http.access.hosts import is_house_tls

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
POLICY_OF_AN_ENGINE = _POLICY.replace("script-src", "script-src 'wasm-unsafe-eval'")
"""For the script of a Worker that compiles WebAssembly: no page may."""
_NOWHERE = "frame-ancestors 'none'"


def policy_in_frames(ancestors: Iterable[str]) -> str:
    """Content security policy of a page that pages of these origins may embed.

    ``*`` for any origin.
    """
    named = " ".join(ancestors)
    return _POLICY.replace(_NOWHERE, f"frame-ancestors {named}") if named else _POLICY


POLICY_IN_A_FRAME = policy_in_frames("*")
"""For a page that any other page may embed."""
_ALWAYS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


_ALWAYS_OVER_HTTPS = {**_ALWAYS, "Strict-Transport-Security": "max-age=31536000"}


class SecurityHeaders:
    """WSGI middleware that adds security headers to every answer.

    Headers that an answer already has are kept.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        stays = environ["wsgi.url_scheme"] == "https" and not is_house_tls(environ)
        always = _ALWAYS_OVER_HTTPS if stays else _ALWAYS

        def start_with_headers(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            given = {name.lower() for name, _ in headers}
            if _allows_framing(headers):
                given.add("x-frame-options")
            kept = [one for one in headers if one[0].lower() != "server"]
            more = [one for one in always.items() if one[0].lower() not in given]
            return start_response(status, kept + more, *error)

        return self._app(environ, start_with_headers)


def _allows_framing(headers: Iterable[tuple[str, str]]) -> bool:
    """Whether the headers of an answer allow other pages to embed it."""
    named = "content-security-policy"
    return any(_NOWHERE not in value for name, value in headers if name.lower() == named)
