"""Answers of writes: the same bytes for the first time and for every time after."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import msgspec
from flask import Response, request

from api.base import reply
from api.house import POSITION_HEADER, house
from api.reading import tag_of, worded
from api.schemas.acts import Heard
from projections.legality import finding_row
from referee import partida as partidas
from referee.application import Answer
from referee.events import Conclusion, Event, PartidaWon

VIEW_HEADER = "Guinote-View"


def placed(heard: Heard, put_text: Any) -> Any:
    """An act as it goes on the log: its text is in the erasable store, the act has the id."""
    if not heard.text:
        return heard.act
    return msgspec.structs.replace(heard.act, text=put_text(heard.text))


def conclusions(events: Iterable[Event]) -> list[Event]:
    """The official conclusions among some events."""
    return [event for event in events if isinstance(event, Conclusion)]


def after(answer: Answer) -> partidas.Partida:
    """A partida as it was right after the acts of an answer."""
    if isinstance(answer.state, partidas.Partida):
        return answer.state
    mine = [e.originator_version for e in answer.events if e.originator_id == answer.id]
    events: Any = house().referee.history(answer.id)[: max(mine, default=0)]
    return partidas.fold(recorded.event for recorded in events)


def played(answer: Answer, encuentro_id: UUID) -> Response:
    """The response to a write in a partida: also what was noticed, and whether it is decided."""
    state, lines = after(answer), set(answer.lines)
    noticed = [f for f in partidas.table_of(state).findings if f.known_at in lines]
    won = [one for one in state.stated if isinstance(one, PartidaWon)]
    return written(
        answer,
        findings=worded([finding_row(one) for one in noticed], encuentro_id),
        decided=won[-1] if won else None,
    )


def written(
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


def seen(view: dict[str, Any]) -> Response:
    """An official view. Its ETag is the version that a write needs.

    A view may change while its version does not (an outcome followed, a name erased), so *not
    modified* is answered only to the hash of the view, which is in a header of its own.
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
