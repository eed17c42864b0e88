"""Partidas: recording, correcting and undoing acts; reading the views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Response, g

from api.audit import trail
from api.encuentros import views
from api.encuentros.acts import Acts, Amendment, ReceivedAct
from api.http import answers, rest
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import QueryInt
from api.http.problems import Problem
from api.http.rest import (
    Noun,
    Page,
    answer_header_schemas,
    official_view_response,
    reply,
    response_to_write,
    tag_of_view,
    takes_headers_and_query,
)
from api.http.services import (
    NOT_STORED,
    await_position_in_request,
    current_services,
    metadata_of_request,
    pending_texts,
)
from api.previews.previews import preview_answer
from api.previews.shapes import Previewed
from api.profiles.findings import findings_with_text_and_article
from projections.legality.findings import finding_view
from projections.replay.frames import PastPartidaData
from projections.scores.partidas import PartidaData
from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.partida import Partida, RecordedAct, fold
from referee.aggregates.ruling_writes import is_ruling_write
from referee.events import Change, PartidaWon
from referee.kinds import partida_id
from referee.log.streams import Answer

blp = Noun(
    "partidas",
    __name__,
    url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/partidas/<int(min=1,max=9999):n>",
    description="Partidas of an encuentro",
)
_WRITE = answer_header_schemas(tag=True, replayed=True)


class AtLine(ma.Schema):
    """A line of the record; without one, the last."""

    class Meta:
        """Unknown query parameters are ignored: other schemas read them."""

        unknown = ma.EXCLUDE

    line = QueryInt(
        load_default=None,
        metadata={"description": "Line of the record to look at; without it, the last."},
    )


def _store_text_of_act(heard: ReceivedAct, put_text: Any) -> Any:
    """An act for the log: its text goes into the erasable store, the act gets the id."""
    if not heard.text:
        return heard.act
    return msgspec.structs.replace(heard.act, text=put_text(heard.text))


def _write_partida_commands(encuentro_id: UUID, n: int, commands: list[PartidaCommand]) -> Answer:
    """Record commands; rulings need their own permission.

    :raises Problem: one of them is about a ruling, which this user may not give
    """
    expected, key = g.expected_version, partida_id(encuentro_id, n)
    encuentros = current_services().referee.encuentros
    if not guard.has_permission_at_table(g.actor, "rulings:give"):

        def acts_before_write() -> Sequence[RecordedAct]:
            return encuentros.partida_by_id(key).log[:expected]

        if any(is_ruling_write(command, acts_before_write) for command in commands):
            raise Problem("forbidden")
    return encuentros.record_partida_acts(key, commands, metadata_of_request(), expected)


def _partida_after_answer(answer: Answer) -> Partida:
    """State of the partida right after the acts of an answer, read from the log if it must be."""
    if isinstance(answer.state, Partida):
        return answer.state
    mine = [e.originator_version for e in answer.events if e.originator_id == answer.id]
    events: Any = current_services().referee.history(answer.id)[: max(mine, default=0)]
    return fold(recorded.event for recorded in events)


def _reply_write(answer: Answer, encuentro_id: UUID) -> Response:
    """The response to a write to a partida, with new findings, and how the partida was won."""
    state, lines = _partida_after_answer(answer), set(answer.lines)
    more: dict[str, Any] = {}
    if noticed := [finding_view(f) for f in state.table.findings if f.known_at in lines]:
        more["findings"] = findings_with_text_and_article(noticed, encuentro_id)
    if won := [one for one in state.stated if isinstance(one, PartidaWon)]:
        more["decided"] = won[-1]
    return response_to_write(answer, **more)


def _amend_command(body: Body, put_text: Any) -> Amend:
    changes = tuple(
        Change(
            one["line"],
            one["how"],
            _store_text_of_act(one["act"], put_text) if "act" in one else None,
        )
        for one in body["changes"]
    )
    because = body.get("because", "")
    return Amend(changes, put_text(because) if because else "")


@blp.route("/acts", methods=["POST"])
@guard.requires("acts:record")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(Acts())
@blp.response(200, answers.Written, headers=_WRITE)
def record_acts(body: Body, encuentro_id: UUID, n: int) -> Response:
    """Record acts, all or none"""
    with pending_texts() as put:
        commands: list[PartidaCommand] = [
            Record(_store_text_of_act(one, put.add_text)) for one in body["acts"]
        ]
        answer = put.erase_if_replayed(_write_partida_commands(encuentro_id, n, commands))
    return _reply_write(answer, encuentro_id)


@blp.route("/amendments", methods=["POST"])
@guard.requires("acts:amend")
@takes_headers_and_query(key=True, match=True)
@blp.arguments(Amendment)
@blp.response(200, answers.Written, headers=_WRITE)
def amend(body: Body, encuentro_id: UUID, n: int) -> Response:
    """Correct earlier lines, together"""
    with pending_texts() as put:
        answer = put.erase_if_replayed(
            _write_partida_commands(encuentro_id, n, [_amend_command(body, put.add_text)])
        )
    return _reply_write(answer, encuentro_id)


@blp.route("/amendments/preview", methods=["POST"])
@guard.requires("acts:amend")
@blp.arguments(Amendment)
@blp.response(200, Previewed)
def preview_amendment(body: Body, encuentro_id: UUID, n: int) -> Response:
    """What a correction would change; nothing is recorded"""
    asked, key = _amend_command(body, lambda _: NOT_STORED), partida_id(encuentro_id, n)
    return preview_answer(
        current_services().referee.encuentros.preview_partida_acts(key, [asked]), encuentro_id
    )


@blp.route("/acts/preview", methods=["POST"])
@guard.requires("acts:record")
@blp.arguments(Acts())
@blp.response(200, Previewed)
def preview_acts(body: Body, encuentro_id: UUID, n: int) -> Response:
    """What acts, a ruling among them, would change; nothing is recorded"""
    commands = [Record(_store_text_of_act(one, lambda _: NOT_STORED)) for one in body["acts"]]
    return preview_answer(
        current_services().referee.encuentros.preview_partida_acts(
            partida_id(encuentro_id, n), commands
        ),
        encuentro_id,
    )


@blp.route("/undo", methods=["POST"])
@guard.requires("acts:amend")
@takes_headers_and_query(key=True, match=True)
@blp.response(200, answers.Written, headers=_WRITE)
def undo(encuentro_id: UUID, n: int) -> Response:
    """Take back the latest line that stands"""
    rest.refuse_body()
    answer = _write_partida_commands(encuentro_id, n, [Undo()])
    return _reply_write(answer, encuentro_id)


@blp.route("")
@guard.requires("read")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(200, register_answer_schema(PartidaData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_partida(encuentro_id: UUID, n: int) -> Response:
    """The official view of a partida"""
    await_position_in_request()
    return official_view_response(views.official_partida_view(encuentro_id, n))


@blp.route("/replay")
@guard.requires("read")
@takes_headers_and_query(wait=True)
@blp.arguments(AtLine, location="query")
@blp.response(200, register_answer_schema(PastPartidaData))
def show_partida_at_line(query: Body, encuentro_id: UUID, n: int) -> Response:
    """The official view as it stood after a line"""
    await_position_in_request()
    return reply(views.view_at_line(encuentro_id, n, query["line"]))


@blp.route("/findings")
@guard.requires("read")
@takes_headers_and_query(tag=True, wait=True)
@blp.response(
    200, register_answer_schema(views.FindingsData), headers=answer_header_schemas(tag=True)
)
@blp.alt_response(304, description="Not modified")
def show_findings(encuentro_id: UUID, n: int) -> Response:
    """What was noticed, so far as the cards are known"""
    await_position_in_request()
    view = views.findings_view(encuentro_id, n)
    return reply(view, tag=tag_of_view(view))


@blp.route("/audit")
@guard.requires("audit:read")
@takes_headers_and_query(wait=True)
@blp.arguments(Page, location="query")
@blp.response(200, register_answer_schema(trail.TrailPageData))
def show_partida_trail(query: Body, encuentro_id: UUID, n: int) -> Response:
    """Who recorded what, when, on which device, and what corrected it"""
    await_position_in_request()
    stream = partida_id(encuentro_id, n)
    return reply(trail.trail_entries_from_cursor(stream, query.get("cursor", ""), query["limit"]))
