"""A tournament on paper and as files: brackets, groups, rounds, cards with QR codes, tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, request, url_for
from msgspec.structs import asdict

from api.html import assets, qr_codes
from api.html.addresses import root_for_others, url_for_others
from api.html.pages import page
from api.http.access import guard
from api.http.languages import language, say
from api.http.services import current_services
from api.tournaments import (
    bracket as bracket_display,
)
from api.tournaments import (
    files as tournament_files,
)
from api.tournaments import files as tournaments_files
from api.tournaments import (
    standings as standings_display,
)
from api.tournaments import (
    views as tournament_views,
)
from api.tournaments.display import groups_with_meetings_by_pairs
from api.tournaments.layout import ShownTournament, portion_by_query
from api.tournaments.pages import SIZE
from api.tournaments.rounds import RoundDisplay
from api.tournaments.standings import price_values
from referee.errors import NotFound

blp = Blueprint("tournament_sheets", __name__)

CARDS_AT_ONCE: Final = 32
"""Cards with a QR code on a page of 150 KB."""
GROUPS_AT_ONCE: Final = 16
MOST_DAYS: Final = 200
"""Tournaments in the calendar of all, the latest."""
_CSV: Final = {
    "parejas": tournament_files.pairs_csv_text,
    "cruces": tournament_files.meetings_csv_text,
    "clasificacion": tournament_files.standings_csv_text,
}


@blp.get("/torneos/<uuid:tournament_id>/ficheros")
@guard.open_to_all
def files_page(tournament_id: UUID) -> Response:
    """What can be printed and downloaded"""
    at = ShownTournament(tournament_id)
    view, home = at.display.view, at.home
    sheets = [
        ("print_bracket", "cuadro", view.bracket),
        ("print_groups", "grupos", view.groups),
        ("print_round", "ronda", view.rounds),
        ("print_standings", "clasificacion", view.standings),
        ("print_tables", "mesas", view.rounds),
        ("print_pairs", "parejas", view.pairs),
    ]
    return at.page(
        "tournaments/tournament_files.html",
        "files",
        to_print=[(name, f"{home}/imprimir/{path}") for name, path, there in sheets if there],
        to_download=[
            *((f"csv_{one}", f"{home}/{path}.csv") for one, path in _CSV_NAMES),
            ("json", url_for("tournaments.show_tournament", tournament_id=tournament_id)),
            ("ics", f"{home}/calendario.ics"),
        ],
    )


_CSV_NAMES: Final = (
    ("pairs", "parejas"),
    ("meetings", "cruces"),
    ("standings", "clasificacion"),
)


def _render_sheet(at: ShownTournament, template: str, **values: Any) -> Response:
    """Compressed response with a sheet to be printed, from a template and these values."""
    return assets.compress_if_accepted(page(template, display=at.display, home=at.home, **values))


@blp.get("/torneos/<uuid:tournament_id>/imprimir/cuadro")
@guard.open_to_all
def bracket_sheet(tournament_id: UUID) -> Response:
    """A bracket, each of its parts a sheet"""
    at = ShownTournament(tournament_id)
    if not at.display.ties_by_bracket:
        raise NotFound("bracket")
    name = request.args.get("cuadro", "")
    name = name if name in at.display.ties_by_bracket else next(iter(at.display.ties_by_bracket))
    ties = at.display.ties_by_bracket[name]
    drawings = [
        bracket_display.bracket_layout(ties, part) for part in bracket_display.split_bracket(ties)
    ]
    return _render_sheet(
        at, "tournaments/sheets/bracket.html", name=name, drawings=drawings, **SIZE
    )


@blp.get("/torneos/<uuid:tournament_id>/imprimir/grupos")
@guard.open_to_all
def groups_sheet(tournament_id: UUID) -> Response:
    """Groups with their cruces, to be filled in by hand"""
    at = ShownTournament(tournament_id)
    return _render_sheet(
        at,
        "tournaments/sheets/groups.html",
        **asdict(portion_by_query([*groups_with_meetings_by_pairs(at.display)], GROUPS_AT_ONCE)),
    )


@blp.get("/torneos/<uuid:tournament_id>/imprimir/ronda")
@guard.open_to_all
def round_sheet(tournament_id: UUID) -> Response:
    """The list of a round: table, pairs, and a place for the result"""
    at = ShownTournament(tournament_id)
    number = request.args.get("ronda", 0, type=int)
    its = _round_or_current(at, number)
    return _render_sheet(at, "tournaments/sheets/round.html", round=its)


def _round_or_current(at: ShownTournament, number: int) -> RoundDisplay:
    """A round by its number, or the current one if there is none; NotFound before any round."""
    rounds, now = at.display.rounds, at.display.current_or_last_round
    if now is None:
        raise NotFound("round")
    return rounds[number - 1] if 0 < number <= len(rounds) else now


@blp.get("/torneos/<uuid:tournament_id>/imprimir/clasificacion")
@guard.open_to_all
def standings_sheet(tournament_id: UUID) -> Response:
    """Standings with what decided each place"""
    at = ShownTournament(tournament_id)
    view, lang = at.display.view, at.display.lang
    return _render_sheet(
        at,
        "tournaments/sheets/standings.html",
        rows=standings_display.tournament_standings_rows(at.display),
        criteria=standings_display.criteria(view.plan, lang),
        **price_values(at.display),
    )


@blp.get("/torneos/<uuid:tournament_id>/imprimir/mesas")
@guard.open_to_all
def table_cards_sheet(tournament_id: UUID) -> Response:
    """Cards that stand on the tables: the number, and a code that leads to what is played there"""
    at = ShownTournament(tournament_id)
    met = {one.table for one in at.display.meetings_by_id.values()}
    tables = range(1, max((at.display.view.plan["tables"], *met)) + 1)
    known = portion_by_query(tables, CARDS_AT_ONCE)
    named = at.display.own_table_name_or_empty
    cards = [
        (str(one), (named(one),) if named(one) else (), _qr_image("table_page", at, n=one))
        for one in known.shown
    ]
    return _render_sheet(
        at, "tournaments/sheets/cards.html", of="table", cards=cards, **asdict(known)
    )


@blp.get("/torneos/<uuid:tournament_id>/imprimir/parejas")
@guard.open_to_all
def pair_cards_sheet(tournament_id: UUID) -> Response:
    """Cards for the pairs: their number, and a code that leads to their page"""
    at = ShownTournament(tournament_id)
    known = portion_by_query([*at.display.pairs_by_number.values()], CARDS_AT_ONCE)
    cards = [
        (one.number, one.players, _qr_image("pair_page", at, pair=one.number))
        for one in known.shown
    ]
    return _render_sheet(
        at, "tournaments/sheets/cards.html", of="pair", cards=cards, **asdict(known)
    )


def _qr_image(endpoint: str, at: ShownTournament, **values: Any) -> Any:
    endpoint = f"pages.tournaments.{endpoint}"
    address = url_for_others(endpoint, tournament_id=at.id, **values)
    return qr_codes.qr_inline(address, omitsize=True)


@blp.get("/torneos/<uuid:tournament_id>/<any(parejas, cruces, clasificacion):what>.csv")
@guard.open_to_all
def csv_file(tournament_id: UUID, what: str) -> Response:
    """Pairs, cruces or standings for a spreadsheet"""
    at = ShownTournament(tournament_id)
    return _file_response(_CSV[what](at.display).encode(), "text/csv; charset=utf-8", f"{what}.csv")


@blp.get("/torneos/<uuid:tournament_id>/calendario.ics")
@guard.open_to_all
def tournament_calendar(tournament_id: UUID) -> Response:
    """The day of a tournament and its rounds for a calendar"""
    display = ShownTournament(tournament_id).display
    return _calendar_response(
        display.name,
        tournaments_files.day_and_round_appointments(display, root_for_others()),
        "torneo.ics",
    )


@blp.get("/torneos/<uuid:tournament_id>/pareja/<pair>/calendario.ics")
@guard.open_to_all
def pair_calendar(tournament_id: UUID, pair: str) -> Response:
    """The cruces of a pair for a calendar"""
    display = ShownTournament(tournament_id).display
    if pair not in display.pairs_by_number:
        raise NotFound("pair")
    found = tournaments_files.appointments_of_pair(display, pair, root_for_others())
    return _calendar_response(
        f"{display.pairs_by_number[pair].name} · {display.name}", found, "pareja.ics"
    )


@blp.get("/torneos/calendario.ics")
@guard.open_to_all
def tournaments_calendar() -> Response:
    """The days of all tournaments for a calendar"""
    every = tournament_views.tournament_list_page("", MOST_DAYS).items
    found = tournaments_files.day_appointments_of_tournaments(every, root_for_others())
    return _calendar_response(say("tournament_page.all", language()), found, "torneos.ics")


def _calendar_response(
    name: str, found: Iterable[tournaments_files.Appointment], file: str
) -> Response:
    made = tournaments_files.icalendar_bytes(name, found, current_services().clock())
    return _file_response(made, "text/calendar; charset=utf-8", file)


def _file_response(content: bytes, kind: str, name: str) -> Response:
    response = Response(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return assets.compress_if_accepted(response)
