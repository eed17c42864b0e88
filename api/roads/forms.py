"""Forms of the organiser's desk of a road, converted to acts."""

from __future__ import annotations

from typing import Final

import marshmallow as ma
from flask import request

from api.club.name_matches import KnownNames
from api.club.views import players
from api.html.forms import NUMBER, form_value
from api.http.acts.kinds import AskedAct
from api.http.bodies import MAX_BYTES, Body
from api.http.faults import validation_error
from api.http.problems import Problem
from api.roads.acts import KINDS, read_file
from referee.audit.lists import CheckedList

ASKS: Final = frozenset(
    {"qualifier_change", "list_take", "place_renounce", "place_reclaim", "final_enter"}
)
"""Acts that show what follows before they are recorded."""
_FIELDS: Final = ("name", "qualifier", "entry", "reason", "tournament", "contact")


def opening() -> Body:
    """A road to be opened."""
    body: Body = {"name": form_value("name"), "final": form_value("final"), "places": _places()}
    return {**body, "contact": form_value("contact")} if form_value("contact") else body


def acts_in_form() -> list[AskedAct]:
    """Acts that a form asks for; the key of a list comes first, if the organiser compared it.

    :raises ma.ValidationError: a field is wrong
    :raises Problem: there is no such kind of act
    """
    kind = form_value("kind")
    if kind not in KINDS.shapes:
        raise Problem("bad_request")
    values: Body = {name: form_value(name) for name in _FIELDS if form_value(name)}
    if kind in ("qualifier_add", "qualifier_change"):
        values["places"] = _places()
    if kind == "pair_invite":
        values["players"] = _guests()
    before: list[AskedAct] = []
    if kind == "list_take" and request.form.get("is_here") != "yes":
        values["file"] = file_in_form()
        values["same"] = request.form.getlist("same")
        if key := form_value("trust"):
            before = [KINDS.of_form("key_trust", {"key": key})]
    return [*before, KINDS.of_form(kind, values)]


def file_in_form() -> str:
    """The signed list of a form: from its file, or as the preview kept it.

    :raises ma.ValidationError: there is none
    :raises Problem: it is larger than a list can be
    """
    sent, content = request.files.get("file"), b""
    if sent is not None and sent.filename:
        sent.stream.seek(0)  # it may have been read for the preview
        content = sent.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Problem("too_large", limit=MAX_BYTES)
    text = content.decode("utf-8", "replace") or request.form.get("file", "")
    if not text:
        raise ma.ValidationError({"file": validation_error("required").messages})
    return text


def list_in_form() -> CheckedList | None:
    """The signed list of a form, if it brings one.

    :raises Refused: it is not as it was signed
    """
    if form_value("kind") != "list_take" or request.form.get("is_here") == "yes":
        return None
    return read_file(file_in_form())


def _places() -> int | str:
    """The typed number of places; other text is returned, so that the schema reports it."""
    text = form_value("places")
    return int(text) if NUMBER.fullmatch(text) else text


def _guests() -> list[Body]:
    """Who is invited: a name that one player of the house has means that player."""
    known = KnownNames(players())
    found: list[Body] = []
    for name in (one.strip() for one in request.form.getlist("player")):
        same = known.same(name) if name else []
        found.append({"person": same[0].player} if len(same) == 1 else {"name": name})
    return found
