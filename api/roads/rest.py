"""Roads over HTTP: public to read; an organiser opens them and records their acts."""

from __future__ import annotations

from uuid import UUID

import marshmallow as ma
from flask import Response, g

from api.audit.trail import TrailPageData
from api.audit.trail import audit as trail_of
from api.http.access import guard
from api.http.acts.kinds import AskedAct
from api.http.answers import Written, schema_of
from api.http.bodies import Body
from api.http.rest import Noun, Page, headers_of, reply, tag_of, wants, write_answer
from api.http.services import await_position, current_services, meta, pending_texts
from api.roads import previews
from api.roads import views as road_views
from api.roads.acts import RoadActsIn, event_of
from api.roads.schemas import RoadIn
from referee.events.road import PairInvited, QualifierAdded, RoadOpened
from referee.log.streams import Answer, WriteMetadata

blp = Noun("roads", __name__, url_prefix="/api/v1/roads", description="Roads to a final")
_WRITE = headers_of(tag=True, replayed=True)


class RoadWritten(Written):
    """What a write on a road recorded."""

    qualifiers = ma.fields.List(
        ma.fields.String(), metadata={"description": "numbers of the qualifiers that were added"}
    )
    invitations = ma.fields.List(
        ma.fields.String(), metadata={"description": "numbers of the invitations"}
    )


@blp.route("")
@guard.open_to_all
@wants(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, schema_of(road_views.RoadPageData))
def list_roads(query: Body) -> Response:
    """All roads, the latest first"""
    await_position()
    return reply(road_views.roads(query.get("cursor", ""), query["limit"]))


@blp.route("", methods=["POST"])
@guard.requires("tournaments:run")
@wants(key=True)
@blp.arguments(RoadIn)
@blp.response(201, RoadWritten, headers=_WRITE)
def open_road(body: Body) -> Response:
    """Open a road to a final of this house"""
    answer = open_from_body(body, meta())
    return write_answer(answer, 201, location=road_views.address(answer.id))


def open_from_body(body: Body, asked: WriteMetadata) -> Answer:
    """Open a road from a body.

    :raises Refused: its final is unknown, or cannot have so many pairs
    """
    with pending_texts() as put:
        name, contact = put.texts([body["name"], body.get("contact", "")])
        act = RoadOpened(name, str(body["final"]), body["places"], contact)
        return put.settle(current_services().referee.roads.open(act, asked))


@blp.route("/<uuid:road_id>")
@guard.open_to_all
@wants(tag=True, wait=True)
@blp.response(200, schema_of(road_views.WholeRoadData), headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show(road_id: UUID) -> Response:
    """A road: qualifiers and their places, who qualified, renounced and moved up, what is left"""
    await_position()
    view = road_views.road(road_id)
    return reply(view, tag=tag_of(view), headers={"Cache-Control": "public, no-cache"})


@blp.route("/<uuid:road_id>/acts", methods=["POST"])
@guard.requires("tournaments:run")
@wants(key=True, match=True)
@blp.arguments(RoadActsIn)
@blp.response(200, RoadWritten, headers=_WRITE)
def record(body: Body, road_id: UUID) -> Response:
    """Record acts: qualifiers, lists, keys, invitations, renunciations, the pairs of the final"""
    answer = record_asked(road_id, body["acts"], meta(), g.expected_version)
    events = [one.event for one in answer.events]
    return write_answer(
        answer,
        qualifiers=[one.qualifier for one in events if isinstance(one, QualifierAdded)],
        invitations=[one.invitation for one in events if isinstance(one, PairInvited)],
    )


def record_asked(
    road_id: UUID, acts: list[AskedAct], asked: WriteMetadata, version: int | None = None
) -> Answer:
    """Record acts of a request, with their names and texts.

    :raises Refused: one of them is impossible
    """
    roads = current_services().referee.roads
    if answer := current_services().referee.answer_to(asked):
        return answer
    with pending_texts() as put:
        state = roads.road(road_id)
        events = [event_of(state, one, put) for one in acts]
        return put.settle(roads.record(road_id, events, asked, version))


@blp.route("/<uuid:road_id>/acts/preview", methods=["POST"])
@guard.requires("tournaments:run")
@wants()
@blp.arguments(RoadActsIn)
@blp.response(200, schema_of(previews.RoadPreviewData))
def preview(body: Body, road_id: UUID) -> Response:
    """Who would lose a place and who would gain one, and the road after it; nothing is recorded"""
    return reply(previews.preview(road_id, body["acts"]))


@blp.route("/<uuid:road_id>/audit")
@guard.requires("audit:read")
@wants(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, schema_of(TrailPageData))
def audit(query: Body, road_id: UUID) -> Response:
    """Who recorded what of a road, when and on which device"""
    await_position()
    current_services().referee.roads.road(road_id)
    return reply(trail_of(road_id, query.get("cursor", ""), query["limit"]))
