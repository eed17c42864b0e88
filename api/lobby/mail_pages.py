"""Pages of who makes a club by a code in a mail, without an invitation and without the owner."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, abort, current_app, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.accounts.mail import is_address
from api.html.forms import FieldErrors, form_value
from api.html.pages import page, private_page
from api.http.access.guard import same_origin
from api.http.languages import language, say
from api.lobby import letters
from api.lobby.book import MOST_TRIES, TooManyRequests
from api.lobby.parts import count_wrong_secret, here, lobby

blp = Blueprint("mail", __name__)
LONGEST_ADDRESS = 120


def is_offered() -> bool:
    """Whether a club can be made by mail: the owner lets it be, and mail can be sent."""
    return lobby().book().signup() == "mail" and current_app.extensions["mail"] is not None


@blp.get("/empezar")
def show() -> AnyResponse:
    """The form of an address of mail; where no mail is sent, that of a request."""
    return _form("", []) if is_offered() else redirect(here("/pedir"), HTTPStatus.SEE_OTHER)


@blp.post("/empezar")
def send_code() -> AnyResponse:
    """Send a code to an address; leads to where it is typed."""
    if not same_origin():
        abort(HTTPStatus.FORBIDDEN)
    if not is_offered():
        return show()
    to, lang = form_value("mail"), language()
    if not is_address(to) or len(to) > LONGEST_ADDRESS:
        return _form(to, [("mail", say("lobby.mail_bad", lang))])
    try:
        key = letters.send_code(to)
    except TooManyRequests:
        return _form(to, [("", say("lobby.too_many_requests", lang))])
    return redirect(here(f"/empezar/{key}"), HTTPStatus.SEE_OTHER)


def _form(typed: str, wrong: FieldErrors) -> Response:
    answer = page("lobby/mail.html", typed=typed, wrong=wrong)
    answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return answer


@blp.get("/empezar/<key>")
def show_code(key: str) -> Response:
    """Where the code of a mail is typed."""
    match lobby().book().state_of_mail(key):
        case "going":
            return _code_form("")
        case "failed":
            return _form("", [("mail", say("lobby.mail_not_sent", language()))])
        case "over":
            return _over()


@blp.post("/empezar/<key>")
def prove(key: str) -> AnyResponse:
    """Take a code; the right one leads to the form of the club.

    No other site knows the address, which the page sends nowhere.
    """
    typed = "".join(filter(str.isdecimal, form_value("code")))
    found = lobby().book().prove(key, typed)
    if found == "right":
        return redirect(here(f"/nuevo/{key}"), HTTPStatus.SEE_OTHER)
    if found == "over":
        return _over()
    return _code_form(say("lobby.code_wrong", language(), n=MOST_TRIES))


def _over() -> Response:
    count_wrong_secret()
    return private_page(page("lobby/fault.html", says="lobby.code_over"), HTTPStatus.NOT_FOUND)


def _code_form(wrong: str) -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return private_page(page("lobby/code.html", wrong=wrong, minutes=letters.MINUTES), status)
