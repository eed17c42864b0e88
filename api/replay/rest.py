"""Replays over HTTP: a whole partida in one answer."""

from __future__ import annotations

from uuid import UUID

import marshmallow as ma
from flask import Response

from api.encuentros.partidas import AtLine
from api.http.access import guard
from api.http.answers import typed
from api.http.bodies import Body
from api.http.rest import Noun, reply, wants
from api.http.services import await_position
from api.replay.replays import ReplayData, ReplayRequest, is_decided, replay_of, source_of
from referee.rules.seats import SEATS

blp = Noun(
    "reels",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/partidas/<int(min=1,max=9999):n>",
    description="A whole partida for a replay",
)
EVERY_SEAT = tuple(dict.fromkeys(seat for seats in SEATS.values() for seat in seats))


class ReplayQuery(AtLine):
    """From which seat, by which profile, and after which line."""

    seat = ma.fields.String(load_default="", validate=ma.validate.OneOf(EVERY_SEAT))
    profile = ma.fields.String(load_default="", validate=ma.validate.Length(1, 64))


@blp.route("/reel")
@guard.requires("read")
@guard.open_when(is_decided)
@wants(wait=True, query=("line", "seat", "profile"))
@blp.arguments(ReplayQuery, location="query")
@blp.response(200, typed(ReplayData))
def whole_partida(query: Body, encuentro_id: UUID, n: int) -> Response:
    """Every frame of a partida, with verdicts and corrections; open to all once it is decided"""
    await_position()
    source = source_of(encuentro_id, n, query["line"])
    return reply(replay_of(source, ReplayRequest(query["seat"], query["profile"])))
