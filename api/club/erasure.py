"""The page on which a person is erased, and the free texts in which their name stands."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.club import acts as club_acts
from api.club import views as club_views
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.problems import Problem
from api.http.services import await_position_in_request
from referee.errors import NotFound

blp = Blueprint("erasure_pages", __name__)
_ERASURE = "/jugadores/<string(length=32):person_id>/baja"


@blp.get(_ERASURE)
@guard.requires("persons:erase")
def show_erasure(person_id: str) -> Response:
    """What is erased with a player, and other words in which their name stands"""
    await_position_in_request()
    view = club_views.player(person_id)
    found = club_acts.mentions_of_person(person_id)
    return page(
        "club/erasure.html",
        view=view,
        erasable=[one for one in found if one.text],
        staying=[one for one in found if not one.text],
    )


@blp.post(_ERASURE)
@guard.requires("persons:erase")
@guard.takes_writes_when_full
def erase_person_from_form(person_id: str) -> AnyResponse:
    """Erase a player for good, with the texts chosen in the posted form, and redirect"""
    chosen = request.form.getlist("text")
    if request.form.get("sure") != "yes":
        raise Problem("bad_request")
    try:
        if not club_acts.erase_names_and_texts(person_id, chosen):
            raise NotFound(person_id)
    except TimeoutError:  # a reader still holds the old bytes; the names are erased
        pass
    return redirect(f"{prefix()}/jugadores/?done=erased", 303)
