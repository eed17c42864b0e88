"""Public pages of tournaments: current round, brackets, groups, standings, pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, request, url_for

from api.html import qr_codes
from api.html.pages import page
from api.http import guard
from api.http.languages import say
from api.tournaments import (
    bracket as bracket_face,
)
from api.tournaments import (
    standings as standings_face,
)
from api.tournaments import (
    views as tournament_views,
)
from api.tournaments.face import TournamentFace, by_group
from api.tournaments.rounds import RoundFace
from api.tournaments.visit import AT_ONCE, Visit, number_now, portion_of
from projections.tournaments.view import PlaceData
from referee.errors import NotFound

blp = Blueprint("tournaments", __name__)

GROUPS_AT_ONCE: Final = 16
SHOWN_NOW: Final = 24
LEADERS: Final = 8
MOST_WANTED: Final = 60
SIZE: Final = {"width": bracket_face.WIDTH, "line": bracket_face.LINE}
"""Sizes for the template of a bracket."""


@blp.get("/torneos/")
@guard.open_to_all
@guard.identifies_everybody
def index() -> Response:
    """All tournaments"""
    found = tournament_views.tournaments(request.args.get("cursor", ""), AT_ONCE)
    return page("tournaments/tournaments.html", found=found["items"], next=found["next"])


@blp.get("/torneos/<uuid:tournament_id>")
@guard.open_to_all
@guard.identifies_everybody
def show(tournament_id: UUID) -> Response:
    """What is played now"""
    at = Visit(tournament_id)
    face, now = at.face, at.face.now
    rest = [] if now is None else [one for one in now.meetings if one.mark != "called"]
    rest.sort(key=lambda one: one.is_over)
    return at.page(
        "tournaments/tournament_now.html",
        "now",
        called=face.called,
        shown=rest[:SHOWN_NOW],
        number=number_now(face),
        leaders=standings_face.places(face)[:LEADERS],
    )


@blp.get("/torneos/<uuid:tournament_id>/cuadro")
@guard.open_to_all
def bracket(tournament_id: UUID) -> Response:
    """A bracket, or a part of a large one"""
    at = Visit(tournament_id)
    face = at.face
    if not face.brackets:
        raise NotFound("bracket")
    name = request.args.get("cuadro", "")
    name = name if name in face.brackets else next(iter(face.brackets))
    every = bracket_face.bracket_parts(face.brackets[name])
    asked = request.args.get("parte", 0, type=int)
    part = next((one for one in every if one.number == asked), every[0])
    drawn = bracket_face.bracket_layout(face.brackets[name], part)
    return at.page(
        "tournaments/tournament_bracket.html",
        "bracket",
        name=name,
        every=every,
        drawn=drawn,
        label=_label(face, name, part),
        lists=_lists(face, name, drawn),
        **SIZE,
    )


def _label(face: TournamentFace, name: str, part: bracket_face.BracketPart) -> str:
    words = "section_n" if part.number else "last_rounds"
    which = say(f"tournament_page.{words}", face.lang, n=part.number)
    return say("tournament_page.drawn", face.lang, name=face.bracket_title(name), part=which)


def _lists(
    face: TournamentFace, name: str, drawn: bracket_face.BracketLayout
) -> list[tuple[str, Any]]:
    """Cruces of a drawing, round by round."""
    found = []
    for number, _ in drawn.columns:
        ids = [box.tie["meeting"] for box in drawn.boxes if box.tie["round"] == number]
        its = [face.meetings[one] for one in ids if one in face.meetings]
        if its:
            found.append((face.tie_round(name, number), its))
    return found


@blp.get("/torneos/<uuid:tournament_id>/grupos")
@guard.open_to_all
def groups(tournament_id: UUID) -> Response:
    """Groups, each with its standings and who beat whom"""
    at = Visit(tournament_id)
    face = at.face
    known = portion_of([*by_group(face)], GROUPS_AT_ONCE)
    found = [
        (group, standings_face.rows(group["standings"], face.lang), met)
        for group, met in known["shown"]
    ]
    return at.page(
        "tournaments/tournament_groups.html",
        "groups",
        groups=found,
        criteria=standings_face.criteria(face.view["plan"], face.lang),
        **known,
    )


@blp.get("/torneos/<uuid:tournament_id>/clasificacion")
@guard.open_to_all
def standings(tournament_id: UUID) -> Response:
    """Standings, and why they are in this order"""
    at = Visit(tournament_id)
    face = at.face
    known = portion_of(standings_face.places(face))
    return at.page(
        "tournaments/tournament_standings.html",
        "standings",
        rows=known["shown"],
        criteria=standings_face.criteria(face.view["plan"], face.lang),
        **known,
    )


@blp.get("/torneos/<uuid:tournament_id>/rondas/<int(min=1,max=99):n>")
@guard.open_to_all
def round_(tournament_id: UUID, n: int) -> Response:
    """A round, by its place among all that were drawn"""
    at = Visit(tournament_id)
    if n > len(at.face.rounds):
        raise NotFound("round")
    one: RoundFace = at.face.rounds[n - 1]
    return at.page(
        "tournaments/tournament_round.html",
        "rounds",
        round=one,
        number=n,
        **portion_of(one.meetings),
    )


@blp.get("/torneos/<uuid:tournament_id>/parejas")
@guard.open_to_all
def pairs(tournament_id: UUID) -> Response:
    """Pairs, all or those looked for"""
    at = Visit(tournament_id)
    wanted = request.args.get("busca", "")[:MOST_WANTED]
    return at.page(
        "tournaments/tournament_pairs.html",
        "pairs",
        wanted=wanted,
        portion_address=f"?busca={wanted}&" if wanted else "?",
        **portion_of(at.face.found(wanted)),
    )


@blp.get("/torneos/<uuid:tournament_id>/pareja/<pair>")
@guard.open_to_all
def pair(tournament_id: UUID, pair: str) -> Response:
    """The page of a pair: against whom and where it plays next, its results, its place"""
    at = Visit(tournament_id)
    face = at.face
    if pair not in face.pairs:
        raise NotFound("pair")
    its = face.of_pair(pair)
    table, faces = _table_of(face, pair)
    rows = zip(table, faces, strict=True)
    told, row = next(((told, row) for told, row in rows if row.pair == pair), (None, None))
    now = face.now
    return at.page(
        "tournaments/tournament_pair.html",
        "pairs",
        pair=face.pairs[pair],
        next=next((one for one in its if not one.is_over), None),
        rests=now is not None and not now.is_over and face.pairs[pair] in now.byes,
        results=standings_face.results(told, its, face.lang),
        row=row,
        group=next((one["number"] for one in face.view["groups"] if pair in one["pairs"]), 0),
        is_by_points=bool(told and told["rounds"]),
        all=len(table),
        drawn=_path(face, pair),
        **SIZE,
    )


def _table_of(
    face: TournamentFace, pair: str
) -> tuple[Sequence[PlaceData], Sequence[standings_face.RowFace]]:
    """The standings that include a pair, also in words: those of its group, if it is in one."""
    for group in face.view["groups"]:
        if pair in group["pairs"]:
            return group["standings"], standings_face.rows(group["standings"], face.lang)
    return face.view["standings"], standings_face.places(face)


def _path(face: TournamentFace, pair: str) -> bracket_face.BracketLayout | None:
    """The part of the main bracket in which a pair begins, if it is in it."""
    ties = face.brackets.get("main", [])
    if not any(pair in tie["pairs"] for tie in ties):
        return None
    return bracket_face.bracket_layout(ties, bracket_face.part_of(ties, pair))


@blp.get("/torneos/<uuid:tournament_id>/mesa/<int(min=1,max=9999):n>")
@guard.open_to_all
def table(tournament_id: UUID, n: int) -> Response:
    """What is played at a table, and what was"""
    at = Visit(tournament_id)
    found = at.face.at_table(n)
    return at.page(
        "tournaments/tournament_table.html",
        "now",
        number=n,
        waiting=[one for one in found if not one.is_over],
        past=[one for one in found if one.is_over],
    )


@blp.get("/torneos/<uuid:tournament_id>/sorteo")
@guard.open_to_all
def draw(tournament_id: UUID) -> Response:
    """The draw: what was published before it and after it"""
    at = Visit(tournament_id)
    made = at.face.view["draw"]
    known = portion_of((made and made["order"]) or [])
    order = [at.face.pairs[one] for one in known["shown"]]
    return at.page("tournaments/tournament_draw.html", "draw", order=order, **known)


@blp.get("/torneos/<uuid:tournament_id>/qr.svg")
@guard.open_to_all
def code(tournament_id: UUID) -> Response:
    """The address of a tournament, for a phone"""
    return _code("show", tournament_id)


@blp.get("/torneos/<uuid:tournament_id>/pareja/<pair>/qr.svg")
@guard.open_to_all
def pair_code(tournament_id: UUID, pair: str) -> Response:
    """The address of the page of a pair, for its players"""
    if pair not in Visit(tournament_id).face.pairs:
        raise NotFound("pair")
    return _code("pair", tournament_id, pair=pair)


def _code(endpoint: str, tournament_id: UUID, **values: Any) -> Response:
    Visit(tournament_id)
    address = url_for(
        f"pages.tournaments.{endpoint}", tournament_id=tournament_id, _external=True, **values
    )
    return qr_codes.qr_picture(address)
