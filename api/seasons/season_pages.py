"""Pages of seasons: their tables of points, and everybody in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.club.phones.book import forget_expired_phones
from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import (
    are_seasons_public,
    await_position_in_request,
    current_services,
    pending_texts,
)
from api.seasons import calendar_pages, day_proposals, next_evening, rating_line, schemas, views
from api.seasons import forms as season_forms
from api.seasons.fees.prizes import fees_line
from api.seasons.pair_views import (
    PairInSeasonData,
    PairOfPlayerData,
    pair_results_in_season,
    pairs_of_player_in_season,
)
from api.seasons.rules import require_rules_in_body
from referee.events import ScoringSet, SeasonAct, SeasonClosed, SeasonOpened, SeasonScoring
from referee.log.streams import Answer

blp = Blueprint("seasons_pages", __name__)
_ONE: Final = "/temporadas/<uuid:season_id>"
SUGGESTED: Final = SeasonScoring(encuentro_won=3, encuentro_level=1, coto_won=1, attendance=1)
"""Default points in the form of a new season."""


@blp.get("/temporadas/")
@guard.requires("read")
@guard.open_when(are_seasons_public)
def show_seasons() -> Response:
    """Every season, and the form that opens one"""
    await_position_in_request()
    return _seasons_page([], 200)


@blp.post("/temporadas/")
@guard.requires("club:manage")
def open_season_from_form() -> AnyResponse:
    """Open a season with its rule of points, from a form"""

    def write() -> Answer:
        body = forms.load_by_schema(schemas.SeasonIn, season_forms.season_in_form())
        scoring = msgspec.convert(body["scoring"], SeasonScoring)
        days = body.get("since", ""), body.get("until", "")
        with pending_texts() as put:
            act = SeasonOpened(
                put.add_text(body["name"]), *days, scoring, body["of"], require_rules_in_body(body)
            )
            return put.erase_if_replayed(
                current_services().referee.seasons.open_season(act, forms.meta_of_form())
            )

    answer, wrong, status = attempt_write(write)
    return (
        _seasons_page(wrong, status) if answer is None else _redirect_to_season(answer.id, answer)
    )


@blp.get(_ONE)
@guard.open_to_all
def show_season_page(season_id: UUID) -> Response:
    """A season: its table of points with the reason of each, its evenings"""
    await_position_in_request()
    return _season_page(season_id, [], 200)


@blp.post(f"{_ONE}/puntos")
@guard.requires("club:manage")
def set_scoring_from_form(season_id: UUID) -> AnyResponse:
    """Set another rule of points for a season, from a form"""

    def write() -> Answer:
        body = forms.load_by_schema(schemas.ScoringIn, season_forms.scoring_in_form())
        return _record_act_of_form(season_id, ScoringSet(msgspec.convert(body, SeasonScoring)))

    answer, wrong, status = attempt_write(write)
    return (
        _season_page(season_id, wrong, status)
        if answer is None
        else _redirect_to_season(season_id, answer)
    )


@blp.post(f"{_ONE}/cierre")
@guard.requires("club:manage")
def close_season_from_form(season_id: UUID) -> AnyResponse:
    """Close a season: no evening is added any more"""
    answer, wrong, status = attempt_write(lambda: _record_act_of_form(season_id, SeasonClosed()))
    forget_expired_phones(current_services())
    return (
        _season_page(season_id, wrong, status)
        if answer is None
        else _redirect_to_season(season_id, answer)
    )


@blp.get(f"{_ONE}/jugador/<string(length=32):person_id>")
@guard.open_to_all
def player_page(season_id: UUID, person_id: str) -> Response:
    """Somebody in a season: form, streaks, with and against whom, rating drawn as a line"""
    view = views.player_results_in_season(season_id, person_id)
    return _competitor_page(
        "seasons/season_player.html", view, pairs_of_player_in_season(season_id, person_id)
    )


@blp.get(f"{_ONE}/pareja/<string(length=32):pair_id>")
@guard.open_to_all
def pair_page(season_id: UUID, pair_id: str) -> Response:
    """A pair in a season of pairs: form, streaks, against whom, rating drawn as a line"""
    await_position_in_request()
    return _competitor_page("seasons/season_pair.html", pair_results_in_season(season_id, pair_id))


@blp.get(f"{_ONE}/pareja/<string(length=32):person_id>/<string(length=32):partner_id>")
@guard.open_to_all
def two_partners_page(season_id: UUID, person_id: str, partner_id: str) -> Response:
    """Two partners in a season: what they won together, their rating drawn as a line"""
    return _competitor_page(
        "seasons/season_partners.html", views.results_of_partners(season_id, person_id, partner_id)
    )


def _competitor_page(
    template: str,
    view: views.SeasonPlayerData | views.SeasonPairData | PairInSeasonData,
    pairs: Sequence[PairOfPlayerData] = (),
) -> Response:
    line = rating_line.geometry_of_rating_line(view.ratings)
    size = {"width": rating_line.WIDTH, "height": rating_line.HEIGHT}
    return page(template, view=view, pairs=pairs, line=line, size=size)


def _record_act_of_form(season_id: UUID, act: SeasonAct) -> Answer:
    """Record an act of a season at the version of the form."""
    version = forms.version_of_form("version")
    return current_services().referee.seasons.record_season_act(
        season_id, act, forms.meta_of_form(), version
    )


def _redirect_to_season(season_id: UUID, answer: Answer) -> AnyResponse:
    return redirect(f"{prefix()}/temporadas/{season_id}?wait={answer.position}", 303)


def _seasons_page(wrong: FieldErrors, status: int) -> Response:
    return page(
        "seasons/seasons.html",
        found=views.every_season(),
        typed=request.form,
        scoring=msgspec.structs.asdict(SUGGESTED),
        scored=season_forms.SCORED,
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )


def _season_page(season_id: UUID, wrong: FieldErrors, status: int) -> Response:
    view = views.complete_season_view(season_id)
    has_no_calendar = not view.calendar and not view.closed
    return page(
        "seasons/season.html",
        view=view,
        fees=fees_line(view, view.of, view.standings if view.closed else []),
        scored=season_forms.SCORED,
        plan=calendar_pages.preset_of_calendar(view)
        if may("club:manage") and has_no_calendar
        else None,
        weekdays=day_proposals.WEEKDAYS,
        denied=views.tables_with_denial(season_id),
        coming=day_proposals.coming_days(view.calendar, next_evening.today()),
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )
