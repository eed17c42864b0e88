"""The page on which the day of an evening, a tournament or an encuentro is corrected."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, form_value, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import current_services
from api.seasons.day.rest import DayIn, correct_day_outside_evening, evening_id_or_empty
from referee.events import EncuentroOpened, SessionOpened
from referee.events.tournament import TournamentOpened
from referee.log.streams import Answer, WriteMetadata

blp = Blueprint("day_pages", __name__)
_EVENING, _ENCUENTRO = "/jornadas/<uuid:session_id>/dia", "/e/<uuid:encuentro_id>/dia"
_TOURNAMENT = "/torneos/<uuid:tournament_id>/direccion/dia"


@blp.get(_EVENING)
@guard.requires("club:manage")
def show_session_day_form(session_id: UUID) -> Response:
    """The form that corrects the day of an evening"""
    return _session_day_page(session_id, [], 200)


@blp.post(_EVENING)
@guard.requires("club:manage")
def correct_session_day(session_id: UUID) -> AnyResponse:
    """The evening and its tables have another day"""
    handler = current_services().referee.seasons
    return _correct_day(
        handler.session(session_id).opened,
        f"{prefix()}/jornadas/{session_id}",
        lambda day, made, version: handler.correct_session_day(session_id, day, made, version),
        lambda wrong, status: _session_day_page(session_id, wrong, status),
    )


@blp.get(_ENCUENTRO)
@guard.requires("club:manage")
def show_encuentro_day_form(encuentro_id: UUID) -> AnyResponse:
    """The form that corrects the day of an encuentro; a table has the day of its evening"""
    if evening := evening_id_or_empty(encuentro_id):
        return redirect(f"{prefix()}/jornadas/{evening}/dia", 303)
    return _encuentro_day_page(encuentro_id, [], 200)


@blp.post(_ENCUENTRO)
@guard.requires("club:manage")
def correct_encuentro_day(encuentro_id: UUID) -> AnyResponse:
    """The encuentro has another day"""
    return _correct_day(
        current_services().referee.encuentros.encuentro(encuentro_id).opened,
        f"{prefix()}/e/{encuentro_id}",
        lambda day, made, version: correct_day_outside_evening(encuentro_id, day, made, version),
        lambda wrong, status: _encuentro_day_page(encuentro_id, wrong, status),
    )


@blp.get(_TOURNAMENT)
@guard.requires("tournaments:run")
def show_tournament_day_form(tournament_id: UUID) -> Response:
    """The form that corrects the day of a tournament"""
    return _tournament_day_page(tournament_id, [], 200)


@blp.post(_TOURNAMENT)
@guard.requires("tournaments:run")
def correct_tournament_day(tournament_id: UUID) -> AnyResponse:
    """The tournament, and its tables that had its day, have another"""
    handler = current_services().referee.tournaments
    return _correct_day(
        handler.tournament(tournament_id).opened,
        f"{prefix()}/torneos/{tournament_id}/direccion",
        lambda day, made, version: handler.correct_day(tournament_id, day, made, version),
        lambda wrong, status: _tournament_day_page(tournament_id, wrong, status),
    )


def _correct_day(
    opened: EncuentroOpened | SessionOpened | TournamentOpened | None,
    back: str,
    correct: Callable[[str, WriteMetadata, int], Answer],
    show_wrong: Callable[[FieldErrors, int], Response],
) -> AnyResponse:
    """Correct a day as a form asks, unless it is right already, and go back to its page.

    ``show_wrong``: the page of the form with its faults and the HTTP status.
    """
    if opened is not None and opened.date == form_value("date"):
        return redirect(back, 303)

    def write() -> Answer:
        day = forms.load_by_schema(DayIn, {"date": form_value("date")})["date"]
        return correct(day, forms.meta_of_form(), forms.version_of_form("version"))

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return show_wrong(wrong, status)
    return redirect(f"{back}?wait={answer.position}", 303)


def _session_day_page(session_id: UUID, wrong: FieldErrors, status: int) -> Response:
    seasons = current_services().referee.seasons
    state = seasons.session(session_id)
    assert state.opened is not None
    season = state.opened.season
    if season and seasons.season(UUID(season)).is_closed:
        return page("seasons/day/day.html", back=f"{prefix()}/jornadas/{session_id}", is_final=True)
    return _day_page(
        f"{prefix()}/jornadas/{session_id}", state.opened.date, state.version, wrong, status
    )


def _encuentro_day_page(encuentro_id: UUID, wrong: FieldErrors, status: int) -> Response:
    state = current_services().referee.encuentros.encuentro(encuentro_id)
    assert state.opened is not None
    return _day_page(
        f"{prefix()}/e/{encuentro_id}", state.opened.date, state.version, wrong, status
    )


def _tournament_day_page(tournament_id: UUID, wrong: FieldErrors, status: int) -> Response:
    state = current_services().referee.tournaments.tournament(tournament_id)
    assert state.opened is not None
    back = f"{prefix()}/torneos/{tournament_id}/direccion"
    return _day_page(back, state.opened.date, state.version, wrong, status)


def _day_page(back: str, day: str, version: int, wrong: FieldErrors, status: int) -> Response:
    return page(
        "seasons/day/day.html",
        back=back,
        day=form_value("date") or day,
        version=version,
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )
