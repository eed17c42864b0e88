"""The page of the owner of the installation: each club from outside, and nothing of its inside."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html.forms import form_value
from api.html.pages import page
from api.http.access.guard import SAFE_METHODS, cookie_name, is_safe_or_same_origin
from api.http.access.prefix import cookie_path, is_from_page_below, prefix
from api.http.languages import language, say
from api.lobby.book import SIGNED_IN_S
from api.lobby.letters import send_decision
from api.lobby.parts import club_address, count_wrong_secret, lobby_address, lobby_parts

blp = Blueprint("installation", __name__)
CLUBS_OF_A_PAGE: Final = 50
_HOME: Final = "/instalacion"
_ENTRY: Final = "/entrar"


@blp.before_request
def _redirect_unless_owner() -> AnyResponse | None:
    """Redirect others than the owner to the form of the token; refuse what other sites sent."""
    if not is_safe_or_same_origin() or not _is_sent_by_owner_page():
        abort(HTTPStatus.FORBIDDEN)
    if is_owner() or request.path == _ENTRY:
        return None
    return redirect(lobby_address(_ENTRY), HTTPStatus.SEE_OTHER)


def _is_sent_by_owner_page() -> bool:
    """Whether a change was sent by a page of the owner, not by a club on the same host."""
    if request.method in SAFE_METHODS or not lobby_parts().clubs.is_by_path:
        return True
    return is_from_page_below(prefix() + _HOME, prefix() + _ENTRY)


def is_owner() -> bool:
    """Whether the request has the cookie of an owner who has shown the current token."""
    mark = (
        lobby_parts()
        .book()
        .token_mark_or_empty(request.cookies.get(_cookie_name_and_path()[0], ""))
    )
    return bool(mark) and lobby_parts().owner.is_mark_current(mark)


def _cookie_name_and_path() -> tuple[str, str]:
    """Name and path of the owner's cookie; for these pages alone where clubs share the host."""
    if lobby_parts().clubs.is_by_path:
        return f"{'__Secure-' if request.is_secure else ''}guinote-owner", f"{prefix()}{_HOME}"
    return cookie_name(), cookie_path()


@blp.get(_ENTRY)
def show_sign_in_form() -> Response:
    """The form of the token."""
    return page("lobby/enter.html", wrong="")


@blp.post(_ENTRY)
def sign_in_owner() -> AnyResponse:
    """Take the token for a cookie of this host alone."""
    if not lobby_parts().owner.knows(form_value("token")):
        count_wrong_secret()
        response = page("lobby/enter.html", wrong=say("lobby.token_wrong", language()))
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
        return response
    answer = redirect(lobby_address(_HOME), HTTPStatus.SEE_OTHER)
    name, path = _cookie_name_and_path()
    answer.set_cookie(
        name,
        lobby_parts().book().create_sign_in_cookie(lobby_parts().owner.mark()),
        max_age=int(SIGNED_IN_S),
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path=path,
    )
    return answer


@blp.post(f"{_HOME}/salir")
def sign_out_owner() -> AnyResponse:
    """End the sign-in."""
    name, path = _cookie_name_and_path()
    lobby_parts().book().sign_out(request.cookies.get(name, ""))
    answer = redirect(lobby_address("/"), HTTPStatus.SEE_OTHER)
    answer.delete_cookie(
        name, httponly=True, samesite="Strict", secure=request.is_secure, path=path
    )
    return answer


@blp.get(_HOME)
def show_overview() -> Response:
    """Every club from outside, requests, and invitations."""
    return _overview_page("")


def _overview_page(link: str) -> Response:
    """The page. ``link``: of an invitation that was just made, shown once."""
    clubs, book = lobby_parts().clubs, lobby_parts().book()
    sought = request.args.get("club", "").strip().lower()
    names = [one for one in clubs.names() if sought in one]
    begin = min(request.args.get("desde", 0, type=int), len(names))
    shown = names[max(0, begin) :][:CLUBS_OF_A_PAGE]
    return page(
        "lobby/installation.html",
        link=link,
        sought=sought,
        total=len(names),
        shut=sum(map(clubs.is_shut, names)),
        begin=max(0, begin),
        step=CLUBS_OF_A_PAGE,
        clubs=[(one, club_address(one.name)) for one in clubs.facts_of_clubs(shown)],
        free=clubs.free_bytes(),
        requests=book.invitations_in("asked"),
        invitations=book.invitations_in("open"),
        is_signup_open=book.is_signup_open(),
    )


@blp.post(f"{_HOME}/invitaciones")
def invite() -> Response:
    """Make an invitation; its link is shown once."""
    return _overview_page(f"{request.url_root}nuevo/{lobby_parts().book().create_invitation()}")


@blp.post(f"{_HOME}/invitaciones/<id_>/baja")
def withdraw_invitation(id_: str) -> AnyResponse:
    """Withdraw an invitation."""
    lobby_parts().book().withdraw_invitation(id_)
    return _redirect_to_overview()


@blp.post(f"{_HOME}/peticiones/<id_>")
def decide_club_request(id_: str) -> AnyResponse:
    """Approve a request, or refuse it."""
    book = lobby_parts().book()
    found = book.find_by_id_in_state(id_, "asked")
    if found is None:
        return _redirect_to_overview()
    is_approved = form_value("answer") == "yes"
    (book.approve_request if is_approved else book.refuse_request)(id_)
    outcome = "approved" if is_approved else "refused"
    send_decision(outcome, found.contact, found.lang, found.name)
    return _redirect_to_overview()


@blp.post(f"{_HOME}/clubes/<club>")
def shut_or_reopen_club(club: str) -> AnyResponse:
    """Shut a club, or open it again."""
    clubs = lobby_parts().clubs
    if not clubs.has(club):
        abort(HTTPStatus.NOT_FOUND)
    if form_value("state") == "shut":
        clubs.shut(club)
    else:
        clubs.reopen(club)
    return _redirect_to_overview()


def _redirect_to_overview() -> AnyResponse:
    return redirect(lobby_address(_HOME), HTTPStatus.SEE_OTHER)
