"""Pages of an encuentro and of its partidas, for the arbiter."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

import msgspec
from flask import (
    Blueprint,
    Response,
)
from msgspec.structs import asdict

from api.audit import trail
from api.audit.trail import TrailEntryData
from api.encuentros import views
from api.encuentros.views import ListedEncuentroData, NamedEncuentroData
from api.encuentros.words import NameOfAct, act_in_words, act_names_in, conclusion_in_words
from api.html.forms import FieldErrors, new_key
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language, say
from api.http.services import await_position
from api.profiles import findings
from api.profiles.words import options_by_group, rows_of_frozen
from referee import events
from referee.events import SeatName
from referee.kinds import partida_id
from referee.rules.seats import SEATS, side_of

blp = Blueprint("encuentros", __name__)


@blp.get("/e/<uuid:encuentro_id>")
@guard.requires("read")
def encuentro(encuentro_id: UUID) -> Response:
    """An encuentro: seats, standing, partidas."""
    return encuentro_page(encuentro_id)


def encuentro_page(
    encuentro_id: UUID, wrong: FieldErrors | None = None, status: int = 200
) -> Response:
    """The page of an encuentro; ``wrong``: faults of the form that enters its result."""
    await_position()
    view = views.encuentro(encuentro_id)
    seats = seats_of(view)
    return page(
        "encuentros/encuentro.html",
        view=view,
        seats=seats,
        sides=sides_of(seats, view.players),
        warnings=views.warnings(encuentro_id),
        wrong=wrong or [],
        key=new_key(),
        status=status,
    )


@blp.get("/e/<uuid:encuentro_id>/p/<int(min=1,max=9999):n>")
@guard.requires("read")
def partida(encuentro_id: UUID, n: int) -> Response:
    """A partida: score, tricks, findings, record."""
    view, match = views.partida(encuentro_id, n), views.encuentro(encuentro_id)
    called = act_names_in(encuentro_id, n)
    return page(
        "encuentros/partida.html",
        view=view,
        match=match,
        sides=sides_of(seats_of(match), view.players),
        findings=findings.findings_in_words(view.findings, encuentro_id),
        conclusions=[conclusion_in_words(one, language()) for one in view.conclusions],
        log=[_entry(one, called) for one in trail.log(partida_id(encuentro_id, n))],
        called=called,
    )


def seats_of(view: NamedEncuentroData | ListedEncuentroData) -> dict[SeatName, str]:
    """Name at each seat, in order of play."""
    seated = view.seats
    places = [seat for seat in SEATS[view.players] if seat in seated]
    return {seat: view.names.get(seated[seat], "") for seat in places}


def sides_of(seats: Mapping[SeatName, str | None], players: int) -> dict[str, list[str]]:
    """Names of each side; a seat at which nobody sits by its code."""
    found: dict[str, list[str]] = {}
    for seat in SEATS[players]:
        name = seats.get(seat) or (say("grammar.nameless", language()) if seat in seats else seat)
        found.setdefault(side_of(seat), []).append(name)
    return found


def _entry(one: TrailEntryData, called: NameOfAct) -> dict[str, object]:
    """A line of the log in words."""
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
def rules_in_force(encuentro_id: UUID) -> Response:
    """The profile of an encuentro, as it was when the encuentro was opened."""
    view = views.encuentro(encuentro_id)
    frozen = msgspec.convert(msgspec.to_builtins(view.profile), events.FrozenProfile)
    return page(
        "profiles/profile.html",
        view={"id": frozen.id, "edition": frozen.edition, "title": "", "base": frozen.base},
        groups=options_by_group(rows_of_frozen(frozen, language())),
        encuentro=encuentro_id,
        players=view.players,
    )
