"""The organiser's desk of a road; an act that moves places shows first what follows."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.club.name_matches import KnownNames
from api.club.views import players
from api.html import forms
from api.html.forms import NUMBER, FieldErrors, attempt_write, form_value, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.acts import AskedAct
from api.http.bodies import MAX_BYTES, Body
from api.http.fields import error_with_fault_code
from api.http.problems import Problem
from api.http.services import await_end_of_log, await_position_in_request, current_services
from api.roads.acts import KINDS, RoadIn, name_matcher_of_list, read_signed_list_text
from api.roads.pages import ROAD, RoadDisplay, display_of, render_road_page
from api.roads.rest import open_from_body, record_acts
from api.roads.views import RoadPreviewData, road_preview
from api.tournaments import views as tournament_views
from referee.aggregates.road import MOST_PLACES, Road, pair_changes_in_final
from referee.audit.lists import CheckedList
from referee.log.streams import Answer

ASKS: Final = frozenset(
    {"qualifier_change", "list_take", "place_renounce", "place_reclaim", "final_enter"}
)
"""Acts that show what follows before they are recorded."""
_FIELDS: Final = ("name", "qualifier", "entry", "reason", "tournament", "contact")


def opening_in_form() -> Body:
    """Request body for a road to be opened, from the form."""
    body: Body = {
        "name": form_value("name"),
        "final": form_value("final"),
        "places": _places_number_or_text(),
    }
    return {**body, "contact": form_value("contact")} if form_value("contact") else body


def acts_in_form() -> list[AskedAct]:
    """Acts that a form asks for; the key of a list comes first, if the organiser compared it.

    :raises ma.ValidationError: a field is wrong
    :raises Problem: there is no such kind of act
    """
    kind = form_value("kind")
    if kind not in KINDS.schemas_by_kind:
        raise Problem("bad_request")
    values: Body = {name: form_value(name) for name in _FIELDS if form_value(name)}
    if kind in ("qualifier_add", "qualifier_change"):
        values["places"] = _places_number_or_text()
    if kind == "pair_invite":
        values["players"] = _persons_to_invite_in_form()
    before: list[AskedAct] = []
    if kind == "list_take" and request.form.get("is_here") != "yes":
        values["file"] = list_text_in_form()
        values["same"] = request.form.getlist("same")
        if key := form_value("trust"):
            before = [KINDS.act_of_form_values("key_trust", {"key": key})]
    return [*before, KINDS.act_of_form_values(kind, values)]


def list_text_in_form() -> str:
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
        raise ma.ValidationError({"file": error_with_fault_code("required").messages})
    return text


def list_in_form_or_none() -> CheckedList | None:
    """The signed list of a form, if it brings one.

    :raises Refused: it is not as it was signed
    """
    if form_value("kind") != "list_take" or request.form.get("is_here") == "yes":
        return None
    return read_signed_list_text(list_text_in_form())


def _places_number_or_text() -> int | str:
    """The typed number of places; other text is returned, so that the schema reports it."""
    text = form_value("places")
    return int(text) if NUMBER.fullmatch(text) else text


def _persons_to_invite_in_form() -> list[Body]:
    """Bodies of invited players: by id if one player of the house has the name, else the name."""
    known = KnownNames(players())
    found: list[Body] = []
    for name in (one.strip() for one in request.form.getlist("player")):
        same = known.players_of_name(name) if name else []
        found.append({"person": same[0].player} if len(same) == 1 else {"name": name})
    return found


blp = Blueprint("road_desk", __name__)
DESK: Final = f"{ROAD}/direccion"
_OFFERED: Final = 100
"""Tournaments of the house that a form offers, the latest ones."""


@blp.get("/caminos/nuevo")
@guard.requires("tournaments:run")
def show_opening_form() -> Response:
    """What a road is to be like"""
    return _opening_page({}, [], 200)


@blp.post("/caminos/nuevo")
@guard.requires("tournaments:run")
def open_road() -> AnyResponse:
    """A road is opened"""

    def write() -> Answer:
        return open_from_body(forms.load_by_schema(RoadIn, opening_in_form()), forms.meta_of_form())

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _opening_page(forms.form_values(), wrong, status)
    return redirect(f"{prefix()}/caminos/{answer.id}/direccion?wait={answer.position}", 303)


def _opening_page(typed: dict[str, str], wrong: FieldErrors, status: int) -> Response:
    tournaments = tournament_views.tournament_list_page("", _OFFERED).items
    return page(
        "roads/desk/new.html",
        typed=typed,
        wrong=wrong,
        key=new_form_key(),
        tournaments=[one for one in tournaments if one.stage not in ("over", "cancelled")],
        most=MOST_PLACES,
        status=status,
    )


@blp.get(DESK)
@guard.requires("tournaments:run")
def show_desk(road_id: UUID) -> Response:
    """Lists to take, who renounces, invitations, qualifiers, the pairs of the final"""
    await_position_in_request()
    return _desk_page(road_id, [], 200)


@blp.post(DESK)
@guard.requires("tournaments:run")
def do_desk_act(road_id: UUID) -> AnyResponse:
    """Whatever a form of the desk asks for; first its consequences, where it has some"""
    if forms.form_value("kind") in ASKS and forms.form_value("sure") != "yes":
        return _confirmation_page(road_id)

    def write() -> Answer:
        return record_acts(
            road_id, acts_in_form(), forms.meta_of_form(), forms.version_of_form("version")
        )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _desk_page(road_id, wrong, status)
    return redirect(f"{prefix()}/caminos/{road_id}/direccion?wait={answer.position}", 303)


def _confirmation_page(road_id: UUID) -> Response:
    """Who would lose a place and who would gain one, and the form once more to be confirmed."""
    state = state_of(road_id)
    trusted = state.keys

    def compute_preview() -> tuple[RoadPreviewData, CheckedList | None]:
        checked = list_in_form_or_none()
        key = _list_key_to_trust(checked, trusted)
        trust = [KINDS.act_of_form_values("key_trust", {"key": key})] if key else []
        return road_preview(road_id, [*trust, *acts_in_form()]), checked

    told, wrong, status = attempt_write(compute_preview)
    if told is None:
        return _desk_page(road_id, wrong, status)
    asked, checked = told
    same = request.form.getlist("same")
    names = checked and name_matcher_of_list(state, forms.form_value("qualifier"), checked, same)
    kept = [(name, value) for name, value in request.form.items(multi=True) if name != "sure"]
    if checked is not None and request.files:
        kept.append(("file", list_text_in_form()))
    return render_road_page(
        "roads/desk/preview.html",
        RoadDisplay(asked.road),
        told=asked,
        kept=kept,
        kind=forms.form_value("kind"),
        signed=checked and checked.signed,
        namesakes=names.namesakes_taken_as_new() if names else [],
        new_key=_list_key_to_trust(checked, trusted),
    )


def _list_key_to_trust(checked: CheckedList | None, trusted: tuple[str, ...]) -> str:
    """The key of a list that the organiser has still to compare; empty if there is none."""
    key = "" if checked is None else checked.key.text
    return "" if key in trusted else key


def state_of(road_id: UUID) -> Road:
    """A road as it stands now.

    :raises NotFound: there is none
    """
    return current_services().referee.roads.road(road_id)


def _desk_page(road_id: UUID, wrong: FieldErrors, status: int) -> Response:
    """The desk in its current state; after a refusal with the faults."""
    await_end_of_log()
    state, display = state_of(road_id), display_of(road_id)
    changes = pair_changes_in_final(state)
    known = {display.view.final, *(one.tournament for one in state.qualifiers.values())}
    tournaments = tournament_views.tournament_list_page("", _OFFERED).items
    made = render_road_page(
        "roads/desk/desk.html",
        display,
        wrong=wrong,
        key=new_form_key(),
        come=len(changes.come),
        go=len(changes.go),
        tournaments=[one for one in tournaments if one.id not in known],
        of_pair=current_services()
        .referee.tournaments.tournament(UUID(display.view.final))
        .players_per_pair,
    )
    made.status_code = status
    return made
