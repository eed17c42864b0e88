"""Pages of the problem of the week: solved by taps, an archive, a sheet to print."""

from __future__ import annotations

from flask import Blueprint, Response

from api.html import qr_codes
from api.html.addresses import url_for_others
from api.html.assets import card_symbols
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language, say, texts_of_families, use_card_pack
from api.puzzles import views
from referee.analysis.engine import is_analysis_available, wasm_base64
from referee.rules.seats import Seat

blp = Blueprint("puzzles", __name__)
_WORDS = ("puzzle", "replay", "grammar", "card", "suit", "rank")


@blp.get("/problema")
@guard.requires("read")
@guard.open_when(views.may_everybody_see_puzzles)
def show_latest_puzzle() -> Response:
    """Page with the problem of the latest week"""
    found = views.puzzle_of_latest_week()
    if found is None:
        return page("puzzles/none.html", has_engine=is_analysis_available())
    return _puzzle_page(found)


@blp.get("/problema/qr.svg")
@guard.requires("read")
@guard.open_when(views.may_everybody_see_puzzles)
def show_latest_puzzle_qr() -> Response:
    """QR code with the address of the page of the latest problem"""
    views.require_puzzles()
    return qr_codes.qr_response(url_for_others("pages.puzzles.show_latest_puzzle"))


@blp.get("/problema/<string(length=10):week>")
@guard.requires("read")
@guard.open_when(views.may_everybody_see_week)
def show_puzzle_of_week(week: str) -> Response:
    """The problem of an earlier week"""
    return _puzzle_page(views.require_puzzle_of_week(week))


@blp.get("/problema/<string(length=10):week>/hoja")
@guard.requires("read")
@guard.open_when(views.may_everybody_see_week)
def show_puzzle_sheet(week: str) -> Response:
    """A problem for paper, with its solution on the next page"""
    found = views.require_puzzle_of_week(week)
    shown = views.diagram_of(found.puzzle)
    with use_card_pack(shown.pack):
        return page("puzzles/sheet.html", week=week, puzzle=found.puzzle, diagram=shown)


def _puzzle_page(found: views.WeekShown) -> Response:
    shown = views.diagram_of(found.puzzle)
    with use_card_pack(shown.pack):
        return page(
            "puzzles/puzzle.html",
            week=found.week,
            weeks=found.weeks,
            puzzle=found.puzzle,
            diagram=shown,
            people=_place_phrase_by_seat(shown),
            words=texts_of_families(language(), *_WORDS),
            drawings=card_symbols(shown.cards, shown.pack),
            engine=wasm_base64(),
        )


def _place_phrase_by_seat(shown: views.DiagramDisplay) -> dict[Seat, dict[str, object]]:
    """The seats by the names of their places, as the scripts of pages take a name."""
    lang = language()
    return {
        seat: {"text": say(f"puzzle.{at}", lang), "gender": "", "isMany": False}
        for seat, at in shown.places.items()
    }
