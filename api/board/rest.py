"""The public view: what everybody at the table knows, and nothing else."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Final
from uuid import UUID

from flask import Response, g, request

from api.board import boards
from api.board.display import BoardData
from api.http.access import guard
from api.http.access.attempts import address
from api.http.answers import typed
from api.http.live import NoFreeStream, StreamEventData, StreamReader
from api.http.problems import Problem
from api.http.public_views import Board, ViewT
from api.http.rest import Decorator, Noun, RouteT, headers_of, reply, wants
from api.http.services import Services, current_services
from api.tournaments import boards as tournament_boards

blp = Noun("public", __name__, url_prefix="/api/v1/public", description="For everybody")
EVENTS: Final = "text/event-stream"
_SEEN: Final = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Tag of the view that the reader has; browsers send it by themselves.",
    "schema": {"type": "string"},
}
_SILENCE_MS: Final = 45_000
"""A stream is closed after this time without an answer of the client's TCP."""


def _asked_for(shape: type) -> Decorator:
    """Decorator for a route of a public view: open to all, with conditional requests."""

    def mark(view: RouteT) -> RouteT:
        unchanged = blp.alt_response(304, description="Not modified")(view)
        answered = blp.response(200, typed(shape), headers=headers_of(tag=True))(unchanged)
        return guard.open_to_all(wants(tag=True)(answered))

    return mark


def _listened_to(view: RouteT) -> RouteT:
    """Decorator for a route of a stream: a public view, sent again at each change."""
    answered = blp.response(200, typed(StreamEventData), content_type=EVENTS)(view)
    shown = wants()(blp.doc(parameters=[_SEEN])(answered))
    return guard.identifies_everybody(guard.open_to_all(shown))


@blp.route("/encuentros/<uuid:encuentro_id>")
@_asked_for(BoardData)
def show(encuentro_id: UUID) -> Response:
    """The public view of an encuentro"""
    return _whole(boards.board(encuentro_id))


@blp.route("/encuentros/<uuid:encuentro_id>/stream")
@_listened_to
def stream(encuentro_id: UUID) -> Response:
    """The public view of an encuentro, sent again whenever it changes"""
    boards.board(encuentro_id)
    return _stream(str(encuentro_id), lambda here: boards.table(here, encuentro_id))


@blp.route("/sala")
@_asked_for(boards.HallData)
def sala() -> Response:
    """The public views of all tables"""
    return _whole(boards.hall(current_services()))


@blp.route("/sessions/<uuid:session_id>")
@_asked_for(boards.SessionTablesData)
def session(session_id: UUID) -> Response:
    """The public views of the tables of a session"""
    return _whole(boards.session(current_services(), session_id))


@blp.route("/sessions/<uuid:session_id>/stream")
@_listened_to
def session_stream(session_id: UUID) -> Response:
    """The public views of the tables of a session, sent again whenever one changes"""
    boards.session(current_services(), session_id)
    return _stream(f"session {session_id}", lambda here: boards.session(here, session_id))


@blp.route("/sala/stream")
@_listened_to
def sala_stream() -> Response:
    """The public views of all tables, sent again whenever one changes"""
    return _stream("sala", boards.hall)


@blp.route("/tournaments/<uuid:tournament_id>")
@_asked_for(tournament_boards.MomentData)
def tournament(tournament_id: UUID) -> Response:
    """Where a tournament is: another version, another hash when anything of it is another"""
    return _whole(tournament_boards.moment(current_services(), tournament_id))


@blp.route("/tournaments/<uuid:tournament_id>/stream")
@_listened_to
def tournament_stream(tournament_id: UUID) -> Response:
    """Where a tournament is, sent again whenever anything of it changes"""
    tournament_boards.moment(current_services(), tournament_id)
    name = f"tournament {tournament_id}"
    return _stream(name, lambda here: tournament_boards.moment(here, tournament_id))


def _whole(board: Board[ViewT]) -> Response:
    return reply(board.view, tag=board.tag, headers={"Cache-Control": "public, no-cache"})


def _stream(name: str, ask: Callable[[Services], Board[ViewT]]) -> Response:
    """The response with the stream of a board; for HEAD the stream is closed at once."""
    here = current_services()
    try:
        watch = here.hub.watch(name, lambda: ask(here).shown(), _reader())
    except NoFreeStream:
        raise Problem("streams_full", headers={"Retry-After": "5"}) from None
    response = Response(watch.events(request.headers.get("Last-Event-ID", "")), mimetype=EVENTS)
    response.call_on_close(watch.close)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    return response


def _reader() -> StreamReader:
    return StreamReader(address(), g.actor is not None, _connection())


def _connection() -> int | None:
    """The socket of the request; the kernel closes it if the client no longer answers.

    None if there is none, as in a test.
    """
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return None
    if connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENCE_MS)
    return int(connection.fileno())
