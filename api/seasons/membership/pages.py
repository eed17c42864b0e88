"""The page on which an evening is put into a season, or taken out of one."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.problems import Problem
from api.http.services import await_end_of_log, current_services
from api.seasons import sessions, views
from api.seasons.membership.outlook import (
    evening_move_outlook,
    standing_lines_only_before,
    standing_lines_with_former,
)
from referee.log.streams import Answer

blp = Blueprint("session_season_pages", __name__)
_ONE = "/jornadas/<uuid:session_id>/temporada"


@blp.get(_ONE)
@guard.requires("club:manage")
def show_evening_move_form(session_id: UUID) -> Response:
    """The form that moves an evening to another season, with the tables as they would be"""
    await_end_of_log()
    return _evening_move_page(
        session_id, _existing_season_id(request.args.get("temporada", "")), [], 200
    )


@blp.post(_ONE)
@guard.requires("club:manage")
def move_evening_from_form(session_id: UUID) -> AnyResponse:
    """Move an evening to another season, or to none, from its form"""
    season = _existing_season_id(request.form.get("temporada", ""))

    def write() -> Answer:
        made, version = forms.meta_of_form(), forms.version_of_form("version")
        return current_services().referee.seasons.move_session_to_season(
            session_id, season, made, version
        )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        await_end_of_log()
        return _evening_move_page(session_id, season, wrong, status)
    return redirect(f"{prefix()}/jornadas/{session_id}?wait={answer.position}", 303)


def _existing_season_id(typed: str) -> str:
    """The season of a form or an address; empty: none.

    :raises Problem: there is no such season
    """
    try:
        return sessions.require_season(UUID(typed) if typed else None)
    except ValueError:
        raise Problem("not_found") from None


def _evening_move_page(session_id: UUID, season: str, wrong: FieldErrors, status: int) -> Response:
    found = evening_move_outlook(session_id, season)
    return page(
        "seasons/membership/move.html",
        view=views.complete_session_view(session_id),
        season=season,
        version=found.version,
        tables=[
            (one, list(standing_lines_with_former(one)), standing_lines_only_before(one))
            for one in found.seasons
        ],
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )
