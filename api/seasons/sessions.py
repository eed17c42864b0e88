"""Sessions: evenings of the club, who is there, who plays whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response, g

from api.http import answers, rest
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.rest import (
    Noun,
    answer_header_schemas,
    official_view_response,
    reply,
    response_to_write,
    takes_headers_and_query,
)
from api.http.rows import id_text_or_problem
from api.http.services import (
    PendingTexts,
    Services,
    await_end_of_log,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
    refuse_text_with_names,
)
from api.profiles.rest import frozen_profile_of_request
from api.seasons import evening, schemas
from api.seasons import views as season_views
from api.seasons.arrivals import build_arrivals_of_body
from api.seasons.rules import body_with_rules
from referee import events as ev
from referee.aggregates.session import (
    PLAYERS_OF_PAIRS,
    Session,
    draw_by_fewest_meetings,
    draw_by_seed,
    draw_by_strength,
    players_per_table,
)
from referee.errors import Refused
from referee.log.streams import Answer, WriteMetadata
from referee.rules.articles import Rule

blp = Noun("sessions", __name__, url_prefix="/api/v1/sessions", description="Sessions")
USUAL_PLAYERS = PLAYERS_OF_PAIRS
"""Players of a table where nothing else is known."""
_WRITE = answer_header_schemas(tag=True, replayed=True)


def _record_acts_of_request(
    session_id: UUID, acts: Sequence[ev.SessionAct], enrolled: Sequence[ev.ClubAct] = ()
) -> Answer:
    return current_services().referee.seasons.record_session_acts(
        session_id, acts, metadata_of_request(), g.expected_version, enrolled
    )


def require_season(season_id: UUID | None) -> str:
    """Id of an existing season; empty if none is given.

    :raises Problem: there is no such season
    """
    if season_id is None:
        return ""
    no_such = {"season": [FieldFault("no_such_season")]}
    return id_text_or_problem(season_id, no_such, current_services().referee.seasons.season)


def _session_terms(
    body: Body, put: PendingTexts
) -> tuple[str, ev.FrozenProfile, ev.TextId, ev.TextId, str, int]:
    """How an evening is held: day, profile, name, place, season, number of tables."""
    return (
        body["date"],
        frozen_profile_of_request(body_with_rules(body)),
        put.add_text(body.get("name", "")),
        put.add_text(body.get("place", "")),
        require_season(body.get("season")),
        body["tables"],
    )


def open_session_from_body(
    body: Body, asked: WriteMetadata, session_id: UUID | None = None
) -> Answer:
    """Open an evening as a request asks, with its players; its id may be given.

    ``asked``: metadata of the request; later writes have a key derived from its key.
    """
    with pending_texts() as put:
        act = ev.SessionOpened(*_session_terms(body, put), body["of"])
        answer = put.erase_if_replayed(
            current_services().referee.seasons.open_session(act, asked, session_id)
        )
    if body["present"] or body["pairs"]:
        with pending_texts() as put:
            came = build_arrivals_of_body(body, put, "present")
            there = current_services().referee.seasons.record_session_acts(
                answer.id,
                came.acts,
                metadata_of_partial_write(asked, "present"),
                enrolled=came.enrolled,
            )
            answer = put.erase_if_replayed(there)
    return answer


def metadata_of_partial_write(asked: WriteMetadata, part: str) -> WriteMetadata:
    """Metadata of one of several writes of a request, with its own key."""
    return replace(asked, key=f"{asked.key} {part}")


def draw_if_possible(session_id: UUID, asked: WriteMetadata) -> None:
    """Draw the tables of an evening by the usual method, if enough are present for one."""
    here = current_services()
    state = here.referee.seasons.session(session_id)
    if not number_of_missing_persons(state):
        drawn = table_draw(here, state, {"method": usual_draw_method(state)})
        here.referee.seasons.record_session_acts(session_id, [drawn], asked)


def usual_draw_method(state: Session) -> ev.DrawMethod:
    """How tables are drawn where nothing is said: by rotation again, else by a seed."""
    return "rotation" if state.draws and state.draws[-1].method == "rotation" else "seed"


def number_of_missing_persons(state: Session) -> int:
    """How many persons are missing for one table; 0 if there are enough."""
    return max(0, players_per_table(state) - len(state.present))


def table_draw(here: Services, state: Session, body: Body) -> ev.TablesDrawn:
    """The draw that a request asks for."""
    together: tuple[ev.DrawnSide, ...] = tuple(tuple(side) for side in body.get("together", ()))
    if kept := {one for side in together for one in side} - set(state.present):
        raise Refused(Rule.PLAYER_ABSENT, person=min(kept))
    rested = season_views.count_sit_outs_in_season(here, state)
    match body["method"]:
        case "seed" | "rotation" as method:
            refuse_text_with_names("seed", body.get("seed", ""))
            by_lot = draw_by_seed if method == "seed" else draw_by_fewest_meetings
            return by_lot(state, body.get("seed") or here.draw_seed(), together, rested)
        case "strength":
            strengths = season_views.strengths(here, state.present)
            return draw_by_strength(state, strengths, together, rested)
        case _:
            return ev.TablesDrawn("hand", tuple(_table_of_body(one) for one in body["tables"]))


def _table_of_body(one: dict[str, Any]) -> ev.DrawnTable:
    return ev.DrawnTable(one["number"], tuple(tuple(side) for side in one["sides"]))


@blp.route("")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.response(200, register_answer_schema(season_views.SessionListData))
def list_sessions() -> Response:
    """The latest sessions, the last day first"""
    await_position_in_request()
    return reply({"items": season_views.latest_sessions(), "next": None})


@blp.route("", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True)
@blp.arguments(schemas.SessionIn)
@blp.response(201, answers.Written, headers=_WRITE)
def open_session(body: Body) -> Response:
    """Open an evening, with those who are there already"""
    answer = open_session_from_body(body, metadata_of_request())
    return response_to_write(answer, 201, location=f"{prefix()}/api/v1/sessions/{answer.id}")


@blp.route("/<uuid:session_id>")
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200,
    register_answer_schema(season_views.WholeSessionData),
    headers=answer_header_schemas(tag=True),
)
@blp.alt_response(304, description="Not modified")
def show_session(session_id: UUID) -> Response:
    """An evening: who is there, its tables as drawn and as they play, its table of points"""
    await_position_in_request()
    return official_view_response(season_views.complete_session_view(session_id))


@blp.route("/<uuid:session_id>/arrivals", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.ArrivalsIn)
@blp.response(200, answers.Written, headers=_WRITE)
def record_arrivals(body: Body, session_id: UUID) -> Response:
    """Record that players or pairs came, all of them or none"""
    with pending_texts() as put:
        came = build_arrivals_of_body(body, put)
        answer = put.erase_if_replayed(
            _record_acts_of_request(session_id, came.acts, came.enrolled)
        )
    return response_to_write(answer)


@blp.route("/<uuid:session_id>/departures", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.DepartureIn)
@blp.response(200, answers.Written, headers=_WRITE)
def record_departure(body: Body, session_id: UUID) -> Response:
    """Record that a player or a pair left"""
    left = ev.PairLeft(body["pair"]) if "pair" in body else ev.PlayerLeft(body["person"])
    return response_to_write(_record_acts_of_request(session_id, [left]))


@blp.route("/<uuid:session_id>/draws", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.EveningTablesIn)
@blp.response(200, schemas.DrawnAnswer, headers=_WRITE)
def draw_tables(body: Body, session_id: UUID) -> Response:
    """Draw the tables of those who are there: by a seed, by rotation, by strength or by hand"""
    state = current_services().referee.seasons.session(session_id)
    answer = _record_acts_of_request(session_id, [table_draw(current_services(), state, body)])
    act = next(one.event for one in answer.events if isinstance(one.event, ev.TablesDrawn))
    now = current_services().referee.seasons.session(session_id)
    seal = now.seals[now.draws.index(act)]
    await_end_of_log()
    unsure = evening.tables_without_confirmation(
        evening.evening_tables(season_views.complete_session_view(session_id))
    )
    return response_to_write(
        answer,
        tables=act.tables,
        seed=act.seed,
        seal=seal,
        unconfirmed=[one.id for one in unsure],
    )


@blp.route("/<uuid:session_id>/tables", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.response(201, schemas.TablesOpenedAnswer, headers=_WRITE)
def open_tables(session_id: UUID) -> Response:
    """Open the tables drawn: an encuentro each, its players seated, all at once"""
    rest.refuse_body()
    answer = current_services().referee.seasons.open_tables(
        session_id, metadata_of_request(), g.expected_version
    )
    act = next(one.event for one in answer.events if isinstance(one.event, ev.TablesOpened))
    return response_to_write(answer, 201, encuentros=act.encuentros)


@blp.route("/<uuid:session_id>/tables/withdrawal", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.response(200, answers.Written, headers=_WRITE)
def call_off_tables(session_id: UUID) -> Response:
    """Call off the tables opened last, until something is recorded at one of them"""
    rest.refuse_body()
    expected = g.expected_version
    seasons = current_services().referee.seasons
    return response_to_write(seasons.call_off_tables(session_id, metadata_of_request(), expected))


@blp.route("/<uuid:session_id>/terms", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(schemas.SessionTermsIn)
@blp.response(200, answers.Written, headers=_WRITE)
def change_terms(body: Body, session_id: UUID) -> Response:
    """Change the terms of an evening, until something is recorded at one of its tables"""
    return response_to_write(
        change_session_from_body(session_id, body, metadata_of_request(), g.expected_version)
    )


def change_session_from_body(
    session_id: UUID, body: Body, asked: WriteMetadata, expected: int | None
) -> Answer:
    """Record new terms of an evening as a request asks; they replace all earlier ones."""
    with pending_texts() as put:
        act = ev.SessionChanged(*_session_terms(body, put))
        seasons = current_services().referee.seasons
        return put.erase_if_replayed(seasons.change_session(session_id, act, asked, expected))


@blp.route("/<uuid:session_id>/closing", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.response(200, answers.Written, headers=_WRITE)
def close_session(session_id: UUID) -> Response:
    """Close an evening; results may still come in and be corrected"""
    rest.refuse_body()
    return response_to_write(_record_acts_of_request(session_id, [ev.SessionClosed()]))


@blp.route("/<uuid:session_id>/reopening", methods=["POST"])
@guard.requires("club:manage")
@takes_headers_and_query(key=True, match=True)
@blp.response(200, answers.Written, headers=_WRITE)
def reopen_session(session_id: UUID) -> Response:
    """Reopen an evening that was closed too early"""
    rest.refuse_body()
    return response_to_write(_record_acts_of_request(session_id, [ev.SessionReopened()]))
