"""Roads over HTTP: public to read; an organiser opens them and records their acts."""

from __future__ import annotations

from uuid import UUID

import marshmallow as ma
from flask import Response, g

from api.audit.trail import TrailPageData, trail_entries_from_cursor
from api.http.access import guard
from api.http.acts import AskedAct
from api.http.answers import Written, register_answer_schema
from api.http.bodies import Body
from api.http.rest import (
    Noun,
    Page,
    answer_header_schemas,
    reply,
    response_to_write,
    tag_of_view,
    takes_headers_and_query,
)
from api.http.services import (
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.roads import views
from api.roads import views as road_views
from api.roads.acts import RoadActsIn, RoadIn, build_event_of_act
from referee.events.road import PairInvited, QualifierAdded, RoadOpened
from referee.log.streams import Answer, WriteMetadata

blp = Noun("roads", __name__, url_prefix="/api/v1/roads", description="Roads to a final")
_WRITE = answer_header_schemas(tag=True, replayed=True)


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
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(road_views.RoadPageData))
def list_roads(query: Body) -> Response:
    """All roads, the latest first"""
    await_position_in_request()
    return reply(road_views.road_list_page(query.get("cursor", ""), query["limit"]))


@blp.route("", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True)
@blp.arguments(RoadIn)
@blp.response(201, RoadWritten, headers=_WRITE)
def open_road(body: Body) -> Response:
    """Open a road to a final of this house"""
    answer = open_from_body(body, metadata_of_request())
    return response_to_write(answer, 201, location=road_views.road_api_address(answer.id))


def open_from_body(body: Body, asked: WriteMetadata) -> Answer:
    """Open a road from a body.

    :raises Refused: its final is unknown, or cannot have so many pairs
    """
    with pending_texts() as put:
        name, contact = put.add_texts([body["name"], body.get("contact", "")])
        act = RoadOpened(name, str(body["final"]), body["places"], contact)
        return put.erase_if_replayed(current_services().referee.roads.open(act, asked))


@blp.route("/<uuid:road_id>")
@guard.open_to_all
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200, register_answer_schema(road_views.WholeRoadData), headers=answer_header_schemas(tag=True)
)
@blp.alt_response(304, description="Not modified")
def show(road_id: UUID) -> Response:
    """A road: qualifiers and their places, who qualified, renounced and moved up, what is left"""
    await_position_in_request()
    view = road_views.road(road_id)
    return reply(view, tag=tag_of_view(view), headers={"Cache-Control": "public, no-cache"})


@blp.route("/<uuid:road_id>/acts", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(RoadActsIn)
@blp.response(200, RoadWritten, headers=_WRITE)
def record(body: Body, road_id: UUID) -> Response:
    """Record acts: qualifiers, lists, keys, invitations, renunciations, the pairs of the final"""
    answer = record_acts(road_id, body["acts"], metadata_of_request(), g.expected_version)
    events = [one.event for one in answer.events]
    return response_to_write(
        answer,
        qualifiers=[one.qualifier for one in events if isinstance(one, QualifierAdded)],
        invitations=[one.invitation for one in events if isinstance(one, PairInvited)],
    )


def record_acts(
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
        events = [build_event_of_act(state, one, put) for one in acts]
        return put.erase_if_replayed(roads.record(road_id, events, asked, version))


@blp.route("/<uuid:road_id>/acts/preview", methods=["POST"])
@guard.requires("tournaments:run")
@takes_headers_and_query()
@blp.arguments(RoadActsIn)
@blp.response(200, register_answer_schema(views.RoadPreviewData))
def preview(body: Body, road_id: UUID) -> Response:
    """Who would lose a place and who would gain one, and the road after it; nothing is recorded"""
    return reply(views.road_preview(road_id, body["acts"]))


@blp.route("/<uuid:road_id>/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(TrailPageData))
def show_audit_trail(query: Body, road_id: UUID) -> Response:
    """Who recorded what of a road, when and on which device"""
    await_position_in_request()
    current_services().referee.roads.road(road_id)
    return reply(trail_entries_from_cursor(road_id, query.get("cursor", ""), query["limit"]))
