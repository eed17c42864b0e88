"""The organiser's desk of a road; an act that moves places shows first what follows."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt, new_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import await_log, await_position, current_services
from api.roads.acts import KINDS, names_of_list
from api.roads.display import RoadDisplay
from api.roads.forms import ASKS, acts_in_form, file_in_form, list_in_form, opening
from api.roads.pages import ROAD, display_of, road_page
from api.roads.previews import RoadPreviewData, preview
from api.roads.rest import open_from_body, record_asked
from api.roads.schemas import RoadIn
from api.tournaments import views as tournament_views
from referee.aggregates.road import MOST_PLACES, Road, final_changes
from referee.audit.lists import CheckedList
from referee.log.streams import Answer

blp = Blueprint("road_desk", __name__)
DESK: Final = f"{ROAD}/direccion"
_OFFERED: Final = 100
"""Tournaments of the house that a form offers, the latest ones."""


@blp.get("/caminos/nuevo")
@guard.requires("tournaments:run")
def ask() -> Response:
    """What a road is to be like"""
    return _opening({}, [], 200)


@blp.post("/caminos/nuevo")
@guard.requires("tournaments:run")
def open_road() -> AnyResponse:
    """A road is opened"""

    def write() -> Answer:
        return open_from_body(forms.load_form(RoadIn, opening()), forms.meta_of_form())

    answer, wrong, status = attempt(write)
    if answer is None:
        return _opening(forms.form_values(), wrong, status)
    return redirect(f"{prefix()}/caminos/{answer.id}/direccion?wait={answer.position}", 303)


def _opening(typed: dict[str, str], wrong: FieldErrors, status: int) -> Response:
    tournaments = tournament_views.tournaments("", _OFFERED).items
    return page(
        "roads/desk/new.html",
        typed=typed,
        wrong=wrong,
        key=new_key(),
        tournaments=[one for one in tournaments if one.stage not in ("over", "cancelled")],
        most=MOST_PLACES,
        status=status,
    )


@blp.get(DESK)
@guard.requires("tournaments:run")
def desk(road_id: UUID) -> Response:
    """Lists to take, who renounces, invitations, qualifiers, the pairs of the final"""
    await_position()
    return _desk_page(road_id, [], 200)


@blp.post(DESK)
@guard.requires("tournaments:run")
def do(road_id: UUID) -> AnyResponse:
    """Whatever a form of the desk asks for; first its consequences, where it has some"""
    if forms.form_value("kind") in ASKS and forms.form_value("sure") != "yes":
        return _ask(road_id)

    def write() -> Answer:
        return record_asked(
            road_id, acts_in_form(), forms.meta_of_form(), forms.version_of("version")
        )

    answer, wrong, status = attempt(write)
    if answer is None:
        return _desk_page(road_id, wrong, status)
    return redirect(f"{prefix()}/caminos/{road_id}/direccion?wait={answer.position}", 303)


def _ask(road_id: UUID) -> Response:
    """Who would lose a place and who would gain one, and the form once more to be confirmed."""
    state = state_of(road_id)
    trusted = state.keys

    def look() -> tuple[RoadPreviewData, CheckedList | None]:
        checked = list_in_form()
        key = _new_key(checked, trusted)
        trust = [KINDS.of_form("key_trust", {"key": key})] if key else []
        return preview(road_id, [*trust, *acts_in_form()]), checked

    told, wrong, status = attempt(look)
    if told is None:
        return _desk_page(road_id, wrong, status)
    asked, checked = told
    same = request.form.getlist("same")
    names = checked and names_of_list(state, forms.form_value("qualifier"), checked, same)
    kept = [(name, value) for name, value in request.form.items(multi=True) if name != "sure"]
    if checked is not None and request.files:
        kept.append(("file", file_in_form()))
    return road_page(
        "roads/desk/preview.html",
        RoadDisplay(asked.road),
        told=asked,
        kept=kept,
        kind=forms.form_value("kind"),
        signed=checked and checked.signed,
        namesakes=names.namesakes() if names else [],
        new_key=_new_key(checked, trusted),
    )


def _new_key(checked: CheckedList | None, trusted: tuple[str, ...]) -> str:
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
    await_log()
    state, display = state_of(road_id), display_of(road_id)
    changes = final_changes(state)
    known = {display.view.final, *(one.tournament for one in state.qualifiers.values())}
    tournaments = tournament_views.tournaments("", _OFFERED).items
    made = road_page(
        "roads/desk/desk.html",
        display,
        wrong=wrong,
        key=new_key(),
        come=len(changes.come),
        go=len(changes.go),
        tournaments=[one for one in tournaments if one.id not in known],
        of_pair=current_services()
        .referee.tournaments.tournament(UUID(display.view.final))
        .players_of_pair,
    )
    made.status_code = status
    return made
