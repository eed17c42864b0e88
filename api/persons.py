"""Persons: forgotten when they ask for it. They come in with the seats they take."""

from __future__ import annotations

from flask import Response

from api import access
from api.base import Noun, wants
from api.house import house
from api.problems import Problem

blp = Noun("persons", __name__, url_prefix="/api/v1/persons", description="Persons")


@blp.route("/<string(length=32):person_id>", methods=["DELETE"])
@access.needs("persons:erase")
@wants()
@blp.response(204)
@blp.alt_response(202, description="Erased; the bytes go when what reads them now has ended")
def erase(person_id: str) -> Response:
    """Erase the name of a person, or a text, for good"""
    try:
        if not house().persons.erase(person_id):
            raise Problem("not_found")
    except TimeoutError:
        return Response(status=202)
    return Response(status=204)
