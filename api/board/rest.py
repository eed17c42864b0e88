"""The public view over HTTP: what everybody at the table knows, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias
from uuid import UUID

import marshmallow as ma
from flask import Response, g, request

from api.board import boards
from api.board.display import BoardData
from api.http.access import guard
from api.http.access.attempts import caller_address
from api.http.access.hosts import socket_of_request
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.live import (
    BoardMessage,
    ChangeEventData,
    LiveStream,
    NoFreeStream,
    StreamEventData,
    StreamReader,
)
from api.http.problems import Problem
from api.http.rest import (
    Decorator,
    Noun,
    RouteT,
    answer_header_schemas,
    document_parameters,
    reply,
    takes_headers_and_query,
)
from api.http.rows import Board, ViewT
from api.http.services import Services, current_services
from api.tournaments import boards as tournament_boards
from referee.system import ports

AskBoard: TypeAlias = Callable[[Services], Board[Any]]
blp = Noun("public", __name__, url_prefix="/api/v1/public", description="For everybody")
EVENTS: Final = "text/event-stream"
MOST_OF: Final = 64
"""Most views of one stream: more would not fit into the line of a request."""
_ID: Final = "-".join(f"[0-9a-f]{{{length}}}" for length in (8, 4, 4, 4, 12))
_ADDRESS: Final = rf"\A(?:sala|(?:encuentros|sessions|tournaments)/{_ID})\Z"
_SEEN: Final = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Tag of the view that the reader has; browsers send it by themselves.",
    "schema": {"type": "string"},
}
_SILENCE_MS: Final = 45_000
"""A stream is closed after this time without an answer of the client's TCP."""


def _public_view_route(shape: type) -> Decorator:
    """Decorator for a route of a public view: open to all, with conditional requests."""

    def decorate(view: RouteT) -> RouteT:
        unchanged = blp.alt_response(304, description="Not modified")(view)
        answered = blp.response(
            200, register_answer_schema(shape), headers=answer_header_schemas(tag=True)
        )(unchanged)
        return guard.open_to_all(takes_headers_and_query(tag=True)(answered))

    return decorate


class ChangesQuery(ma.Schema):
    """Which public views a stream is about."""

    class Meta:
        """Unknown query parameters are ignored: they are refused before."""

        unknown = ma.EXCLUDE

    of = ma.fields.List(
        ma.fields.String(validate=ma.validate.Regexp(_ADDRESS)),
        required=True,
        validate=ma.validate.Length(1, MOST_OF),
        metadata={
            "description": "Addresses of views after `/public/`; what is not there is left out."
        },
    )


def _public_stream_route(view: RouteT) -> RouteT:
    """Decorator for a route of a stream: a public view, sent again at each change."""
    answered = blp.response(200, register_answer_schema(StreamEventData), content_type=EVENTS)(view)
    shown = takes_headers_and_query()(document_parameters(_SEEN)(answered))
    return guard.shows_more_to_users(guard.open_to_all(shown))


@blp.route("/encuentros/<uuid:encuentro_id>")
@_public_view_route(BoardData)
def show(encuentro_id: UUID) -> Response:
    """The public view of an encuentro"""
    return _reply_with_board(boards.await_table_board(encuentro_id))


@blp.route("/encuentros/<uuid:encuentro_id>/stream")
@_public_stream_route
def stream(encuentro_id: UUID) -> Response:
    """The public view of an encuentro, sent again whenever it changes"""
    boards.await_board_row(encuentro_id)
    return _board_stream(str(encuentro_id), lambda here: boards.table_board(here, encuentro_id))


@blp.route("/sala")
@_public_view_route(boards.HallData)
def sala() -> Response:
    """The public views of all tables"""
    return _reply_with_board(boards.read_hall_board(current_services()))


@blp.route("/sessions/<uuid:session_id>")
@_public_view_route(boards.SessionTablesData)
def session(session_id: UUID) -> Response:
    """The public views of the tables of a session"""
    return _reply_with_board(boards.session_board(current_services(), session_id))


@blp.route("/sessions/<uuid:session_id>/stream")
@_public_stream_route
def session_stream(session_id: UUID) -> Response:
    """The public views of the tables of a session, sent again whenever one changes"""
    return _board_stream(
        f"session {session_id}", lambda here: boards.session_board(here, session_id)
    )


@blp.route("/sala/stream")
@_public_stream_route
def sala_stream() -> Response:
    """The public views of all tables, sent again whenever one changes"""
    return _board_stream("sala", boards.read_hall_board)


@blp.route("/tournaments/<uuid:tournament_id>")
@_public_view_route(tournament_boards.MomentData)
def tournament_state(tournament_id: UUID) -> Response:
    """Where a tournament stands: its version and its hash, which change with anything of it"""
    return _reply_with_board(
        tournament_boards.tournament_state_board(current_services(), tournament_id)
    )


@blp.route("/tournaments/<uuid:tournament_id>/stream")
@_public_stream_route
def tournament_state_stream(tournament_id: UUID) -> Response:
    """Where a tournament stands, sent again whenever anything of it changes"""
    name = f"tournament {tournament_id}"
    return _board_stream(
        name, lambda here: tournament_boards.tournament_state_board(here, tournament_id)
    )


@blp.route("/changes")
@guard.shows_more_to_users
@guard.open_to_all
@takes_headers_and_query()
@blp.arguments(ChangesQuery, location="query")
@blp.response(200, register_answer_schema(ChangeEventData), content_type=EVENTS)
def board_tags_stream(query: Body) -> Response:
    """The tags of several public views, sent again whenever one changes: one stream a browser"""
    views = {of: _board_function_by_address(*of.split("/")) for of in query["of"]}
    return _stream_response(views, LiveStream.changes)


def _board_function_by_address(kind: str, of: str = "") -> AskBoard:
    """The function that makes a public view, by the address of the view after ``/public/``."""
    if kind == "sala":
        return boards.read_hall_board
    about = UUID(of)
    if kind == "sessions":
        return lambda here: boards.session_board(here, about)
    if kind == "tournaments":
        return lambda here: tournament_boards.tournament_state_board(here, about)
    return lambda here: boards.table_board(here, about)


def _reply_with_board(board: Board[ViewT]) -> Response:
    return reply(board.view, tag=board.tag, headers={"Cache-Control": "public, no-cache"})


def _board_stream(name: str, ask: AskBoard) -> Response:
    """Response with the stream of one board."""
    seen = request.headers.get("Last-Event-ID", "")
    return _stream_response({name: ask}, lambda watch: watch.events(seen))


def _stream_response(
    asks: Mapping[str, AskBoard], sent: Callable[[LiveStream], Iterator[bytes]]
) -> Response:
    """Response with a stream of boards; for HEAD the stream is closed at once."""
    here = current_services()
    shown = {name: _message_function(ask, here) for name, ask in asks.items()}
    try:
        watch = here.hub.open_stream_of_boards(shown, _stream_reader())
    except NoFreeStream:
        raise Problem("streams_full", headers={"Retry-After": "5"}) from None
    response = Response(sent(watch), mimetype=EVENTS)
    response.call_on_close(watch.close)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    return response


def _message_function(ask: AskBoard, here: Services) -> Callable[[], BoardMessage]:
    return lambda: ask(here).message()


def _stream_reader() -> StreamReader:
    return StreamReader(caller_address(), g.actor is not None, _socket_number_with_timeout())


def _socket_number_with_timeout() -> int | None:
    """Number of the socket of the request, which the kernel is told to close after silence.

    None if there is none, as in a test.
    """
    connection = socket_of_request()
    if connection is None:
        return None
    ports.set_silence_timeout(connection, _SILENCE_MS)
    return int(connection.fileno())
