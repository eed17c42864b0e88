"""The public view: what everybody at the table knows, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias
from uuid import UUID

import marshmallow as ma
from flask import Response, g, request

from api.board import boards
from api.board.display import BoardData
from api.http.access import guard
from api.http.access.attempts import address
from api.http.access.hosts import socket_of_request
from api.http.answers import schema_of
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
from api.http.rest import Decorator, Noun, RouteT, describe, headers_of, reply, wants
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


def _public_view(shape: type) -> Decorator:
    """Decorator for a route of a public view: open to all, with conditional requests."""

    def mark(view: RouteT) -> RouteT:
        unchanged = blp.alt_response(304, description="Not modified")(view)
        answered = blp.response(200, schema_of(shape), headers=headers_of(tag=True))(unchanged)
        return guard.open_to_all(wants(tag=True)(answered))

    return mark


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


def _public_stream(view: RouteT) -> RouteT:
    """Decorator for a route of a stream: a public view, sent again at each change."""
    answered = blp.response(200, schema_of(StreamEventData), content_type=EVENTS)(view)
    shown = wants()(describe(_SEEN)(answered))
    return guard.identifies_everybody(guard.open_to_all(shown))


@blp.route("/encuentros/<uuid:encuentro_id>")
@_public_view(BoardData)
def show(encuentro_id: UUID) -> Response:
    """The public view of an encuentro"""
    return _reply_with_board(boards.board(encuentro_id))


@blp.route("/encuentros/<uuid:encuentro_id>/stream")
@_public_stream
def stream(encuentro_id: UUID) -> Response:
    """The public view of an encuentro, sent again whenever it changes"""
    boards.await_board(encuentro_id)
    return _stream(str(encuentro_id), lambda here: boards.table(here, encuentro_id))


@blp.route("/sala")
@_public_view(boards.HallData)
def sala() -> Response:
    """The public views of all tables"""
    return _reply_with_board(boards.hall(current_services()))


@blp.route("/sessions/<uuid:session_id>")
@_public_view(boards.SessionTablesData)
def session(session_id: UUID) -> Response:
    """The public views of the tables of a session"""
    return _reply_with_board(boards.session(current_services(), session_id))


@blp.route("/sessions/<uuid:session_id>/stream")
@_public_stream
def session_stream(session_id: UUID) -> Response:
    """The public views of the tables of a session, sent again whenever one changes"""
    return _stream(f"session {session_id}", lambda here: boards.session(here, session_id))


@blp.route("/sala/stream")
@_public_stream
def sala_stream() -> Response:
    """The public views of all tables, sent again whenever one changes"""
    return _stream("sala", boards.hall)


@blp.route("/tournaments/<uuid:tournament_id>")
@_public_view(tournament_boards.MomentData)
def tournament(tournament_id: UUID) -> Response:
    """Where a tournament is: another version, another hash when anything of it is another"""
    return _reply_with_board(tournament_boards.moment(current_services(), tournament_id))


@blp.route("/tournaments/<uuid:tournament_id>/stream")
@_public_stream
def tournament_stream(tournament_id: UUID) -> Response:
    """Where a tournament is, sent again whenever anything of it changes"""
    name = f"tournament {tournament_id}"
    return _stream(name, lambda here: tournament_boards.moment(here, tournament_id))


@blp.route("/changes")
@guard.identifies_everybody
@guard.open_to_all
@wants()
@blp.arguments(ChangesQuery, location="query")
@blp.response(200, schema_of(ChangeEventData), content_type=EVENTS)
def changes(query: Body) -> Response:
    """The tags of several public views, sent again whenever one changes: one stream a browser"""
    views = {of: _view(*of.split("/")) for of in query["of"]}
    return _streaming(views, LiveStream.changes)


def _view(kind: str, of: str = "") -> AskBoard:
    """What returns a public view, by its address after ``/public/``."""
    if kind == "sala":
        return boards.hall
    about = UUID(of)
    if kind == "sessions":
        return lambda here: boards.session(here, about)
    if kind == "tournaments":
        return lambda here: tournament_boards.moment(here, about)
    return lambda here: boards.table(here, about)


def _reply_with_board(board: Board[ViewT]) -> Response:
    return reply(board.view, tag=board.tag, headers={"Cache-Control": "public, no-cache"})


def _stream(name: str, ask: AskBoard) -> Response:
    """The response with the stream of a board."""
    seen = request.headers.get("Last-Event-ID", "")
    return _streaming({name: ask}, lambda watch: watch.events(seen))


def _streaming(
    asks: Mapping[str, AskBoard], sent: Callable[[LiveStream], Iterator[bytes]]
) -> Response:
    """The response with a stream of boards; for HEAD the stream is closed at once."""
    here = current_services()
    shown = {name: _message_of(ask, here) for name, ask in asks.items()}
    try:
        watch = here.hub.watch_all(shown, _reader())
    except NoFreeStream:
        raise Problem("streams_full", headers={"Retry-After": "5"}) from None
    response = Response(sent(watch), mimetype=EVENTS)
    response.call_on_close(watch.close)
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    return response


def _message_of(ask: AskBoard, here: Services) -> Callable[[], BoardMessage]:
    return lambda: ask(here).message()


def _reader() -> StreamReader:
    return StreamReader(address(), g.actor is not None, _connection())


def _connection() -> int | None:
    """The socket of the request; the kernel closes it if the client no longer answers.

    None if there is none, as in a test.
    """
    connection = socket_of_request()
    if connection is None:
        return None
    ports.give_up_after(connection, _SILENCE_MS)
    return int(connection.fileno())
