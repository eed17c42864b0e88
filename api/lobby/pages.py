"""Pages for everybody: what this is, the way to one's club, and requests for a new one."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html.forms import FieldErrors, form_value, form_values
from api.html.pages import page
from api.http.access.attempts import caller_address
from api.http.access.guard import is_safe_or_same_origin
from api.http.languages import language, say
from api.lobby.book import TooManyRequests, Wish
from api.lobby.letters import send_request_link
from api.lobby.mail_pages import is_mail_signup_open
from api.lobby.parts import club_address, faults_of_names, lobby_address, lobby_parts, short_name_of
from api.monitoring import security_contact

blp = Blueprint("front", __name__)
MOST_FOUND: Final = 8
LEAST_ASKED: Final = 3
LONGEST_CONTACT: Final = 120
LONGEST_WORDS: Final = 500


@blp.get("/")
def show_front_page() -> Response:
    """What this is, with a field to find one's club."""
    asked = request.args.get("club", "").strip()
    found = _find_clubs(asked)
    return page(
        "lobby/front.html",
        asked=asked,
        found={name: club_address(name) for name in found},
        is_signup_open=lobby_parts().book().is_signup_open(),
        is_mail_offered=is_mail_signup_open(),
    )


def _find_clubs(asked: str) -> list[str]:
    """Short names of clubs that have each word that was asked for."""
    clubs, short = lobby_parts().clubs, short_name_of(asked)
    if clubs.has(short):
        return [short]
    if len(short) < LEAST_ASKED:
        return []
    parts = short.split("-")
    return [one for one in clubs.names() if all(part in one for part in parts)][:MOST_FOUND]


@blp.get("/libre")
def tell_short_name_fault() -> dict[str, str]:
    """Whether a new club can have a short name, in words, for the script of a form."""
    short = request.args.get("corto", "")
    fault = lobby_parts().clubs.short_name_fault(short)
    return {"fault": say(f"lobby.short_{fault}", language()) if fault else ""}


@blp.get("/livez")
@blp.get("/healthz")
def live() -> dict[str, str]:
    """That the installation answers."""
    return {"status": "ok"}


@blp.get("/readyz")
def ready() -> tuple[dict[str, str], int]:
    """Whether it can do its work."""
    if lobby_parts().report().is_ready:
        return {"status": "ready"}, HTTPStatus.OK
    return {"status": "not ready"}, HTTPStatus.SERVICE_UNAVAILABLE


@blp.get(security_contact.PATH)
def show_security_contact() -> Response:
    """Where to report a weakness of the installation, if its operator says."""
    return security_contact.security_txt_response_or_none() or abort(HTTPStatus.NOT_FOUND)


@blp.get("/pedir")
def show_request_form() -> Response:
    """The form of a request for a club."""
    if not lobby_parts().book().is_signup_open():
        return page("lobby/fault.html", says="lobby.signup_closed")
    return page("lobby/ask.html", typed={}, wrong=[], domain=lobby_parts().clubs.domain)


@blp.post("/pedir")
def request_club() -> AnyResponse:
    """A request for a club, which leads to its private page."""
    if not is_safe_or_same_origin():
        abort(HTTPStatus.FORBIDDEN)
    book = lobby_parts().book()
    if not book.is_signup_open():
        return show_request_form()
    wish, wrong = _wish_and_faults_in_form()
    code = ""
    if not wrong:
        try:
            code = book.store_club_request(wish, caller_address())
        except TooManyRequests:
            wrong = [("", say("lobby.too_many_requests", language()))]
    if wrong:
        response = page(
            "lobby/ask.html", typed=form_values(), wrong=wrong, domain=lobby_parts().clubs.domain
        )
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
        return response
    link = f"{request.url_root}nuevo/{code}"
    send_request_link(link, wish.contact, wish.lang)
    return redirect(lobby_address(f"/nuevo/{code}"), HTTPStatus.SEE_OTHER)


def _wish_and_faults_in_form() -> tuple[Wish, FieldErrors]:
    """What the form asks for, and its faults."""
    name = " ".join(form_value("name").split())
    short = form_value("short").lower() or short_name_of(name)
    contact, words = form_value("contact"), form_value("words")
    wrong = faults_of_names(name, short)
    if not contact or len(contact) > LONGEST_CONTACT or not contact.isprintable():
        wrong.append(("contact", say("lobby.contact_bad", language())))
    if len(words) > LONGEST_WORDS:
        wrong.append(("words", say("lobby.words_long", language(), n=LONGEST_WORDS)))
    return Wish(short, name, contact, words, language()), wrong
