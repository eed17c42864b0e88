"""Public pieces in the frame of another site, a board for a stream, and how to copy them."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, url_for

from api.board import boards
from api.board.pages import render_hall_board, render_table_board
from api.html.addresses import origin_for_others
from api.html.pages import page, theme_of_address
from api.http.access import guard
from api.http.access.origins import EMBED_VARIABLE, embedding_sites
from api.http.access.security_headers import policy_in_frames
from api.http.services import are_seasons_public, are_team_leagues_public, current_services
from api.leagues.pages import display_and_division_in_query
from api.seasons import views
from api.tournaments.layout import ShownTournament
from api.tournaments.wall import render_wall_page, require_tournament_with_bracket
from referee.errors import NotFound

blp = Blueprint("embed", __name__)
_PIECE: Final = "embed/embedded.html"
"""Any board or wall without its frame: ``whole`` is its own template."""


class Piece(NamedTuple):
    """A piece that can be embedded: the key of its name, and its addresses.

    ``path``: of the piece; ``whole``: of the page that it is from.
    """

    name: str
    path: str
    whole: str


@blp.get("/incrustar/mesa/<uuid:encuentro_id>")
@guard.open_to_all
def table(encuentro_id: UUID) -> Response:
    """The board of a table, for a frame"""
    home = url_for("pages.boards.mesa", encuentro_id=encuentro_id)
    return _allow_frames(
        render_table_board(encuentro_id, _PIECE, whole="board/mesa.html", home=home)
    )


@blp.get("/incrustar/sala")
@guard.open_to_all
def hall() -> Response:
    """The board of all tables, for a frame"""
    home = url_for("pages.boards.sala")
    return _allow_frames(render_hall_board(_PIECE, whole="board/sala.html", home=home))


@blp.get("/incrustar/torneos/<uuid:tournament_id>/cuadro")
@guard.open_to_all
def bracket(tournament_id: UUID) -> Response:
    """Brackets of a tournament, for a frame"""
    return _tournament_frame(require_tournament_with_bracket(tournament_id), "bracket")


@blp.get("/incrustar/torneos/<uuid:tournament_id>/clasificacion")
@guard.open_to_all
def standings(tournament_id: UUID) -> Response:
    """Standings of a tournament, for a frame"""
    return _tournament_frame(ShownTournament(tournament_id), "standings")


@blp.get("/incrustar/temporadas/<uuid:season_id>")
@guard.open_to_all
def season(season_id: UUID) -> Response:
    """The table of points of a season, for a frame, if the club publishes its league"""
    if not are_seasons_public():
        raise NotFound(season_id)
    home = url_for("pages.seasons_pages.show_season_page", season_id=season_id)
    view = views.complete_season_view(season_id)
    return _allow_frames(page("embed/season.html", view=view, home=home, theme=theme_of_address()))


@blp.get("/incrustar/ligas/<uuid:league_id>")
@guard.open_to_all
def league(league_id: UUID) -> Response:
    """The table of a division of a league of teams, for a frame, unless the club keeps it"""
    if not are_team_leagues_public():
        raise NotFound(league_id)
    display, division = display_and_division_in_query(league_id)
    return _allow_frames(
        page(
            "embed/league.html",
            display=display,
            division=division,
            home=display.home,
            theme=theme_of_address(),
        )
    )


def _tournament_frame(at: ShownTournament, section: str) -> Response:
    whole = "tournaments/wall.html"
    return _allow_frames(render_wall_page(at, (section,), _PIECE, whole=whole, home=at.home))


def _allow_frames(response: Response) -> Response:
    """An answer that the sites of the setting may embed, and no other."""
    response.headers["Content-Security-Policy"] = policy_in_frames(embedding_sites())
    return response


@blp.get("/mesa/<uuid:encuentro_id>/emision")
@guard.open_to_all
def show_board_for_stream(encuentro_id: UUID) -> Response:
    """The board of a table without background, for a stream"""
    return render_table_board(encuentro_id, "embed/broadcast.html")


@blp.get("/sala/compartir")
@guard.requires("encuentros:open")
def show_embed_code_of_hall() -> Response:
    """What another site copies to embed the board of all tables"""
    hall = Piece("hall", url_for("pages.embed.hall"), url_for("pages.boards.sala"))
    return _embed_code_page(hall.whole, hall)


@blp.get("/mesa/<uuid:encuentro_id>/compartir")
@guard.requires("encuentros:open")
def show_embed_code_of_table(encuentro_id: UUID) -> Response:
    """What another site copies to embed the board of a table, and its address for a stream"""
    boards.table_board(current_services(), encuentro_id)
    whole = url_for("pages.boards.mesa", encuentro_id=encuentro_id)
    table = Piece("table", url_for("pages.embed.table", encuentro_id=encuentro_id), whole)
    stream = url_for("pages.embed.show_board_for_stream", encuentro_id=encuentro_id)
    return _embed_code_page(whole, table, stream=stream)


@blp.get("/torneos/<uuid:tournament_id>/compartir")
@guard.requires("tournaments:run")
def show_embed_code_of_tournament(tournament_id: UUID) -> Response:
    """What another site copies to embed standings and bracket of a tournament"""
    at = ShownTournament(tournament_id)
    names = [*(["bracket"] if at.display.ties_by_bracket else []), "standings"]
    pieces = [
        Piece(name, url_for(f"pages.embed.{name}", tournament_id=at.id), at.home) for name in names
    ]
    return _embed_code_page(at.home, *pieces)


@blp.get("/temporadas/<uuid:season_id>/compartir")
@guard.requires("club:manage")
def show_embed_code_of_season(season_id: UUID) -> Response:
    """What another site copies to embed the table of points of a season"""
    views.complete_season_view(season_id)
    whole = url_for("pages.seasons_pages.show_season_page", season_id=season_id)
    table = Piece("season", url_for("pages.embed.season", season_id=season_id), whole)
    return _embed_code_page(whole, table, is_closed=not are_seasons_public())


@blp.get("/ligas/<uuid:league_id>/compartir")
@guard.requires("tournaments:run")
def show_embed_code_of_league(league_id: UUID) -> Response:
    """What another site copies to embed the table of a division of a league of teams"""
    display, division = display_and_division_in_query(league_id)
    path = url_for("pages.embed.league", league_id=league_id, division=division.division)
    piece = Piece("league", path, display.home)
    return _embed_code_page(display.home, piece, is_closed=not are_team_leagues_public())


def _embed_code_page(
    back: str, *pieces: Piece, stream: str = "", is_closed: bool = False
) -> Response:
    """The page with the code that another site copies.

    ``is_closed``: The club does not publish what it shows.
    """
    return page(
        "embed/share.html",
        pieces=pieces,
        is_closed=is_closed,
        stream=stream,
        back=back,
        here=origin_for_others(),
        sites=embedding_sites(),
        setting=EMBED_VARIABLE,
    )
