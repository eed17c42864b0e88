"""Encuentros: opened, seated, drawn, ruled; and their partidas begun."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response, g
from msgspec.structs import asdict

from api.audit import trail
from api.encuentros import drawing, views
from api.encuentros.schemas import (
    DrawIn,
    DrawnLots,
    EncuentroIn,
    EncuentroRulingIn,
    Opened,
    SeatsIn,
    SubstitutionIn,
)
from api.encuentros.views import already_playing
from api.http import answers, people, rest
from api.http.access import guard
from api.http.answers import schema_of
from api.http.bodies import Body
from api.http.faults import FieldFault
from api.http.problems import Problem
from api.http.rest import (
    Noun,
    Page,
    address,
    headers_of,
    official_view,
    reply,
    wants,
    write_answer,
)
from api.http.rows import require_id
from api.http.services import (
    NOT_STORED,
    await_log,
    await_position,
    current_services,
    meta,
    pending_texts,
)
from api.previews.previews import preview_answer
from api.previews.shapes import Previewed
from api.profiles.rest import frozen_profile_of
from referee import events as ev
from referee.errors import NotFound, Refused
from referee.rules.articles import Rule
from referee.rules.seats import SEATS

blp = Noun("encuentros", __name__, url_prefix="/api/v1/encuentros", description="Encuentros")
_WRITE = headers_of(tag=True, replayed=True)


def _note(encuentro_id: UUID, act: ev.EncuentroAct) -> Any:
    return current_services().referee.encuentros.note(encuentro_id, act, meta(), g.expected_version)


@blp.route("", methods=["POST"])
@guard.requires("encuentros:open")
@wants(key=True)
@blp.arguments(EncuentroIn)
@blp.response(201, Opened, headers=_WRITE)
def open_encuentro(body: Body) -> Response:
    """Open an encuentro under a profile, which is frozen with it"""
    profile = frozen_profile_of(body)
    seats = body["seats"]
    places = SEATS[ev.options_from(profile.options).players]
    if seats and set(seats) != set(places):
        raise Refused(Rule.SEATS_INCOMPLETE, seats=places)
    if body["unless_playing"]:
        _refuse_playing(body)
    with pending_texts() as put:
        place, day = put.text(body.get("place", "")), body.get("date", "")
        opened = ev.EncuentroOpened(profile, place, day, require_event(body.get("held_in")))
        answer = put.settle(current_services().referee.encuentros.open(opened, meta()))
    if seats:
        with pending_texts() as put:
            seated = ev.PlayersSeated(people.persons("seats", seats, put))
            answer = put.settle(
                current_services().referee.encuentros.note(answer.id, seated, meta(part="seats"))
            )
    return write_answer(answer, 201, location=address(answer.id))


def _refuse_playing(body: Body) -> None:
    """Refuse a table whose players already play together; not one that was opened by this request.

    :raises Problem: they do
    """
    persons = [one.get("person", "") for one in body["seats"].values()]
    if current_services().referee.answer_to(meta()) is None:
        await_log()
        if found := already_playing(persons, body.get("date", "")):
            raise Problem("already_playing", facts={"encuentros": found})


@blp.route("")
@guard.requires("read")
@guard.at_any_table
@wants(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, schema_of(views.EncuentroPageData))
def list_encuentros(query: Body) -> Response:
    """All encuentros, the latest first"""
    await_position()
    return reply(views.encuentros(query.get("cursor", ""), query["limit"], g.actor.encuentro))


@blp.route("/<uuid:encuentro_id>")
@guard.requires("read")
@wants(tag=True, wait=True)
@blp.response(200, schema_of(views.OfficialEncuentroData), headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show(encuentro_id: UUID) -> Response:
    """The official view of an encuentro"""
    await_position()
    return official_view(views.encuentro(encuentro_id))


@blp.route("/<uuid:encuentro_id>/audit")
@guard.requires("audit:read")
@wants(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, schema_of(trail.TrailPageData))
def audit(query: Body, encuentro_id: UUID) -> Response:
    """Who recorded what of the encuentro itself, when and on which device"""
    await_position()
    return reply(trail.audit(encuentro_id, query.get("cursor", ""), query["limit"]))


@blp.route("/<uuid:encuentro_id>/seats", methods=["POST"])
@guard.requires("encuentros:seat")
@wants(key=True, match=True)
@blp.arguments(SeatsIn)
@blp.response(200, answers.Written, headers=_WRITE)
def seat(body: Body, encuentro_id: UUID) -> Response:
    """Seat the players"""
    with pending_texts() as put:
        seated = ev.PlayersSeated(people.persons("seats", body["seats"], put))
        answer = put.settle(_note(encuentro_id, seated))
    return write_answer(answer)


@blp.route("/<uuid:encuentro_id>/substitutions", methods=["POST"])
@guard.requires("encuentros:seat")
@wants(key=True, match=True)
@blp.arguments(SubstitutionIn)
@blp.response(200, answers.Written, headers=_WRITE)
def substitute(body: Body, encuentro_id: UUID) -> Response:
    """Another person takes a seat"""
    with pending_texts() as put:
        act = ev.PlayerSubstituted(
            body["seat"],
            put.person(body["name"]),
            body["partida"],
            body["line"],
            put.text(body.get("because", "")),
        )
        answer = put.settle(_note(encuentro_id, act))
    return write_answer(answer)


@blp.route("/<uuid:encuentro_id>/rulings", methods=["POST"])
@guard.requires("rulings:give")
@wants(key=True, match=True)
@blp.arguments(EncuentroRulingIn)
@blp.response(200, answers.Written, headers=_WRITE)
def rule(body: Body, encuentro_id: UUID) -> Response:
    """The arbiter decides the encuentro itself"""
    with pending_texts() as put:
        act = ev.EncuentroRuled(body["winner"], put.text(body["because"]))
        answer = put.settle(_note(encuentro_id, act))
    return write_answer(answer)


@blp.route("/<uuid:encuentro_id>/rulings/preview", methods=["POST"])
@guard.requires("rulings:give")
@blp.arguments(EncuentroRulingIn)
@blp.response(200, Previewed)
def preview_ruling(body: Body, encuentro_id: UUID) -> Response:
    """What a ruling on the encuentro itself would change; nothing is recorded"""
    act = ev.EncuentroRuled(body["winner"], NOT_STORED)
    return preview_answer(
        current_services().referee.encuentros.preview_note(encuentro_id, act), encuentro_id
    )


@blp.route("/<uuid:encuentro_id>/draws", methods=["POST"])
@guard.requires("encuentros:seat")
@wants(key=True, match=True)
@blp.arguments(DrawIn)
@blp.response(200, DrawnLots, headers=_WRITE)
def draw(body: Body, encuentro_id: UUID) -> Response:
    """Draw for players, partners or dealer: cards as they fell, or drawn by the program"""
    with pending_texts() as put:
        act = drawing.draw_made(body, encuentro_id, put)
        answer = put.settle(_note(encuentro_id, act))
    return write_answer(answer, **asdict(drawing.view(answer)))


@blp.route("/<uuid:encuentro_id>/partidas", methods=["POST"])
@guard.requires("acts:record")
@wants(key=True, match=True)
@blp.response(201, Opened, headers=_WRITE)
def start_partida(encuentro_id: UUID) -> Response:
    """Begin the next partida"""
    rest.no_body()
    answer = current_services().referee.encuentros.start_partida(
        encuentro_id, meta(), g.expected_version
    )
    number = next(r.event.number for r in answer.events if isinstance(r.event, ev.PartidaStarted))
    return write_answer(answer, 201, location=address(encuentro_id, number), number=number)


def require_event(held_in: UUID | None) -> str:
    """Id of a session or tournament that is there; empty of none.

    :raises Problem: there is neither
    """
    if held_in is None:
        return ""

    def ask(event_id: UUID) -> object:
        try:
            return current_services().referee.seasons.session(event_id)
        except NotFound:
            return current_services().referee.tournaments.tournament(event_id)

    return require_id(held_in, {"held_in": [FieldFault("no_such_held_in")]}, ask)
