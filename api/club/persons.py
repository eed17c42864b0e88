"""Persons: search and erasure. They are added when they take seats."""

from __future__ import annotations

from typing import get_args

import marshmallow as ma
from flask import Response
from marshmallow import validate

from api.club import acts as club_acts
from api.club.mentions import WordsPlace
from api.http.access import guard
from api.http.bodies import Body
from api.http.fields import MAX_NAME, ResponseSchema, Text
from api.http.names import words_of_folded_name
from api.http.problems import Problem
from api.http.rest import Noun, Page, list_page_schema, reply, takes_headers_and_query
from api.http.rows import page_of_list
from api.http.services import await_position_in_request, current_services
from projections.players import player_merges, retirees
from projections.scores.projection import latest_persons_at_tables

blp = Noun("persons", __name__, url_prefix="/api/v1/persons", description="Persons")
_LATELY = 200
"""Number of latest encuentros whose players are listed first."""


class PersonQuery(Page):
    """A part of a name, and a place in the list."""

    q = Text(MAX_NAME, metadata={"description": "A part of the name."})


class PersonRow(ResponseSchema):
    """A person with a name."""

    person = ma.fields.String(required=True)
    name = ma.fields.String(required=True)


@blp.route("")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.arguments(PersonQuery, location="query")
@blp.response(200, list_page_schema(PersonRow, "PersonPage"))
def list_persons(query: Body) -> Response:
    """Persons by name, the latest players first, each once; ``q`` finds beginnings of words"""
    await_position_in_request()
    found = [{"person": person, "name": name} for person, name in _find_persons(query.get("q", ""))]
    return reply(page_of_list(found, query))


class MentionRow(ResponseSchema):
    """Words in which the name of a person stands, with the place where they stand."""

    text = ma.fields.String(
        required=True, metadata={"description": "id to erase them by; empty: they cannot be erased"}
    )
    words = ma.fields.String(required=True)
    whole = ma.fields.Boolean(
        required=True, metadata={"description": "the whole name or the nickname stands there"}
    )
    place = ma.fields.String(required=True, validate=validate.OneOf(get_args(WordsPlace)))
    at = ma.fields.String(required=True)
    line = ma.fields.Integer(required=True)
    path = ma.fields.String(required=True, metadata={"description": "of the page that shows them"})


class MentionList(ResponseSchema):
    """Every place, the whole name first."""

    items = ma.fields.List(ma.fields.Nested(MentionRow), required=True)


@blp.route("/<string(length=32):person_id>/mentions")
@guard.requires("persons:erase")
@takes_headers_and_query(wait=True)
@blp.response(200, MentionList)
def list_mentions(person_id: str) -> Response:
    """Free texts in which the name of a person stands, other than those erased with them"""
    await_position_in_request()
    if not current_services().persons.is_named(person_id):
        raise Problem("not_found")
    found = [
        {**one._asdict(), "whole": one.is_whole} for one in club_acts.mentions_of_person(person_id)
    ]
    for one in found:
        del one["is_whole"]
    return reply({"items": found})


@blp.route("/<string(length=32):person_id>", methods=["DELETE"])
@guard.requires("persons:erase")
@guard.takes_writes_when_full
@takes_headers_and_query()
@blp.response(204)
@blp.alt_response(202, description="Erased; the bytes go when what reads them now has ended")
def erase_person(person_id: str) -> Response:
    """Erase a person for good: all names, and all texts about them; or a text"""
    try:
        if not club_acts.erase_names_and_texts(person_id):
            raise Problem("not_found")
    except TimeoutError:
        return Response(status=202)
    return Response(status=204)


def _find_persons(sought: str) -> list[tuple[str, str]]:
    """Persons whose name has words that begin like those sought: who played last, then by name.

    Without anything sought, those who play no more are left out.
    """
    beginnings = words_of_folded_name(sought)
    with current_services().reads.reading() as rows:
        kept = player_merges(rows)
        aside = {*kept, *(() if sought else retirees(rows))}
        latest = dict.fromkeys(
            kept.get(one, one) for one in latest_persons_at_tables(rows, _LATELY)
        )
    place = {person: at for at, person in enumerate(latest)}
    keyed = [
        (words_of_folded_name(name), person, name)
        for person, name in current_services().persons.ids_and_names()
        if person not in aside
    ]
    fitting = [
        (place.get(person, len(place)), words, person, name)
        for words, person, name in keyed
        if all(any(word.startswith(one) for word in words) for one in beginnings)
    ]
    return [(person, name) for _, _, person, name in sorted(fitting)]
