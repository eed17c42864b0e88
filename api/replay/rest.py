"""Replays over HTTP: a whole partida in one answer, and the analysis of a decided one."""

from __future__ import annotations

from uuid import UUID

import marshmallow as ma
from flask import Response

from api.encuentros import views
from api.encuentros.partidas import AtLine
from api.http.access import guard, records
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.problems import Problem
from api.http.rest import Noun, answer_header_schemas, reply, tag_of_view, takes_headers_and_query
from api.http.services import await_position_in_request
from api.replay.replays import (
    ReplayData,
    ReplayRequest,
    is_partida_decided,
    profile_and_judged_partida,
    replay_of,
    replay_source_of_partida,
)
from projections.replay.frames import state_at_line
from referee.analysis import NoAnalysis
from referee.analysis.engine import MOST_NODES
from referee.analysis.reports import AnalysisData, analysis_of_partida
from referee.rules.seats import SEATS

blp = Noun(
    "reels",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/partidas/<int(min=1,max=9999):n>",
    description="A whole partida for a replay",
)
EVERY_SEAT = tuple(dict.fromkeys(seat for seats in SEATS.values() for seat in seats))


MOST_IN_ALL = 25 * MOST_NODES
"""Nodes of an answer, less than half a second; a partida of arrastres needs some 500,000."""


class JudgedBy(ma.Schema):
    """By which profile, if not by that of the table."""

    profile = ma.fields.String(
        load_default=str,  # none, and no default in the document
        validate=ma.validate.Length(1, 64),
        metadata={"description": "Id of the profile that judges; without it, that of the table."},
    )


class ReplayQuery(AtLine, JudgedBy):
    """From which seat, by which profile, and after which line."""

    seat = ma.fields.String(
        load_default=str,  # none, and no default in the document
        validate=ma.validate.OneOf(EVERY_SEAT),
        metadata={"description": "Seat whose cards are shown; without it, all that is known."},
    )


@blp.route("/reel")
@guard.requires("read")
@records.open_record_when(is_partida_decided)
@takes_headers_and_query(wait=True)
@blp.arguments(ReplayQuery, location="query")
@blp.response(200, register_answer_schema(ReplayData))
def show_partida_replay(query: Body, encuentro_id: UUID, n: int) -> Response:
    """Every frame of a partida, with verdicts and corrections; open to all once it is decided"""
    await_position_in_request()
    source = replay_source_of_partida(encuentro_id, n, query["line"])
    return reply(replay_of(source, ReplayRequest(query["seat"], query["profile"])))


@blp.route("/analysis")
@guard.requires("read")
@records.open_record_when(is_partida_decided)
@takes_headers_and_query(tag=True, wait=True)
@blp.arguments(JudgedBy, location="query")
@blp.response(200, register_answer_schema(AnalysisData), headers=answer_header_schemas(tag=True))
def show_arrastre_analysis(query: Body, encuentro_id: UUID, n: int) -> Response:
    """What each card of an arrastre took, and how good the claims were; of a decided partida"""
    await_position_in_request()
    state = views.call_on_history(encuentro_id, n, None, state_at_line)
    if state.table.decided is None:
        raise Problem("not_decided")
    if query["profile"]:
        _, state = profile_and_judged_partida(state, query["profile"])
    assert state.reading is not None
    try:
        found = analysis_of_partida(state.reading, MOST_IN_ALL)
    except NoAnalysis:
        raise Problem("no_analysis") from None
    return reply(found, tag=tag_of_view(found))
