"""Access: identifies the caller, and checks the permission of the route.

Public routes are marked as such; any other needs its permission, and a route without one is closed.
A role bound to one table is valid at that table, and at the few routes about no table that are
marked to show only the user's own table.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TypeVar, get_args
from urllib.parse import quote

from flask import Flask, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.http.access import origins
from api.http.access.app_tokens import is_current, live_tokens
from api.http.access.attempts import note_wrong_secret
from api.http.access.hosts import refuse_unknown_host
from api.http.access.owner import Owner
from api.http.access.pace import TokenPace
from api.http.access.prefix import is_of_pages_below, prefix
from api.http.access.roles import OPEN, Actor
from api.http.access.security import note_security
from api.http.access.security_headers import SecurityHeaders
from api.http.problems import Problem
from api.http.services import HouseLimits, current_services, house_part
from referee.access.keys import APP_PREFIX, OF_APPS, KnownToken
from referee.aggregates.access import OWNER, PERMISSIONS, Holder, permissions_within
from referee.events import HolderId, Scope

F = TypeVar("F", bound=Callable[..., object])
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
NO_WRITES_RETRY_AFTER_S = 10
"""Somebody has to make room first, or to mount a disk."""
PACE = TokenPace()
"""Of all tokens of all houses of this process."""
_ERRORS_WITHOUT_TOKEN = frozenset({401, 404, 405})
_WANTS_SCOPE = 'Bearer error="insufficient_scope"'
_OPEN_ENDPOINTS = frozenset({"api-docs.openapi_json"})


def requires(permission: str) -> Callable[[F], F]:
    """Decorator: the permission that a route needs."""

    def mark(view: F) -> F:
        view.permission = permission  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark


def open_when(is_open: Callable[..., bool]) -> Callable[[F], F]:
    """Decorator: a route that needs no permission while ``is_open`` is true of its subject."""

    def mark(view: F) -> F:
        view.is_open = is_open  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark


def open_to_all(view: F) -> F:
    """Decorator: a route that needs no permission."""
    return requires(OPEN)(view)


def identifies_everybody(view: F) -> F:
    """Decorator: a public route that shows more to users who are signed in, beside the pages."""
    view.identifies_everybody = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def has_secret_address(view: F) -> F:
    """Decorator: a public route whose own address is the credential.

    No page of another site knows it, and no cookie is read, so where a request comes from says
    nothing. A page without a referrer sends none either, or ``null``.
    """
    view.has_secret_address = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def lets_in(view: F) -> F:
    """Decorator: a route by which somebody comes in, for pages of this site and other programs.

    The page of another site is refused whatever token it sends: it would know the password.
    """
    view.lets_in = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def takes_credentials(*schemes: str) -> Callable[[F], F]:
    """Decorator: the security schemes of the document that a route takes, and no others."""

    def mark(view: F) -> F:
        view.schemes = schemes  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark


def at_any_table(view: F) -> F:
    """Decorator: let a user who is bound to one table in, where only what is theirs is shown."""
    view.is_at_any_table = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def passes_full_club(view: F) -> F:
    """Decorator: a route that a club above its limit of room takes all the same.

    Its people go in and out, and whoever asks to be forgotten is.
    """
    view.passes_full_club = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def permission_of(endpoint: str) -> str | None:
    """Permission that a route needs; None if it has no mark."""
    if endpoint in _OPEN_ENDPOINTS:
        return OPEN
    view = current_app.view_functions[endpoint]
    found = getattr(view, "permission", None)
    return None if found is None else str(found)


def cookie_name() -> str:
    """Name of the cookie; over HTTPS one that no other host can set.

    ``__Host-`` is for cookies of a whole host, which that of a house below a prefix is not.
    """
    if not request.is_secure:
        return "guinote"
    return "__Secure-guinote" if prefix() else "__Host-guinote"


def credential() -> tuple[str, str]:
    """The credential of a request and its kind, ``token`` or ``cookie``; may be empty."""
    sent = request.headers.get("Authorization", "")
    if sent:
        scheme, _, token = sent.partition(" ")
        return (token.strip() if scheme.lower() == "bearer" else ""), "token"
    return request.cookies.get(cookie_name(), ""), "cookie"


def identify() -> Actor | None:
    """The caller, if their token or cookie is valid."""
    token, via = credential()
    if not token:
        return None
    owner: Owner = house_part("owner")
    if via == "token" and owner.knows(token):
        return _owner(via)
    known = current_services().keys.read_token(token)
    if known is None or (known.kind in OF_APPS and via == "cookie"):
        return None
    if known.holder == OWNER:
        return _owner(via) if owner.is_marked(known.mark) else None
    found = current_services().referee.roles.access().active(known.holder)
    if found is None:
        return None
    return _app(known, found) if known.kind in OF_APPS else _holder(known.holder, found, via)


def _holder(name: HolderId, held: Holder, via: str) -> Actor:
    """Whoever signed in at a page, or a paired device."""
    is_device = held.kind == "device"
    via = name if is_device else via
    return Actor(name, via, held.role, held.encuentro, is_device, held.permissions)


def _app(known: KnownToken, held: Holder) -> Actor | None:
    """The app of a token, with what its scopes leave of the role of whoever it acts for.

    None: the owner made it with a token that was replaced.
    """
    owner: Owner = house_part("owner")
    if known.kind == "app" and not is_current(held, known.mark, owner):
        return None
    scopes, permissions = held.scopes, held.permissions
    if known.kind == "app_session":
        scopes = read_scopes(known.mark)
        permissions = permissions_within(scopes, permissions)
    return Actor(
        known.holder,
        known.id,
        held.role,
        held.encuentro,
        permissions=permissions,
        scopes=scopes,
        origins=held.origins,
    )


def read_scopes(mark: str) -> tuple[Scope, ...]:
    """The scopes in the mark of a token.

    >>> read_scopes("record read:public")
    ('read:public', 'record')
    """
    return tuple(scope for scope in get_args(Scope) if scope in mark.split())


def _owner(via: str) -> Actor:
    """Whoever holds the owner's token."""
    return Actor(OWNER, via, "admin", permissions=PERMISSIONS["admin"])


def _caller() -> Actor | None:
    """The caller; a request of an app is counted first.

    :raises Problem: its token has sent too many, or is used by the page of a site that it does not
        name
    """
    actor = _sender()
    if actor is None:
        return None
    if _is_of_unnamed_site(actor):
        raise Problem("cross_site")
    _count_request(actor)
    return actor


def _caller_of_nothing() -> Actor | None:
    """The caller of an unknown route: whoever is shown the bar of its page, and every app.

    A token that is used by a site which it does not name is nobody's here.

    :raises Problem: the token of an app has sent too many
    """
    is_shown = request.method in SAFE_METHODS or credential()[1] == "token"
    actor = _sender() if is_shown else None
    if actor is None or _is_of_unnamed_site(actor):
        return None
    _count_request(actor)
    return _as_visitor(actor)


def _sender() -> Actor | None:
    """Who sends the request; the sites of their token are noted for the answer."""
    actor = identify()
    if actor is not None:
        g.origins = actor.origins
    return actor


def _is_of_unnamed_site(actor: Actor) -> bool:
    """Whether a token is used by the page of a site that it does not name."""
    site = request.headers.get("Origin", "")
    if not site or site in actor.origins or credential()[1] != "token":
        return False
    return origins.is_foreign()


def _count_request(actor: Actor) -> None:
    """Count a request of an app.

    :raises Problem: its token has sent too many
    """
    if actor.scopes is not None and (wait_s := PACE.wait_s(actor.by, time.monotonic())):
        raise Problem("too_fast", headers={"Retry-After": str(math.ceil(wait_s))})


def _let_in(actor: Actor | None, permission: str, endpoint: str) -> AnyResponse | None:
    """None for a caller who may do what the request asks for, else the way to the sign-in.

    :raises Problem: they are known, and may not
    """
    if actor is not None and permission != OPEN and is_allowed(actor, permission):
        g.actor = actor
        return None
    if permission == OPEN or is_open_now(endpoint, **(request.view_args or {})):
        g.actor = _as_visitor(actor)  # who may not do more here still has the bar of their role
        return None
    if actor is None:
        return _to_sign_in()
    note_security("forbidden", by=actor.by, detail=permission)
    raise _refusal(actor, permission)


def is_allowed(actor: Actor, permission: str) -> bool:
    """Whether the caller has a permission, at the table that the request is about."""
    if permission not in actor.permissions or (actor.scopes is not None and not _is_for_apps()):
        return False
    about = (request.view_args or {}).get("encuentro_id")
    if not actor.encuentro or str(about) == actor.encuentro:
        return True
    return about is None and is_at_any_table(request.endpoint or "")


def _is_for_apps() -> bool:
    """Whether the request is of the API: pages are for people."""
    return request.path.startswith(origins.API)


def _as_visitor(actor: Actor | None) -> Actor | None:
    """The caller as an open route sees them: an app that asks for a page is a visitor."""
    return None if actor is not None and actor.scopes is not None and not _is_for_apps() else actor


def _refusal(actor: Actor, permission: str) -> Problem:
    """Why a caller may not do what needs a permission."""
    if actor.scopes is not None and permission not in actor.permissions:
        return Problem("out_of_scope", headers={"WWW-Authenticate": _WANTS_SCOPE})
    return Problem("forbidden")


def is_at_any_table(endpoint: str) -> bool:
    """Whether a route is about no table, and shows a bound user only their table."""
    return bool(getattr(current_app.view_functions[endpoint], "is_at_any_table", False))


def same_origin() -> bool:
    """Whether an unsafe request came from a page of this site, or from a client without browser."""
    if request.method in SAFE_METHODS:
        return True
    if request.headers.get("Authorization") and not _lets_in():
        return True
    site, origin = (request.headers.get(name) for name in ("Sec-Fetch-Site", "Origin"))
    if site is None and origin is None:
        return cookie_name() not in request.cookies
    is_of_host = (
        origin == f"{request.scheme}://{request.host}"
        if site is None
        else site in ("same-origin", "none")
    )
    return is_of_host and (not prefix() or is_of_pages_below(prefix()))


def guard(app: Flask) -> None:
    """Check the permission of every request to an application, and whether it may write now."""
    app.before_request(refuse_unknown_host)
    app.before_request(_answer_preflight)

    @app.before_request
    def _ask() -> AnyResponse | None:
        if request.endpoint is None:  # the page that says so has the bar of the reader
            g.actor = _caller_of_nothing()
            if g.actor is None:
                count_guess()  # what is shown to operators alone is an unknown page to others
            return None
        if not same_origin() and not _has_secret_address(request.endpoint):
            note_security("forbidden", by="", detail="cross_site")
            raise Problem("cross_site")
        permission = permission_of(request.endpoint)
        if permission is None:
            raise Problem("forbidden")
        g.actor = None
        if permission == OPEN and not _identifies_everybody(request.endpoint):
            return None
        return _let_in(_caller(), permission, request.endpoint)

    app.before_request(_refuse_writes)
    app.after_request(_share)
    app.wsgi_app = SecurityHeaders(app.wsgi_app)  # type: ignore[method-assign]  # the way Flask says to wrap it


def _refuse_writes() -> None:
    """Refuse a request that may write while nothing can be stored.

    :raises Problem: nothing can be
    """
    if request.endpoint is None or request.method in SAFE_METHODS:
        return
    here = current_services()
    code = here.no_writes
    if not code and here.limits is not None and _is_above_its_room(here.limits, request.endpoint):
        code = "club_full"
    if code:
        raise Problem(code, headers={"Retry-After": str(NO_WRITES_RETRY_AFTER_S)})


def _is_above_its_room(limits: HouseLimits, endpoint: str) -> bool:
    """Whether the club takes no write of this route, since its folder is larger than its limit."""
    passes = getattr(current_app.view_functions[endpoint], "passes_full_club", False)
    return not passes and limits.is_full


def _answer_preflight() -> Response | None:
    """The answer to a browser that asks whether the page of another site may send a request."""
    if request.method != "OPTIONS" or not origins.is_preflight() or _lets_in():
        return None
    return origins.answer_preflight(_origins_of_tokens())


def _origins_of_tokens() -> frozenset[str]:
    """Sites that a token names which may be used now."""
    here, owner = current_services(), house_part("owner")
    live = live_tokens(here.referee.roles.access(), here.keys, owner)
    return frozenset(origin for one in live for origin in one.held.origins)


def _share(response: Response) -> Response:
    """An answer that scripts of other sites may read: its token names them, or a setting does.

    Of an error for want of a good token they are told too, so that a page can say what is wrong.
    """
    named, code = g.get("origins"), response.status_code
    if named is None and code in _ERRORS_WITHOUT_TOKEN and "Origin" in request.headers:
        named = _origins_of_tokens() if _is_for_apps() else None
    if named:
        return origins.allow_with_token(response, named)
    reading = current_app.extensions.get("reading")
    return origins.allow_reading(response, reading) if reading else response


def count_guess() -> None:
    """Count the token of a request that is shown no more for it, if nobody has that token.

    :raises Problem: too many wrong tokens
    """
    token, via = credential()
    if via == "token" and token and identify() is None:
        note_wrong_secret("token_failed")


def _to_sign_in() -> AnyResponse:
    """The way to the page for signing in.

    :raises Problem: not for a browser, or too many wrong tokens
    """
    if request.headers.get("Authorization"):
        note_wrong_secret("token_failed")
    if "pages" in request.blueprints and request.method in SAFE_METHODS:
        return redirect(
            f"{prefix()}/entrar?next={quote(prefix() + request.full_path.removesuffix('?'))}"
        )
    token, _ = credential()
    code = "revoked" if token and current_services().keys.was_ended(token) else "not_signed_in"
    raise Problem(code, headers={"WWW-Authenticate": "Bearer"})


def _identifies_everybody(endpoint: str) -> bool:
    """Whether an open route is told who asks: each page that is shown, for its bar; apps anywhere.

    Not one whose address is the credential.
    """
    if credential()[0].startswith(APP_PREFIX):  # it has a pace, and sites that may read the answer
        return True
    is_page_shown = "pages" in request.blueprints and request.method in SAFE_METHODS
    if is_page_shown and not _has_secret_address(endpoint):
        return True
    return getattr(current_app.view_functions.get(endpoint), "identifies_everybody", False)


def _lets_in() -> bool:
    """Whether somebody comes in by the route of the request."""
    view = current_app.view_functions.get(request.endpoint or "")
    return getattr(view, "lets_in", False)


def _has_secret_address(endpoint: str) -> bool:
    return getattr(current_app.view_functions.get(endpoint), "has_secret_address", False)


def is_open_now(endpoint: str, **about: object) -> bool:
    """Whether a route that is open at times is open for this subject."""
    is_open = getattr(current_app.view_functions[endpoint], "is_open", None)
    return is_open is not None and bool(is_open(**about))
