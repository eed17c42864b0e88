"""Answers of writes: a repeated request gets the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from flask import Response, request

from api.http.rest import reply
from api.http.rows import tag_of
from api.http.services import POSITION_HEADER
from referee.events import Conclusion, Event
from referee.log.streams import Answer

VIEW_HEADER = "Guinote-View"


def conclusions(events: Iterable[Event]) -> list[Event]:
    """The official conclusions among some events."""
    return [event for event in events if isinstance(event, Conclusion)]


def write_answer(
    answer: Answer,
    status: int = 200,
    *,
    location: str = "",
    **more: Any,
) -> Response:
    """The response to a write."""
    events = [recorded.event for recorded in answer.events]
    body = {
        "id": str(answer.id),
        "version": answer.version,
        "position": answer.position,
        "lines": answer.lines,
        "conclusions": conclusions(events),
        "findings": [],
        "decided": None,
        **more,
    }
    headers = {POSITION_HEADER: str(answer.position)}
    if location:
        headers["Location"] = location
    if answer.replayed:
        headers["Idempotent-Replayed"] = "true"
    return reply(body, status, tag=answer.version, headers=headers)


def official_view(view: Mapping[str, object]) -> Response:
    """An official view. Its ETag is the version that a write needs.

    A view may change while its version does not (an outcome was followed, a name erased). Therefore
    *not modified* depends on the hash of the view, which has its own header.
    """
    view_tag = tag_of(view)
    is_known = view_tag in request.if_none_match
    response = Response(status=304) if is_known else reply(view)
    response.headers["ETag"] = f'"{view["version"]}"'
    response.headers[VIEW_HEADER] = f'"{view_tag}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def address(encuentro_id: UUID, number: int | None = None) -> str:
    """Address of an encuentro or of a partida."""
    path = f"/api/v1/encuentros/{encuentro_id}"
    return path if number is None else f"{path}/partidas/{number}"
