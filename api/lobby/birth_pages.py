"""The page of an invitation, and of a request: its address is the only way to it."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, abort, request

from api.html.forms import FieldErrors, form_value, form_values
from api.html.pages import make_private, page
from api.http.languages import language, say
from api.lobby.book import Invitation
from api.lobby.parts import (
    club_address,
    count_wrong_secret,
    faults_of_names,
    lobby_parts,
    short_name_of,
)
from api.lobby.ports import ShortNameTaken

blp = Blueprint("birth", __name__)


@blp.get("/nuevo/<code>")
def show_invitation_page(code: str) -> Response:
    """Where a request stands, the form of a new club, or the club that was made."""
    found = _invitation(code)
    if _is_club_made(found):
        return make_private(page("lobby/made.html", one=found, address=club_address(found.short)))
    if found.state in ("asked", "refused"):
        return make_private(page("lobby/waiting.html", one=found))
    return _new_club_form(found, {"name": found.name, "short": found.short}, [])


@blp.post("/nuevo/<code>")
def make_club_once(code: str) -> Response:
    """Make the club, once however often it is asked for; shows the link of its first admin."""
    with lobby_parts().clubs.hold_making_lock():
        found = _invitation(code)
        if found.state in ("asked", "refused"):
            return show_invitation_page(code)
        if not _is_club_made(found):
            wrong = _make_club_or_faults(code, found)
            if wrong:
                return _new_club_form(found, form_values(), wrong, HTTPStatus.UNPROCESSABLE_ENTITY)
            found = _invitation(code)
        return _first_admin_links_page(found)


def _invitation(code: str) -> Invitation:
    """The invitation of an address.

    :raises HTTPException: there is none
    """
    found = lobby_parts().book().find(code)
    if found is None:
        count_wrong_secret()
        abort(HTTPStatus.NOT_FOUND)
    if found.state == "used" and not _is_club_made(found):  # it has left
        abort(HTTPStatus.NOT_FOUND)
    return found


def _is_club_made(found: Invitation) -> bool:
    """Whether the club of an invitation exists, also if a process died before it noted that."""
    is_begun = found.state in ("making", "used")
    return is_begun and lobby_parts().clubs.is_made_with_invitation(found.id, found.short)


def _new_club_form(
    one: Invitation, typed: dict[str, str], wrong: FieldErrors, status: int = 200
) -> Response:
    answer = page(
        "lobby/birth.html", one=one, typed=typed, wrong=wrong, domain=lobby_parts().clubs.domain
    )
    return make_private(answer, status)


def _make_club_or_faults(code: str, found: Invitation) -> FieldErrors:
    """Make the club of the form; returns what is wrong with it."""
    name = " ".join(form_value("name").split())
    short = form_value("short").lower() or short_name_of(name)
    if wrong := faults_of_names(name, short):
        return wrong
    clubs, book = lobby_parts().clubs, lobby_parts().book()
    book.note_club_in_making(code, short, name)
    try:
        clubs.make_club_by_invitation(short, name, found.id)
    except ShortNameTaken:
        book.note_club_not_made(code)
        return [("short", say("lobby.short_taken", language()))]
    except BaseException:
        book.note_club_not_made(code)
        raise
    lang, is_wanted = found.lang or language(), "example" in request.form
    book.note_club_made(code, clubs.make_example_club(short, lang, found.id) if is_wanted else "")
    return []


def _first_admin_links_page(found: Invitation) -> Response:
    """Page of the new club with the link for its first admin, until there is an admin."""
    clubs = lobby_parts().clubs
    if clubs.is_shut(found.short):  # it may be restored or moved
        answer = page("lobby/fault.html", says="lobby.club_shut")
        return make_private(answer, HTTPStatus.SERVICE_UNAVAILABLE)
    made = [found.short, *filter(None, [found.example])]
    links = {
        short: clubs.renew_first_admin_link(short, club_address(short))
        for short in made
        if clubs.is_made_with_invitation(found.id, short) and not clubs.is_shut(short)
    }
    answer = page(
        "lobby/made.html", one=found, address=club_address(found.short), links=links, asked=True
    )
    return make_private(answer)
