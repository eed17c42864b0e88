"""Boards on the wall and on a phone: the public views as pages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, Response, url_for

from api.board import boards
from api.board import display as board_display
from api.html import assets, qr_codes
from api.html.addresses import url_for_others
from api.html.pages import board_page
from api.http.access import guard
from api.http.languages import language
from api.http.services import current_services
from api.puzzles import views as puzzles
from api.puzzles.views import diagram_of

blp = Blueprint("boards", __name__)


@blp.get("/mesa/<uuid:encuentro_id>")
@guard.open_to_all
def mesa(encuentro_id: UUID) -> Response:
    """Page with the board of a table"""
    return render_table_board(encuentro_id)


def render_table_board(
    encuentro_id: UUID, template: str = "board/mesa.html", **more: Any
) -> Response:
    """HTTP response with the board of a table in this template.

    :raises NotFound: there is no such table
    """
    board = boards.await_table_board(encuentro_id)
    display = board_display.table_display(board.view, language())
    view = url_for("public.show", encuentro_id=encuentro_id)
    return board_page(template, board.tag, view, display=display, **more)


@blp.get("/sala/")
@guard.open_to_all
def sala() -> Response:
    """Page with the board of all tables"""
    return render_hall_board()


def render_hall_board(template: str = "board/sala.html", **more: Any) -> Response:
    """HTTP response with the board of all tables in this template, compressed."""
    board = boards.read_hall_board(current_services())
    displays = [board_display.table_display(view, language()) for view in board.view.tables]
    now = current_services().clock()
    calling = [boards.pair_calls_display(view, language(), now) for view in board.view.tournaments]
    view = url_for("public.sala")
    legend = board_display.legend_of_marks(displays, language())
    values = {"displays": displays, "calling": calling, "legend": legend, **more}
    if board.view.puzzle:
        values["puzzle"] = puzzles.require_puzzle_of_week(board.view.puzzle).puzzle
        values["diagram"] = diagram_of(values["puzzle"])
    return assets.compress_if_accepted(board_page(template, board.tag, view, **values))


@blp.get("/mesa/<uuid:encuentro_id>/qr.svg")
@guard.open_to_all
def mesa_qr_code(encuentro_id: UUID) -> Response:
    """QR code with the address of the board of a table"""
    boards.await_table_board(encuentro_id)
    return qr_codes.qr_response(url_for_others("pages.boards.mesa", encuentro_id=encuentro_id))


@blp.get("/sala/qr.svg")
@guard.open_to_all
def sala_qr_code() -> Response:
    """QR code with the address of the board of all tables"""
    return qr_codes.qr_response(url_for_others("pages.boards.sala"))
