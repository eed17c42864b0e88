"""Pages of an encuentro and of its partidas, for the arbiter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from flask import (
    Blueprint,
    Flask,
    Response,
    g,
    request,
)
from msgspec.structs import asdict

from api.audit import trail
from api.audit.trail import TrailEntryData
from api.encuentros import views
from api.encuentros.views import ListedEncuentroData, NamedEncuentroData
from api.encuentros.words import NameOfAct, act_in_words, conclusion_in_words, namer_of_stored_acts
from api.html.forms import FieldErrors, new_form_key
from api.html.pages import page
from api.html.ways import link_to_page, may_open
from api.http import moments
from api.http.access import guard
from api.http.languages import language, say, texts_of_language
from api.http.services import await_position_in_request, current_services
from api.profiles import findings
from api.profiles.words import frozen_option_rows, group_option_rows
from projections.scores.projection import find_encuentro_view
from projections.seasons.projection import find_session_view
from projections.tournaments.projection import find_tournament_view
from referee import events
from referee.events import SeatName
from referee.kinds import partida_id
from referee.rules.seats import SEATS, side_of

_OF_AN_ENCUENTRO: Final = ("/e/", "/repeticion/")
"""Where the pages of an encuentro begin."""


class Crumb(NamedTuple):
    """A breadcrumb.

    The address of a page above the page shown, and its name in the language of the reader.
    """

    path: str
    text: str


def add_crumbs_to_templates(app: Flask) -> None:
    """Make the breadcrumbs of an encuentro known to the templates of an application."""
    app.add_template_global(encuentro_crumbs_of_request)


def encuentro_crumbs_of_request() -> tuple[Crumb, ...]:
    """Breadcrumbs above the page of this request, if it is one of an encuentro.

    The list and the page of its evening or tournament.

    Empty on any other page, if it belongs to none, and if the reader may not open that page.
    """
    about = (request.view_args or {}).get("encuentro_id")
    if about is None or not request.path.startswith(_OF_AN_ENCUENTRO):
        return ()
    found = _crumbs_of_encuentro(about)
    actor = getattr(g, "actor", None)
    return found if all(may_open(actor, one.path) for one in found) else ()


def _crumbs_of_encuentro(encuentro_id: UUID) -> tuple[Crumb, ...]:
    here, lang = current_services(), language()
    with here.reads.reading() as rows:
        view = find_encuentro_view(rows, encuentro_id)
        if view is None or not view.held_in:
            return ()
        held = UUID(view.held_in)
        evening, tournament = find_session_view(rows, held), find_tournament_view(rows, held)
    if evening is not None:
        day = moments.day_words(evening.date, texts_of_language(lang))
        return _list_and_page_crumbs("sessions", held, f"{say('season.session', lang)} {day}")
    if tournament is not None:
        name = here.persons.text_by_id(msgspec.json.decode(tournament["name"], type=str))
        return _list_and_page_crumbs("tournaments", held, name or "\u2013")
    return ()


def _list_and_page_crumbs(kind: str, held: UUID, name: str) -> tuple[Crumb, ...]:
    """Breadcrumbs to a list of evenings or tournaments, and to one in it."""
    listed = link_to_page(kind).path
    return Crumb(listed, say(f"way.{kind}", language())), Crumb(f"{listed}{held}", name)


blp = Blueprint("encuentros", __name__)


@blp.get("/e/<uuid:encuentro_id>")
@guard.requires("read")
def show_encuentro_page(encuentro_id: UUID) -> Response:
    """The page of an encuentro: seats, standing, partidas."""
    return encuentro_page(encuentro_id)


def encuentro_page(
    encuentro_id: UUID, wrong: FieldErrors | None = None, status: int = 200
) -> Response:
    """The page of an encuentro; ``wrong``: faults of the form that enters its result."""
    await_position_in_request()
    view = views.official_encuentro_view(encuentro_id)
    seats = names_by_seat(view)
    return page(
        "encuentros/encuentro.html",
        view=view,
        seats=seats,
        sides=names_by_side(seats, view.players),
        warnings=views.encuentro_warnings_by_side(encuentro_id),
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )


@blp.get("/e/<uuid:encuentro_id>/p/<int(min=1,max=9999):n>")
@guard.requires("read")
def show_partida_page(encuentro_id: UUID, n: int) -> Response:
    """The page of a partida: score, tricks, findings, record."""
    view, match = (
        views.official_partida_view(encuentro_id, n),
        views.official_encuentro_view(encuentro_id),
    )
    called = namer_of_stored_acts(encuentro_id, n)
    return page(
        "encuentros/partida.html",
        view=view,
        match=match,
        sides=names_by_side(names_by_seat(match), view.players),
        findings=findings.findings_with_text_and_article(view.findings, encuentro_id),
        conclusions=[conclusion_in_words(one, language()) for one in view.conclusions],
        log=[
            _trail_entry_with_words(one, called)
            for one in trail.complete_trail(partida_id(encuentro_id, n))
        ],
        called=called,
    )


def names_by_seat(view: NamedEncuentroData | ListedEncuentroData) -> dict[SeatName, str]:
    """Name at each seat, in order of play."""
    seated = view.seats
    places = [seat for seat in SEATS[view.players] if seat in seated]
    return {seat: view.names.get(seated[seat], "") for seat in places}


def names_by_side(seats: Mapping[SeatName, str | None], players: int) -> dict[str, list[str]]:
    """Names of each side; a seat at which nobody sits by its code."""
    found: dict[str, list[str]] = {}
    for seat in SEATS[players]:
        name = seats.get(seat) or (say("grammar.nameless", language()) if seat in seats else seat)
        found.setdefault(side_of(seat), []).append(name)
    return found


def _trail_entry_with_words(one: TrailEntryData, called: NameOfAct) -> dict[str, object]:
    """An entry of the trail as a dict, with the words of its act if it is one."""
    struct = getattr(events, one.event.partition(".")[0], None)
    if struct is None:
        return {**asdict(one), "words": one.event, "is_act": False}
    is_act = issubclass(struct, events.Act)
    if not is_act:
        return {**asdict(one), "words": "", "is_act": False}
    fact = {**one.fact, "kind": struct.__struct_config__.tag}
    words = act_in_words(fact, language(), one.texts.get, called)
    return {**asdict(one), "words": words, "is_act": True}


@blp.get("/e/<uuid:encuentro_id>/reglas")
@guard.requires("read")
def show_rules_page(encuentro_id: UUID) -> Response:
    """The page of the profile of an encuentro, as it was when the encuentro was opened."""
    view = views.official_encuentro_view(encuentro_id)
    frozen = msgspec.convert(msgspec.to_builtins(view.profile), events.FrozenProfile)
    return page(
        "profiles/profile.html",
        view={"id": frozen.id, "edition": frozen.edition, "title": "", "base": frozen.base},
        groups=group_option_rows(frozen_option_rows(frozen, language())),
        encuentro=encuentro_id,
        players=view.players,
    )
