"""Public pages of tournaments: current round, brackets, groups, standings, pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, request
from msgspec.structs import asdict

from api.html import qr_codes
from api.html.addresses import url_for_others
from api.html.pages import page
from api.http.access import guard
from api.http.languages import say
from api.http.services import current_services
from api.tournaments import (
    bracket as bracket_display,
)
from api.tournaments import (
    standings as standings_display,
)
from api.tournaments import (
    views as tournament_views,
)
from api.tournaments.display import TournamentDisplay, groups_with_meetings_by_pairs, rules_in_words
from api.tournaments.layout import (
    AT_ONCE,
    ShownTournament,
    current_round_number,
    portion_by_query,
)
from api.tournaments.rounds import RoundDisplay
from api.tournaments.standings import price_values
from projections.tournaments.view import PlaceData
from referee.errors import NotFound

blp = Blueprint("tournaments", __name__)

GROUPS_AT_ONCE: Final = 16
SHOWN_NOW: Final = 24
SHOWN_BEFORE: Final = 8
LEADERS: Final = 8
MOST_WANTED: Final = 60
SIZE: Final = {"width": bracket_display.WIDTH, "line": bracket_display.LINE}
"""Sizes for the template of a bracket."""


@blp.get("/torneos/")
@guard.open_to_all
def index() -> Response:
    """All tournaments"""
    found = tournament_views.tournament_list_page(request.args.get("cursor", ""), AT_ONCE)
    return page("tournaments/tournaments.html", found=found.items, next=found.next)


@blp.get("/torneos/<uuid:tournament_id>")
@guard.open_to_all
def tournament_now_page(tournament_id: UUID) -> Response:
    """What is played now"""
    at = ShownTournament(tournament_id)
    display, now = at.display, at.display.current_or_last_round
    rest = [] if now is None else [one for one in now.meetings if one.mark != "called"]
    rest.sort(key=lambda one: one.is_over)
    number = current_round_number(display)
    return at.page(
        "tournaments/tournament_now.html",
        "now",
        called=display.meetings_with_call,
        shown=rest[:SHOWN_NOW],
        number=number,
        before=display.rounds[number - 2] if number > 1 else None,
        most_before=SHOWN_BEFORE,
        **price_values(display),
        rules=rules_in_words(display.view.plan, display.lang),
        leaders=standings_display.tournament_standings_rows(display)[:LEADERS],
    )


@blp.get("/torneos/<uuid:tournament_id>/cuadro")
@guard.open_to_all
def bracket_page(tournament_id: UUID) -> Response:
    """A bracket, or a part of a large one"""
    at = ShownTournament(tournament_id)
    display = at.display
    if not display.ties_by_bracket:
        raise NotFound("bracket")
    name = request.args.get("cuadro", "")
    name = name if name in display.ties_by_bracket else next(iter(display.ties_by_bracket))
    every = bracket_display.split_bracket(display.ties_by_bracket[name])
    asked = request.args.get("parte", 0, type=int)
    part = next((one for one in every if one.number == asked), every[0])
    drawn = bracket_display.bracket_layout(display.ties_by_bracket[name], part)
    return at.page(
        "tournaments/tournament_bracket.html",
        "bracket",
        name=name,
        every=every,
        drawn=drawn,
        label=_label_of_part(display, name, part),
        lists=_round_titles_with_cruces(display, name, drawn),
        **SIZE,
    )


def _label_of_part(display: TournamentDisplay, name: str, part: bracket_display.BracketPart) -> str:
    words = "section_n" if part.number else "last_rounds"
    which = say(f"tournament_page.{words}", display.lang, n=part.number)
    return say("tournament_page.drawn", display.lang, name=display.bracket_title(name), part=which)


def _round_titles_with_cruces(
    display: TournamentDisplay, name: str, drawn: bracket_display.BracketLayout
) -> list[tuple[str, Any]]:
    """Cruces of a drawn bracket by round, each with the name of the round."""
    found = []
    for number, _ in drawn.columns:
        ids = [box.tie.meeting for box in drawn.boxes if box.tie.round == number]
        its = [display.meetings_by_id[one] for one in ids if one in display.meetings_by_id]
        if its:
            found.append((display.round_title(name, number), its))
    return found


@blp.get("/torneos/<uuid:tournament_id>/grupos")
@guard.open_to_all
def groups_page(tournament_id: UUID) -> Response:
    """Groups, each with its standings and who beat whom"""
    at = ShownTournament(tournament_id)
    display = at.display
    known = portion_by_query([*groups_with_meetings_by_pairs(display)], GROUPS_AT_ONCE)
    found = [
        (group, standings_display.standings_rows(group.standings, display.lang), met)
        for group, met in known.shown
    ]
    return at.page(
        "tournaments/tournament_groups.html",
        "groups",
        groups=found,
        criteria=standings_display.criteria(display.view.plan, display.lang),
        **asdict(known),
    )


@blp.get("/torneos/<uuid:tournament_id>/clasificacion")
@guard.open_to_all
def standings_page(tournament_id: UUID) -> Response:
    """Standings, and why they are in this order"""
    at = ShownTournament(tournament_id)
    display = at.display
    known = portion_by_query(standings_display.tournament_standings_rows(display))
    return at.page(
        "tournaments/tournament_standings.html",
        "standings",
        rows=known.shown,
        criteria=standings_display.criteria(display.view.plan, display.lang),
        **price_values(display),
        **asdict(known),
    )


@blp.get("/torneos/<uuid:tournament_id>/rondas/<int(min=1,max=99):n>")
@guard.open_to_all
def round_page(tournament_id: UUID, n: int) -> Response:
    """A round, by its place among all that were drawn"""
    at = ShownTournament(tournament_id)
    if n > len(at.display.rounds):
        raise NotFound("round")
    one: RoundDisplay = at.display.rounds[n - 1]
    return at.page(
        "tournaments/tournament_round.html",
        "rounds",
        round=one,
        number=n,
        **asdict(portion_by_query(one.meetings)),
    )


@blp.get("/torneos/<uuid:tournament_id>/parejas")
@guard.open_to_all
def pairs_page(tournament_id: UUID) -> Response:
    """Pairs, all or those looked for"""
    at = ShownTournament(tournament_id)
    wanted = request.args.get("busca", "")[:MOST_WANTED]
    return at.page(
        "tournaments/tournament_pairs.html",
        "pairs",
        wanted=wanted,
        portion_address=f"?busca={wanted}&" if wanted else "?",
        **asdict(portion_by_query(at.display.find_pairs(wanted))),
    )


@blp.get("/torneos/<uuid:tournament_id>/pareja/<pair>")
@guard.open_to_all
def pair_page(tournament_id: UUID, pair: str) -> Response:
    """The page of a pair: against whom and where it plays next, its results, its place"""
    at = ShownTournament(tournament_id)
    display = at.display
    if pair not in display.pairs_by_number:
        raise NotFound("pair")
    its = display.meetings_of_pair(pair)
    table, displays = _standings_and_rows_with_pair(display, pair)
    rows = zip(table, displays, strict=True)
    place, row = next(((place, row) for place, row in rows if row.pair == pair), (None, None))
    now = display.current_or_last_round
    return at.page(
        "tournaments/tournament_pair.html",
        "pairs",
        pair=display.pairs_by_number[pair],
        next=next((one for one in its if not one.is_over), None),
        rests=now is not None and not now.is_over and display.pairs_by_number[pair] in now.byes,
        results=standings_display.results_of_pair(place, its, display.lang),
        row=row,
        group=next((one.number for one in display.view.groups if pair in one.pairs), 0),
        is_by_points=bool(place and place.rounds),
        all=len(table),
        drawn=_bracket_layout_of_pair_or_none(display, pair),
        **SIZE,
    )


def _standings_and_rows_with_pair(
    display: TournamentDisplay, pair: str
) -> tuple[Sequence[PlaceData], Sequence[standings_display.RowDisplay]]:
    """The standings that include a pair, also in words: those of its group, if it is in one."""
    for group in display.view.groups:
        if pair in group.pairs:
            return group.standings, standings_display.standings_rows(group.standings, display.lang)
    return display.view.standings, standings_display.tournament_standings_rows(display)


def _bracket_layout_of_pair_or_none(
    display: TournamentDisplay, pair: str
) -> bracket_display.BracketLayout | None:
    """Drawing of the part of the main bracket in which a pair begins; None if it is not in it."""
    ties = display.ties_by_bracket.get("main", [])
    if not any(pair in tie.pairs for tie in ties):
        return None
    return bracket_display.bracket_layout(ties, bracket_display.first_part_of_pair(ties, pair))


@blp.get("/torneos/<uuid:tournament_id>/mesa/<int(min=1,max=9999):n>")
@guard.open_to_all
def table_page(tournament_id: UUID, n: int) -> Response:
    """What is played at a table, and what was"""
    at = ShownTournament(tournament_id)
    found = at.display.meetings_at_table(n)
    return at.page(
        "tournaments/tournament_table.html",
        "now",
        number=n,
        name=at.display.own_table_name_or_empty(n),
        waiting=[one for one in found if not one.is_over],
        past=[one for one in found if one.is_over],
    )


@blp.get("/torneos/<uuid:tournament_id>/sorteo")
@guard.open_to_all
def draw_page(tournament_id: UUID) -> Response:
    """The draw: what was published before it and after it"""
    at = ShownTournament(tournament_id)
    made = at.display.view.draw
    known = portion_by_query((made and made.order) or [])
    order = [at.display.pairs_by_number[one] for one in known.shown]
    state = current_services().referee.tournaments.tournament(tournament_id)
    committed = state.committed
    shown, apart = at.display.pairs_by_number, () if committed is None else committed.apart
    again = at.display.view.repechage
    return at.page(
        "tournaments/tournament_draw.html",
        "draw",
        order=order,
        moved_up=state.moved_up,
        again=[shown[one] for one in again.order] if again else [],
        apart=[[shown[one] for one in pairs if one in shown] for pairs in apart],
        **asdict(known),
    )


@blp.get("/torneos/<uuid:tournament_id>/qr.svg")
@guard.open_to_all
def tournament_qr_code(tournament_id: UUID) -> Response:
    """The address of a tournament, for a phone"""
    return _qr_response_for_endpoint("tournament_now_page", tournament_id)


@blp.get("/torneos/<uuid:tournament_id>/pareja/<pair>/qr.svg")
@guard.open_to_all
def pair_qr_code(tournament_id: UUID, pair: str) -> Response:
    """The address of the page of a pair, for its players"""
    if pair not in ShownTournament(tournament_id).display.pairs_by_number:
        raise NotFound("pair")
    return _qr_response_for_endpoint("pair_page", tournament_id, pair=pair)


def _qr_response_for_endpoint(endpoint: str, tournament_id: UUID, **values: Any) -> Response:
    ShownTournament(tournament_id)
    address = url_for_others(f"pages.tournaments.{endpoint}", tournament_id=tournament_id, **values)
    return qr_codes.qr_response(address)
