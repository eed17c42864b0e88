"""A person of a ranking is erased in this house: their name, in every club that published it."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.http.access import guard
from api.http.access.security import note_security
from api.http.problems import Problem
from api.http.rest import takes_headers
from api.http.services import await_position, current_services
from api.rankings import rest
from api.rankings import views as ranking_views
from api.rankings.pages import PERSON, display_of, ranking_page
from referee.errors import NotFound

blp = Blueprint("ranking_erasure", __name__)
_ERASURE = f"{PERSON}/baja"


@blp.get(_ERASURE)
@guard.requires("persons:erase")
def show_erasure(ranking_id: UUID, line: str) -> Response:
    """What is erased with a name in a ranking, and what stays where its club publishes it"""
    await_position()
    view = ranking_views.person(ranking_id, line)
    return ranking_page("rankings/erasure.html", display_of(ranking_id), line=line, person=view)


@blp.post(_ERASURE)
@guard.requires("persons:erase")
@guard.takes_writes_when_full
def erase_person(ranking_id: UUID, line: str) -> AnyResponse:
    """A person of a ranking has no name here any more"""
    if request.form.get("sure") != "yes":
        raise Problem("bad_request")
    with suppress(TimeoutError):  # a reader still holds the old bytes; the names are erased
        erase_names(ranking_id, line)
    display = display_of(ranking_id)
    return redirect(f"{display.home}/persona/{line}?done=erased", 303)


@rest.blp.route("/<uuid:ranking_id>/people/<line>", methods=["DELETE"])
@guard.requires("persons:erase")
@guard.takes_writes_when_full
@takes_headers()
@rest.blp.response(204)
@rest.blp.alt_response(202, description="Erased; the bytes go when what reads them now has ended")
def erase_ranked_person(ranking_id: UUID, line: str) -> Response:
    """Erase the name of a person in this house for good, whatever their clubs publish later"""
    await_position()
    try:
        erase_names(ranking_id, line)
    except TimeoutError:
        return Response(status=202)
    return Response(status=204)


def erase_names(ranking_id: UUID, line: str) -> None:
    """Erase the names under which the clubs of a ranking published a person.

    :raises NotFound: there is no such person, or they have no name here
    :raises TimeoutError: erased, but a reader still holds the old bytes
    """
    here, texts = current_services(), ranking_views.name_texts_of_person(ranking_id, line)
    for one in texts:
        note_security("erased", about=one)
    if not here.persons.erase(*texts):
        raise NotFound(line)
