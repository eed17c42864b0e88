"""Pages on which anybody makes a club with a code sent by mail, without invitation or owner."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, abort, current_app, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.accounts.mail import is_mail_address
from api.html.forms import FieldErrors, form_value
from api.html.pages import make_private, page
from api.http.access.guard import is_safe_or_same_origin
from api.http.languages import language, say
from api.lobby import letters
from api.lobby.book import MOST_TRIES, TooManyRequests
from api.lobby.parts import count_wrong_secret, lobby_address, lobby_parts

blp = Blueprint("mail", __name__)
LONGEST_ADDRESS = 120


def is_mail_signup_open() -> bool:
    """Whether a club can be made by mail: the owner lets it be, and mail can be sent."""
    return (
        lobby_parts().book().signup_mode() == "mail" and current_app.extensions["mail"] is not None
    )


@blp.get("/empezar")
def show_mail_form() -> AnyResponse:
    """The form of an address of mail; where no mail is sent, that of a request."""
    return (
        _mail_address_page("", [])
        if is_mail_signup_open()
        else redirect(lobby_address("/pedir"), HTTPStatus.SEE_OTHER)
    )


@blp.post("/empezar")
def send_code() -> AnyResponse:
    """Send a code to an address; leads to where it is typed."""
    if not is_safe_or_same_origin():
        abort(HTTPStatus.FORBIDDEN)
    if not is_mail_signup_open():
        return show_mail_form()
    to, lang = form_value("mail"), language()
    if not is_mail_address(to) or len(to) > LONGEST_ADDRESS:
        return _mail_address_page(to, [("mail", say("lobby.mail_bad", lang))])
    try:
        key = letters.mail_new_code(to)
    except TooManyRequests:
        return _mail_address_page(to, [("", say("lobby.too_many_requests", lang))])
    return redirect(lobby_address(f"/empezar/{key}"), HTTPStatus.SEE_OTHER)


def _mail_address_page(typed: str, wrong: FieldErrors) -> Response:
    answer = page("lobby/mail.html", typed=typed, wrong=wrong)
    answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return answer


@blp.get("/empezar/<key>")
def show_code_form(key: str) -> Response:
    """Where the code of a mail is typed."""
    match lobby_parts().book().mail_state_by_key(key):
        case "going":
            return _code_form("")
        case "failed":
            return _mail_address_page("", [("mail", say("lobby.mail_not_sent", language()))])
        case "over":
            return _count_and_show_code_over()


@blp.post("/empezar/<key>")
def check_typed_code(key: str) -> AnyResponse:
    """Take a code; the right one leads to the form of the club.

    No other site knows the address, which the page sends nowhere.
    """
    typed = "".join(filter(str.isdecimal, form_value("code")))
    found = lobby_parts().book().redeem_mail_code(key, typed)
    if found == "right":
        return redirect(lobby_address(f"/nuevo/{key}"), HTTPStatus.SEE_OTHER)
    if found == "over":
        return _count_and_show_code_over()
    return _code_form(say("lobby.code_wrong", language(), n=MOST_TRIES))


def _count_and_show_code_over() -> Response:
    count_wrong_secret()
    return make_private(page("lobby/fault.html", says="lobby.code_over"), HTTPStatus.NOT_FOUND)


def _code_form(wrong: str) -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return make_private(page("lobby/code.html", wrong=wrong, minutes=letters.MINUTES), status)
