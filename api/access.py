"""Access: who asks, and what he may do. Until roles arrive there is one owner, who holds a token.

The routes that are open to everybody say so; any other wants its permission, and a route that names
none is closed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.problems import Problem

F = TypeVar("F", bound=Callable[..., object])
OPEN = "open"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
TOKEN_FILE = "owner.token"  # noqa: S105 - the name of a file
_OPEN_ENDPOINTS = frozenset({"api-docs.openapi_json"})
_FAILURES, _WINDOW_S = 5, 60.0
_MOST_PLACES = 10_000


def needs(permission: str) -> Callable[[F], F]:
    """Decorator: the permission a route wants."""

    def mark(view: F) -> F:
        view.permission = permission  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark


def open_when(is_open: Callable[..., bool]) -> Callable[[F], F]:
    """Decorator: a route that wants no permission while this says so of what it is about."""

    def mark(view: F) -> F:
        view.is_open = is_open  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark


def open_to_all(view: F) -> F:
    """Decorator: a route that wants no permission."""
    return needs(OPEN)(view)


def permission_of(endpoint: str) -> str | None:
    """Permission that a route wants; None if it forgot to say."""
    if endpoint in _OPEN_ENDPOINTS:
        return OPEN
    view = current_app.view_functions[endpoint]
    found = getattr(view, "permission", None)
    return None if found is None else str(found)


class Owner:
    """The owner's token in its file, readable by nobody else; made at the first start."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / TOKEN_FILE
        self._seen: tuple[int, int] | None = None
        self._hash = b""

    def token(self) -> str:
        """The token; made if there is none yet."""
        if not self.file.exists():
            with self._written() as beside, suppress(FileExistsError):
                os.link(beside, self.file)  # unlike a replacement, it leaves one that is there
        return self.file.read_text("ascii").strip()

    def rotate(self) -> str:
        """A new token in place of the old, which no longer opens anything."""
        with self._written() as beside:
            beside.replace(self.file)
        return self.token()

    @contextmanager
    def _written(self) -> Iterator[Path]:
        """A file beside with a new token in it, whole and on the disk before it has its name."""
        self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self.file.with_name(f"{self.file.name}.{secrets.token_hex(8)}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(32) + "\n")
                file.flush()
                os.fsync(descriptor)
            yield beside
        finally:
            beside.unlink(missing_ok=True)

    def knows(self, token: str) -> bool:
        """Whether this is the owner's token, compared in constant time."""
        return hmac.compare_digest(hashlib.sha256(token.encode()).digest(), self._token_hash())

    def cookie(self) -> str:
        """What a browser that signed in keeps. It dies with the token."""
        return hmac.new(self._token_hash(), b"cookie", hashlib.sha256).hexdigest()

    def knows_cookie(self, cookie: str) -> bool:
        """Whether a browser signed in with the token of now."""
        return hmac.compare_digest(cookie.encode(), self.cookie().encode())

    def _token_hash(self) -> bytes:
        """Hash of the token in the file, read again when the file is another."""
        try:
            about = self.file.stat()
        except FileNotFoundError:
            self.token()
            about = self.file.stat()
        seen = (about.st_mtime_ns, about.st_ino)
        if seen != self._seen:
            token = self.token().encode() or secrets.token_bytes(32)  # an empty file opens nothing
            self._hash = hashlib.sha256(token).digest()
            self._seen = seen
        return self._hash


class Failures:
    """Failed logins of late, by address; in memory, one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._times: dict[str, list[float]] = {}

    def check(self, place: str) -> None:
        """Refuse a place that failed too often within a minute."""
        with self._lock:
            if len(self._recent(place)) >= _FAILURES:
                raise Problem("too_many", headers={"Retry-After": str(int(_WINDOW_S))})

    def note(self, place: str) -> None:
        """Remember one failure."""
        with self._lock:
            if len(self._times) >= _MOST_PLACES:
                self._times.clear()
            self._times[place] = [*self._recent(place), self._clock()]

    def _recent(self, place: str) -> list[float]:
        since = self._clock() - _WINDOW_S
        return [moment for moment in self._times.get(place, []) if moment > since]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: his role, and what he signed in with."""

    by: str
    via: str


def cookie_name() -> str:
    """Name of the cookie; over HTTPS one that no other host can set."""
    return "__Host-guinote" if request.is_secure else "guinote"


def identify(owner: Owner) -> Actor | None:
    """Who asks, if he showed something that is right."""
    sent = request.headers.get("Authorization", "")
    if sent:
        scheme, _, token = sent.partition(" ")
        is_right = scheme.lower() == "bearer" and owner.knows(token.strip())
        return Actor("owner", "token") if is_right else None
    cookie = request.cookies.get(cookie_name(), "")
    return Actor("owner", "cookie") if cookie and owner.knows_cookie(cookie) else None


def same_origin() -> bool:
    """Whether an unsafe request was made by a page of ours, or by no browser at all."""
    if request.method in SAFE_METHODS or request.headers.get("Authorization"):
        return True
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin.partition("://")[2] == request.host
    return not request.cookies


def guard(app: Flask, owner: Owner) -> None:
    """Ask every request to an application for its right."""

    @app.before_request
    def _ask() -> AnyResponse | None:
        if request.endpoint is None:
            return None
        if not same_origin():
            raise Problem("cross_site")
        permission = permission_of(request.endpoint)
        if permission is None:
            raise Problem("forbidden")
        g.actor = None
        if permission == OPEN:
            return None
        g.actor = identify(owner)
        if g.actor is not None or _is_open_now(request.endpoint):
            return None
        if "pages" in request.blueprints and request.method in SAFE_METHODS:
            return redirect(f"/entrar?next={quote(request.full_path.removesuffix('?'))}")
        raise Problem("not_signed_in", headers={"WWW-Authenticate": "Bearer"})

    app.wsgi_app = _Careful(app.wsgi_app)  # type: ignore[method-assign]  # the way Flask says to wrap it


def _is_open_now(endpoint: str) -> bool:
    is_open = getattr(current_app.view_functions[endpoint], "is_open", None)
    return is_open is not None and bool(is_open(**(request.view_args or {})))


_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
POLICY_IN_A_FRAME = _POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""For a page that anybody may put into a page of his own."""
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


class _Careful:
    """An application whose every answer tells the browser to be careful with it.

    Headers that an answer has already stay as they are.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        always = _ALWAYS_OVER_HTTPS if environ["wsgi.url_scheme"] == "https" else _ALWAYS

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            given = {name.lower() for name, _ in headers}
            if ("Content-Security-Policy", POLICY_IN_A_FRAME) in headers:
                given.add("x-frame-options")
            kept = [one for one in headers if one[0].lower() != "server"]
            more = [one for one in always.items() if one[0].lower() not in given]
            return start_response(status, kept + more, *error)

        return self._app(environ, start)
