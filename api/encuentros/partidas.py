"""Partidas: recording, correcting and undoing acts; reading the views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import marshmallow as ma
from flask import Response, g

from api.audit import trail
from api.encuentros import reading
from api.encuentros.acts import Acts, Amendment
from api.encuentros.answers import partida_answer, stored_act
from api.encuentros.shapes import Findings, PartidaView
from api.http import guard, rest, shapes
from api.http.answers import official_view
from api.http.bodies import Body
from api.http.fields import QueryInt
from api.http.problems import Problem
from api.http.rest import PAGE, Noun, Page, headers_of, reply, wants
from api.http.rows import tag_of
from api.http.services import NOT_STORED, await_position, current_services, meta, pending_texts
from api.previews.previews import preview_answer
from api.previews.shapes import Previewed
from referee.encuentro.commands import Amend, PartidaCommand, Record, Undo
from referee.encuentro.overruling import overrules
from referee.encuentro.partida import RecordedAct
from referee.encuentro.streams import partida_id
from referee.events import Change
from referee.log.streams import Answer

blp = Noun(
    "partidas",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/partidas/<int(min=1,max=9999):n>",
    description="Partidas of an encuentro",
)
_WRITE = headers_of(tag=True, replayed=True)


class AtLine(ma.Schema):
    """A line of the record; without one, the last."""

    class Meta:
        """Unknown query parameters are ignored: other schemas read them."""

        unknown = ma.EXCLUDE

    line = QueryInt(load_default=None)


def _record(encuentro_id: UUID, n: int, commands: list[PartidaCommand]) -> Answer:
    """Record commands; rulings need their own permission.

    :raises Problem: one of them is about a ruling, which this user may not give
    """
    expected, key = rest.expected_version(), partida_id(encuentro_id, n)
    if not guard.is_allowed(g.actor, "rulings:give"):

        def before() -> Sequence[RecordedAct]:
            return current_services().referee.encuentros.partida(key).log[:expected]

        if any(overrules(command, before) for command in commands):
            raise Problem("forbidden")
    return current_services().referee.encuentros.record(key, commands, meta(), expected)


def _amend(body: Body, put_text: Any) -> Amend:
    changes = tuple(
        Change(
            one["line"],
            one["how"],
            stored_act(one["act"], put_text) if "act" in one else None,
        )
        for one in body["changes"]
    )
    because = body.get("because", "")
    return Amend(changes, put_text(because) if because else "")


@blp.route("/acts", methods=["POST"])
@guard.requires("acts:record")
@wants(key=True, match=True)
@blp.arguments(Acts())
@blp.response(200, shapes.Written, headers=_WRITE)
def record(body: Body, encuentro_id: UUID, n: int) -> Response:
    """Record acts, all or none"""
    with pending_texts() as put:
        commands: list[PartidaCommand] = [Record(stored_act(one, put.text)) for one in body["acts"]]
        answer = put.settle(_record(encuentro_id, n, commands))
    return partida_answer(answer, encuentro_id)


@blp.route("/amendments", methods=["POST"])
@guard.requires("acts:amend")
@wants(key=True, match=True)
@blp.arguments(Amendment)
@blp.response(200, shapes.Written, headers=_WRITE)
def amend(body: Body, encuentro_id: UUID, n: int) -> Response:
    """Correct earlier lines, together"""
    with pending_texts() as put:
        answer = put.settle(_record(encuentro_id, n, [_amend(body, put.text)]))
    return partida_answer(answer, encuentro_id)


@blp.route("/amendments/preview", methods=["POST"])
@guard.requires("acts:amend")
@blp.arguments(Amendment)
@blp.response(200, Previewed)
def preview(body: Body, encuentro_id: UUID, n: int) -> Response:
    """What a correction would change; nothing is recorded"""
    asked, key = _amend(body, lambda _: NOT_STORED), partida_id(encuentro_id, n)
    return preview_answer(current_services().referee.encuentros.preview(key, [asked]), encuentro_id)


@blp.route("/acts/preview", methods=["POST"])
@guard.requires("acts:record")
@blp.arguments(Acts())
@blp.response(200, Previewed)
def preview_acts(body: Body, encuentro_id: UUID, n: int) -> Response:
    """What acts, a ruling among them, would change; nothing is recorded"""
    commands = [Record(stored_act(one, lambda _: NOT_STORED)) for one in body["acts"]]
    return preview_answer(
        current_services().referee.encuentros.preview(partida_id(encuentro_id, n), commands),
        encuentro_id,
    )


@blp.route("/undo", methods=["POST"])
@guard.requires("acts:amend")
@wants(key=True, match=True)
@blp.response(200, shapes.Written, headers=_WRITE)
def undo(encuentro_id: UUID, n: int) -> Response:
    """Take back the latest line that stands"""
    rest.no_body()
    answer = _record(encuentro_id, n, [Undo()])
    return partida_answer(answer, encuentro_id)


@blp.route("")
@guard.requires("read")
@wants(tag=True, wait=True)
@blp.response(200, PartidaView, headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show(encuentro_id: UUID, n: int) -> Response:
    """The official view of a partida"""
    await_position()
    return official_view(reading.partida(encuentro_id, n))


@blp.route("/replay")
@guard.requires("read")
@wants(wait=True, query=("line",))
@blp.arguments(AtLine, location="query")
@blp.response(200, PartidaView)
def replay(query: Body, encuentro_id: UUID, n: int) -> Response:
    """The official view as it stood after a line"""
    await_position()
    return reply(reading.view_at_line(encuentro_id, n, query["line"]))


@blp.route("/findings")
@guard.requires("read")
@wants(tag=True, wait=True)
@blp.response(200, Findings, headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def findings(encuentro_id: UUID, n: int) -> Response:
    """What was noticed, so far as the cards are known"""
    await_position()
    view = reading.findings(encuentro_id, n)
    return reply(view, tag=tag_of(view))


@blp.route("/audit")
@guard.requires("audit:read")
@wants(wait=True, query=PAGE)
@blp.arguments(Page, location="query")
@blp.response(200, shapes.AuditPage)
def audit(query: Body, encuentro_id: UUID, n: int) -> Response:
    """Who recorded what, when, on which device, and what corrected it"""
    await_position()
    stream = partida_id(encuentro_id, n)
    return reply(trail.audit(stream, query.get("cursor", ""), query["limit"]))
