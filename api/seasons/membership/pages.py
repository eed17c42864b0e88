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
from api.http.services import await_log, current_services
from api.seasons import sessions, views
from api.seasons.membership.outlook import compare_lines, lines_to_remove, move_outlook
from referee.log.streams import Answer

blp = Blueprint("session_season_pages", __name__)
_ONE = "/jornadas/<uuid:session_id>/temporada"


@blp.get(_ONE)
@guard.requires("club:manage")
def show_move_form(session_id: UUID) -> Response:
    """The tables of points as they would be"""
    await_log()
    return _membership_page(
        session_id, _existing_season_id(request.args.get("temporada", "")), [], 200
    )


@blp.post(_ONE)
@guard.requires("club:manage")
def move(session_id: UUID) -> AnyResponse:
    """The evening counts for another season, or for none"""
    season = _existing_season_id(request.form.get("temporada", ""))

    def write() -> Answer:
        made, version = forms.meta_of_form(), forms.version_of_form("version")
        return current_services().referee.seasons.move_session_to_season(
            session_id, season, made, version
        )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        await_log()
        return _membership_page(session_id, season, wrong, status)
    return redirect(f"{prefix()}/jornadas/{session_id}?wait={answer.position}", 303)


def _existing_season_id(typed: str) -> str:
    """The season of a form or an address; empty: none.

    :raises Problem: there is no such season
    """
    try:
        return sessions.require_season(UUID(typed) if typed else None)
    except ValueError:
        raise Problem("not_found") from None


def _membership_page(session_id: UUID, season: str, wrong: FieldErrors, status: int) -> Response:
    found = move_outlook(session_id, season)
    return page(
        "seasons/membership/move.html",
        view=views.session(session_id),
        season=season,
        version=found.version,
        tables=[(one, list(compare_lines(one)), lines_to_remove(one)) for one in found.seasons],
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )
