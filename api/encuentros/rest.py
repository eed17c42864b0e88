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
from api.encuentros.views import running_encuentros_of_persons
from api.http import answers, people, rest
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.problems import Problem
from api.http.rest import (
    Noun,
    Page,
    answer_header_schemas,
    encuentro_api_address,
    official_view_response,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.rows import id_text_or_problem
from api.http.services import (
    NOT_STORED,
    await_end_of_log,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.previews.previews import preview_answer
from api.previews.shapes import Previewed
from api.profiles.rest import frozen_profile_of_request
from referee import events as ev
from referee.errors import NotFound, Refused
from referee.rules.articles import Rule
from referee.rules.seats import SEATS

blp = Noun("encuentros", __name__, url_prefix="/api/v1/encuentros", description="Encuentros")
_WRITE = answer_header_schemas(tag=True, replayed=True)


def _record_act(encuentro_id: UUID, act: ev.EncuentroAct) -> Any:
    return current_services().referee.encuentros.record_encuentro_act(
        encuentro_id, act, metadata_of_request(), g.expected_version
    )


@blp.route("", methods=["POST"])
@guard.requires("encuentros:open")
@takes_headers_and_query(key=True)
@blp.arguments(EncuentroIn)
@blp.response(201, Opened, headers=_WRITE)
def open_encuentro(body: Body) -> Response:
    """Open an encuentro under a profile, which is frozen with it"""
    profile = frozen_profile_of_request(body)
    seats = body["seats"]
    places = SEATS[ev.options_from(profile.options).players]
    if seats and set(seats) != set(places):
        raise Refused(Rule.SEATS_INCOMPLETE, seats=places)
    if body["unless_playing"]:
        _refuse_if_playing_together(body)
    with pending_texts() as put:
        place, day = put.add_text(body.get("place", "")), body.get("date", "")
        opened = ev.EncuentroOpened(
            profile, place, day, require_session_or_tournament(body.get("held_in"))
        )
        answer = put.erase_if_replayed(
            current_services().referee.encuentros.open(opened, metadata_of_request())
        )
    if seats:
        with pending_texts() as put:
            seated = ev.PlayersSeated(people.ids_of_persons("seats", seats, put))
            answer = put.erase_if_replayed(
                current_services().referee.encuentros.record_encuentro_act(
                    answer.id, seated, metadata_of_request(part="seats")
                )
            )
    return response_to_write(answer, 201, location=encuentro_api_address(answer.id))


def _refuse_if_playing_together(body: Body) -> None:
    """Refuse a table of players who play together now; not one that this request opened.

    :raises Problem: they do
    """
    persons = [one.get("person", "") for one in body["seats"].values()]
    if current_services().referee.answer_to(metadata_of_request()) is None:
        await_end_of_log()
        if found := running_encuentros_of_persons(persons, body.get("date", "")):
            raise Problem("already_playing", facts={"encuentros": found})


@blp.route("")
@guard.requires("read")
@guard.admits_bound_users
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(views.EncuentroPageData))
def list_encuentros(query: Body) -> Response:
    """All encuentros, the latest first"""
    await_position_in_request()
    return reply(
        views.encuentro_list_page(query.get("cursor", ""), query["limit"], g.actor.encuentro)
    )


@blp.route("/<uuid:encuentro_id>")
@guard.requires("read")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200,
    register_answer_schema(views.OfficialEncuentroData),
    headers=answer_header_schemas(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_encuentro(encuentro_id: UUID) -> Response:
    """The official view of an encuentro"""
    await_position_in_request()
    return official_view_response(views.official_encuentro_view(encuentro_id))


@blp.route("/<uuid:encuentro_id>/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(trail.TrailPageData))
def show_encuentro_trail(query: Body, encuentro_id: UUID) -> Response:
    """Who recorded what of the encuentro itself, when and on which device"""
    await_position_in_request()
    return reply(
        trail.trail_entries_from_cursor(encuentro_id, query.get("cursor", ""), query["limit"])
    )


@blp.route("/<uuid:encuentro_id>/seats", methods=["POST"])
@guard.requires("encuentros:seat")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(SeatsIn)
@blp.response(200, answers.Written, headers=_WRITE)
def seat_players(body: Body, encuentro_id: UUID) -> Response:
    """Seat the players"""
    with pending_texts() as put:
        seated = ev.PlayersSeated(people.ids_of_persons("seats", body["seats"], put))
        answer = put.erase_if_replayed(_record_act(encuentro_id, seated))
    return response_to_write(answer)


@blp.route("/<uuid:encuentro_id>/substitutions", methods=["POST"])
@guard.requires("encuentros:seat")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(SubstitutionIn)
@blp.response(200, answers.Written, headers=_WRITE)
def substitute(body: Body, encuentro_id: UUID) -> Response:
    """Another person takes a seat"""
    with pending_texts() as put:
        act = ev.PlayerSubstituted(
            body["seat"],
            put.add_person(body["name"]),
            body["partida"],
            body["line"],
            put.add_text(body.get("because", "")),
        )
        answer = put.erase_if_replayed(_record_act(encuentro_id, act))
    return response_to_write(answer)


@blp.route("/<uuid:encuentro_id>/rulings", methods=["POST"])
@guard.requires("rulings:give")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(EncuentroRulingIn)
@blp.response(200, answers.Written, headers=_WRITE)
def rule_on_encuentro(body: Body, encuentro_id: UUID) -> Response:
    """The arbiter decides the encuentro itself"""
    with pending_texts() as put:
        act = ev.EncuentroRuled(body["winner"], put.add_text(body["because"]))
        answer = put.erase_if_replayed(_record_act(encuentro_id, act))
    return response_to_write(answer)


@blp.route("/<uuid:encuentro_id>/rulings/preview", methods=["POST"])
@guard.requires("rulings:give")
@blp.arguments(EncuentroRulingIn)
@blp.response(200, Previewed)
def preview_ruling(body: Body, encuentro_id: UUID) -> Response:
    """What a ruling on the encuentro itself would change; nothing is recorded"""
    act = ev.EncuentroRuled(body["winner"], NOT_STORED)
    return preview_answer(
        current_services().referee.encuentros.preview_encuentro_act(encuentro_id, act), encuentro_id
    )


@blp.route("/<uuid:encuentro_id>/draws", methods=["POST"])
@guard.requires("encuentros:seat")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(DrawIn)
@blp.response(200, DrawnLots, headers=_WRITE)
def record_seat_draw(body: Body, encuentro_id: UUID) -> Response:
    """Draw for players, partners or dealer: cards as they fell, or drawn by the program"""
    with pending_texts() as put:
        act = drawing.draw_act_of_body(body, encuentro_id, put)
        answer = put.erase_if_replayed(_record_act(encuentro_id, act))
    return response_to_write(answer, **asdict(drawing.draw_view_of_answer(answer)))


@blp.route("/<uuid:encuentro_id>/partidas", methods=["POST"])
@guard.requires("acts:record")
@takes_headers_and_query(key=True, match=True)
@blp.response(201, Opened, headers=_WRITE)
def start_partida(encuentro_id: UUID) -> Response:
    """Begin the next partida"""
    rest.refuse_body()
    answer = current_services().referee.encuentros.start_partida(
        encuentro_id, metadata_of_request(), g.expected_version
    )
    number = next(r.event.number for r in answer.events if isinstance(r.event, ev.PartidaStarted))
    return response_to_write(
        answer, 201, location=encuentro_api_address(encuentro_id, number), number=number
    )


def require_session_or_tournament(held_in: UUID | None) -> str:
    """Id, as text, of an evening or a tournament, once it is known that there is one.

    Empty for None, and refused if it does not exist.

    :raises Problem: there is neither
    """
    if held_in is None:
        return ""

    def read_session_or_tournament(event_id: UUID) -> object:
        try:
            return current_services().referee.seasons.session(event_id)
        except NotFound:
            return current_services().referee.tournaments.tournament(event_id)

    return id_text_or_problem(
        held_in, {"held_in": [FieldFault("no_such_held_in")]}, read_session_or_tournament
    )
