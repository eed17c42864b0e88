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
from api.http.access.attempts import note_wrong_secret
from api.http.access.hosts import answer_unknown_host
from api.http.access.prefix import is_from_page_below, prefix
from api.http.access.roles import OPEN, Actor
from api.http.access.security import note_security
from api.http.access.security_headers import SecurityHeaders
from api.http.access.tokens import Owner, TokenPace, is_valid_by_owner_token, valid_app_tokens
from api.http.problems import Problem
from api.http.services import HouseLimits, current_services, house_component_or_none
from referee.access.keys import APP_PREFIX, OF_APPS, KnownToken
from referee.aggregates.access import OWNER, PERMISSIONS, Holder, limit_permissions
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

    def mark_view(view: F) -> F:
        view.permission = permission  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark_view


def open_when(is_open: Callable[..., bool]) -> Callable[[F], F]:
    """Decorator: a route that needs no permission while ``is_open`` is true of its subject."""

    def mark_view(view: F) -> F:
        view.is_open = is_open  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark_view


def open_to_all(view: F) -> F:
    """Decorator: a route that needs no permission."""
    return requires(OPEN)(view)


def shows_more_to_users(view: F) -> F:
    """Decorator: a public route that shows more to users who are signed in, beside the pages."""
    view.identifies_everybody = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def takes_secret_address(view: F) -> F:
    """Decorator: a public route whose own address is the credential.

    No page of another site knows it, and no cookie is read, so where a request comes from says
    nothing. A page without a referrer sends none either, or ``null``.
    """
    view.has_secret_address = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def signs_people_in(view: F) -> F:
    """Decorator: a route by which somebody comes in, for pages of this site and other programs.

    The page of another site is refused whatever token it sends: it would know the password.
    """
    view.lets_in = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def takes_credentials(*schemes: str) -> Callable[[F], F]:
    """Decorator: the only security schemes of the OpenAPI document that a route accepts."""

    def mark_view(view: F) -> F:
        view.schemes = schemes  # type: ignore[attr-defined]  # functions take attributes
        return view

    return mark_view


def admits_bound_users(view: F) -> F:
    """Decorator.

    A route that also users bound to one table may use, since it shows only their own table.
    """
    view.is_at_any_table = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def takes_writes_when_full(view: F) -> F:
    """Decorator: a route that accepts writes even when the club has used its room.

    Its people go in and out, and whoever asks to be forgotten is.
    """
    view.passes_full_club = True  # type: ignore[attr-defined]  # functions take attributes
    return view


def permission_of_endpoint(endpoint: str) -> str | None:
    """Permission that the route of an endpoint needs; None if it has no such decorator."""
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


def credential_and_kind() -> tuple[str, str]:
    """The credential of a request and its kind, ``token`` or ``cookie``; may be empty."""
    sent = request.headers.get("Authorization", "")
    if sent:
        scheme, _, token = sent.partition(" ")
        return (token.strip() if scheme.lower() == "bearer" else ""), "token"
    return request.cookies.get(cookie_name(), ""), "cookie"


def caller_or_none() -> Actor | None:
    """The caller, if their token or cookie is valid, else None; nothing is counted."""
    token, via = credential_and_kind()
    if not token:
        return None
    owner: Owner = house_component_or_none("owner")
    if via == "token" and owner.knows(token):
        return _actor_of_owner(via)
    known = current_services().keys.read_token_and_note_use(token)
    if known is None or (known.kind in OF_APPS and via == "cookie"):
        return None
    if known.holder == OWNER:
        return _actor_of_owner(via) if owner.is_mark_current(known.mark) else None
    found = current_services().referee.roles.access().active_holder(known.holder)
    if found is None:
        return None
    return (
        _actor_of_app_or_none(known, found)
        if known.kind in OF_APPS
        else _actor_of_holder(known.holder, found, via)
    )


def _actor_of_holder(name: HolderId, held: Holder, via: str) -> Actor:
    """Whoever signed in at a page, or a paired device."""
    is_device = held.kind == "device"
    via = name if is_device else via
    return Actor(name, via, held.role, held.encuentro, is_device, held.permissions)


def _actor_of_app_or_none(known: KnownToken, held: Holder) -> Actor | None:
    """Caller that is an app, with the permissions that its scopes leave.

    None: the owner made it with a token that was replaced.
    """
    owner: Owner = house_component_or_none("owner")
    if known.kind == "app" and not is_valid_by_owner_token(held, known.mark, owner):
        return None
    scopes, permissions = held.scopes, held.permissions
    if known.kind == "app_session":
        scopes = scopes_in_token_mark(known.mark)
        permissions = limit_permissions(scopes, permissions)
    return Actor(
        known.holder,
        known.id,
        held.role,
        held.encuentro,
        permissions=permissions,
        scopes=scopes,
        origins=held.origins,
    )


def scopes_in_token_mark(mark: str) -> tuple[Scope, ...]:
    """Scopes that are stored in the mark of a token.

    >>> scopes_in_token_mark("record read:public")
    ('read:public', 'record')
    """
    return tuple(scope for scope in get_args(Scope) if scope in mark.split())


def _actor_of_owner(via: str) -> Actor:
    """Caller with the owner's token."""
    return Actor(OWNER, via, "admin", permissions=PERMISSIONS["admin"])


def _identify_and_count_caller() -> Actor | None:
    """Caller of the request; a request of an app is counted.

    :raises Problem: its token has sent too many, or is used by the page of a site that it does not
        name
    """
    actor = _identify_and_note_origins()
    if actor is None:
        return None
    if _is_of_unnamed_site(actor):
        raise Problem("cross_site")
    _count_app_request(actor)
    return actor


def _caller_of_unknown_route() -> Actor | None:
    """Caller of a request for an unknown route; None where the error page shows no user.

    A token that is used by a site which it does not name is nobody's here.

    :raises Problem: the token of an app has sent too many
    """
    is_shown = request.method in SAFE_METHODS or credential_and_kind()[1] == "token"
    actor = _identify_and_note_origins() if is_shown else None
    if actor is None or _is_of_unnamed_site(actor):
        return None
    _count_app_request(actor)
    return _caller_unless_app_on_page(actor)


def _identify_and_note_origins() -> Actor | None:
    """Caller of the request; the sites that their token names are noted for the answer."""
    actor = caller_or_none()
    if actor is not None:
        g.origins = actor.origins
    return actor


def _is_of_unnamed_site(actor: Actor) -> bool:
    """Whether a token is used by the page of a site that it does not name."""
    site = request.headers.get("Origin", "")
    if not site or site in actor.origins or credential_and_kind()[1] != "token":
        return False
    return origins.is_cross_site()


def _count_app_request(actor: Actor) -> None:
    """Count a request of an app.

    :raises Problem: its token has sent too many
    """
    if actor.scopes is not None and (
        wait_s := PACE.count_and_give_wait(actor.by, time.monotonic())
    ):
        raise Problem("too_fast", headers={"Retry-After": str(math.ceil(wait_s))})


def _authorise_or_redirect(
    actor: Actor | None, permission: str, endpoint: str
) -> AnyResponse | None:
    """None if the caller has the permission, else a redirect to the sign-in.

    :raises Problem: they are known, and may not
    """
    if actor is not None and permission != OPEN and has_permission_at_table(actor, permission):
        g.actor = actor
        return None
    if permission == OPEN or is_route_public_now(endpoint, **(request.view_args or {})):
        g.actor = _caller_unless_app_on_page(
            actor
        )  # who may not do more here still has the bar of their role
        return None
    if actor is None:
        return _redirect_or_refuse_unknown()
    note_security("forbidden", by=actor.by, detail=permission)
    raise _refusal_problem(actor, permission)


def has_permission_at_table(actor: Actor, permission: str) -> bool:
    """Whether the caller has a permission, at the table that the request is about."""
    if permission not in actor.permissions or (actor.scopes is not None and not _is_api_request()):
        return False
    about = (request.view_args or {}).get("encuentro_id")
    if not actor.encuentro or str(about) == actor.encuentro:
        return True
    return about is None and is_open_to_bound_users(request.endpoint or "")


def _is_api_request() -> bool:
    """Whether the request is to the API rather than for a page."""
    return request.path.startswith(origins.API)


def _caller_unless_app_on_page(actor: Actor | None) -> Actor | None:
    """The same caller on a public route; None for an app that asks for a page."""
    return (
        None if actor is not None and actor.scopes is not None and not _is_api_request() else actor
    )


def _refusal_problem(actor: Actor, permission: str) -> Problem:
    """Problem for a caller who lacks a permission."""
    if actor.scopes is not None and permission not in actor.permissions:
        return Problem("out_of_scope", headers={"WWW-Authenticate": _WANTS_SCOPE})
    return Problem("forbidden")


def is_open_to_bound_users(endpoint: str) -> bool:
    """Whether a route also serves users who are bound to one table."""
    return bool(getattr(current_app.view_functions[endpoint], "is_at_any_table", False))


def is_safe_or_same_origin() -> bool:
    """Whether a request is safe, of a page of this site, or of a client without browser."""
    if request.method in SAFE_METHODS:
        return True
    if request.headers.get("Authorization") and not _is_sign_in():
        return True
    site, origin = (request.headers.get(name) for name in ("Sec-Fetch-Site", "Origin"))
    if site is None and origin is None:
        return cookie_name() not in request.cookies
    is_of_host = (
        origin == f"{request.scheme}://{request.host}"
        if site is None
        else site in ("same-origin", "none")
    )
    return is_of_host and (not prefix() or is_from_page_below(prefix()))


def register_guard(app: Flask) -> None:
    """Register the checks of every request.

    Host, origin, permission, and whether writes are possible.
    """
    app.before_request(answer_unknown_host)
    app.before_request(_answer_preflight)

    @app.before_request
    def _authorise_request() -> AnyResponse | None:
        if request.endpoint is None:  # the page that says so has the bar of the reader
            g.actor = _caller_of_unknown_route()
            if g.actor is None:
                count_token_if_wrong()  # to others, what operators alone may see is an unknown page
            return None
        if not is_safe_or_same_origin() and not _has_secret_address(request.endpoint):
            note_security("forbidden", by="", detail="cross_site")
            raise Problem("cross_site")
        permission = permission_of_endpoint(request.endpoint)
        if permission is None:
            raise Problem("forbidden")
        g.actor = None
        if permission == OPEN and not _must_identify_on_open_route(request.endpoint):
            return None
        return _authorise_or_redirect(_identify_and_count_caller(), permission, request.endpoint)

    app.before_request(_refuse_write_without_storage)
    app.after_request(_allow_other_origins)
    app.wsgi_app = SecurityHeaders(app.wsgi_app)  # type: ignore[method-assign]  # the way Flask says to wrap it


def _refuse_write_without_storage() -> None:
    """Refuse a request that may write while nothing can be stored.

    :raises Problem: nothing can be
    """
    if request.endpoint is None or request.method in SAFE_METHODS:
        return
    here = current_services()
    code = here.no_writes
    if (
        not code
        and here.limits is not None
        and _is_club_full_for_route(here.limits, request.endpoint)
    ):
        code = "club_full"
    if code:
        raise Problem(code, headers={"Retry-After": str(NO_WRITES_RETRY_AFTER_S)})


def _is_club_full_for_route(limits: HouseLimits, endpoint: str) -> bool:
    """Whether the club has used its room, and this route accepts no writes then."""
    passes = getattr(current_app.view_functions[endpoint], "passes_full_club", False)
    return not passes and limits.is_over_disk_limit


def _answer_preflight() -> Response | None:
    """Answer to a CORS preflight request; None for any other request."""
    if request.method != "OPTIONS" or not origins.is_preflight() or _is_sign_in():
        return None
    return origins.preflight_answer_or_none(_origins_of_tokens())


def _origins_of_tokens() -> frozenset[str]:
    """Origins that valid tokens of apps name."""
    here, owner = current_services(), house_component_or_none("owner")
    live = valid_app_tokens(here.referee.roles.access(), here.keys, owner)
    return frozenset(origin for one in live for origin in one.held.origins)


def _allow_other_origins(response: Response) -> Response:
    """Add the CORS headers that the token of the request or a setting allows.

    Of an error for want of a good token they are told too, so that a page can say what is wrong.
    """
    named, code = g.get("origins"), response.status_code
    if named is None and code in _ERRORS_WITHOUT_TOKEN and "Origin" in request.headers:
        named = _origins_of_tokens() if _is_api_request() else None
    if named:
        return origins.allow_with_token(response, named)
    reading = current_app.extensions.get("reading")
    return origins.allow_reading(response, reading) if reading else response


def count_token_if_wrong() -> None:
    """Count the token of the request as a guess, if nobody has that token.

    :raises Problem: too many wrong tokens
    """
    token, via = credential_and_kind()
    if via == "token" and token and caller_or_none() is None:
        note_wrong_secret("token_failed")


def _redirect_or_refuse_unknown() -> AnyResponse:
    """Redirect to the page for signing in.

    :raises Problem: not for a browser, or too many wrong tokens
    """
    if request.headers.get("Authorization"):
        note_wrong_secret("token_failed")
    if "pages" in request.blueprints and request.method in SAFE_METHODS:
        return redirect(
            f"{prefix()}/entrar?next={quote(prefix() + request.full_path.removesuffix('?'))}"
        )
    token, _ = credential_and_kind()
    code = (
        "revoked" if token and current_services().keys.was_token_ended(token) else "not_signed_in"
    )
    raise Problem(code, headers={"WWW-Authenticate": "Bearer"})


def _must_identify_on_open_route(endpoint: str) -> bool:
    """Whether the caller of a public route is identified: on every page shown, and for apps.

    Not one whose address is the credential.
    """
    if credential_and_kind()[0].startswith(
        APP_PREFIX
    ):  # it has a pace, and sites that may read the answer
        return True
    is_page_shown = "pages" in request.blueprints and request.method in SAFE_METHODS
    if is_page_shown and not _has_secret_address(endpoint):
        return True
    return getattr(current_app.view_functions.get(endpoint), "identifies_everybody", False)


def _is_sign_in() -> bool:
    """Whether the route of the request is one by which somebody signs in."""
    view = current_app.view_functions.get(request.endpoint or "")
    return getattr(view, "lets_in", False)


def _has_secret_address(endpoint: str) -> bool:
    return getattr(current_app.view_functions.get(endpoint), "has_secret_address", False)


def is_route_public_now(endpoint: str, **about: object) -> bool:
    """Whether a route that is public at times is public now for these arguments."""
    is_open = getattr(current_app.view_functions[endpoint], "is_open", None)
    return is_open is not None and bool(is_open(**about))
