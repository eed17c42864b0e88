"""The page on which a person of a ranking is erased in this house."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.access import guard
from api.http.problems import Problem
from api.http.services import await_position_in_request
from api.rankings import views as ranking_views
from api.rankings.pages import PERSON, display_of, render_ranking_page
from api.rankings.rest import erase_names_in_all_rankings

blp = Blueprint("ranking_erasure", __name__)
_ERASURE = f"{PERSON}/baja"


@blp.get(_ERASURE)
@guard.requires("persons:erase")
def show_erasure(ranking_id: UUID, line: str) -> Response:
    """What is erased with a name in a ranking, and what stays where its club publishes it"""
    await_position_in_request()
    view = ranking_views.person(ranking_id, line)
    return render_ranking_page(
        "rankings/erasure.html", display_of(ranking_id), line=line, person=view
    )


@blp.post(_ERASURE)
@guard.requires("persons:erase")
@guard.takes_writes_when_full
def erase_person_names(ranking_id: UUID, line: str) -> AnyResponse:
    """Erase the names of a person of a ranking, and go to the page of the person"""
    if request.form.get("sure") != "yes":
        raise Problem("bad_request")
    with suppress(TimeoutError):  # a reader still holds the old bytes; the names are erased
        erase_names_in_all_rankings(ranking_id, line)
    shown = url_for(
        "pages.ranking_pages.show_person", ranking_id=ranking_id, line=line, done="erased"
    )
    return redirect(shown, 303)
