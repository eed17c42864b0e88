"""Pages on which an evening is opened: the same as last time, or another."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import await_end_of_log, await_position_in_request, current_services
from api.seasons import forms as season_forms
from api.seasons import forms as seasons_forms
from api.seasons import next_evening, schemas, sessions, views
from api.seasons.next_evening import Proposal

blp = Blueprint("opening_pages", __name__)
_SAME: Final = "misma"


@blp.get("/jornadas/")
@guard.requires("read")
def show_evenings() -> Response:
    """The latest evenings, and the way to the next one"""
    await_position_in_request()
    latest = views.latest_sessions()
    again = next_evening.propose_repeat(next_evening.today(), latest, views.open_seasons())
    plan = again or _propose_repeat_or_today(same=False)
    return page("seasons/sessions.html", found=latest, again=again, plan=plan)


@blp.get("/jornadas/nueva")
@guard.requires("club:manage")
def show_evening_form() -> Response:
    """A new evening: when and where, and who is here"""
    await_end_of_log()
    plan = _propose_repeat_or_today(same=request.args.get("como") == _SAME)
    return _evening_form_page(plan, plan.last, is_same=bool(plan.last))


@blp.post("/jornadas/nueva")
@guard.requires("club:manage")
def refill_evening_form() -> Response:
    """The same form with those whose name was sought, or with those of last time ticked"""
    plan = _proposal_in_form()
    ticked = seasons_forms.ids_ticked()
    if request.form.get("do") == "same":
        ticked += next_evening.competitor_ids_at_latest_evening(views.latest_sessions(), plan.of)
    return _evening_form_page(plan, ticked, is_same=request.form.get("como") == _SAME)


@blp.post("/jornadas/")
@guard.requires("club:manage")
def open_evening_from_form() -> AnyResponse:
    """Open an evening with those who are here, and draw its tables if so asked"""

    def write() -> UUID:
        made = forms.meta_of_form()
        body = forms.load_by_schema(schemas.SessionIn, season_forms.session_in_form())
        answer = sessions.open_session_from_body(body, made)
        if request.form.get("do") == "draw":
            sessions.draw_if_possible(answer.id, sessions.metadata_of_partial_write(made, "draw"))
        return answer.id

    opened, wrong, status = attempt_write(write)
    if opened is None:
        return _evening_form_page(
            _proposal_in_form(), seasons_forms.ids_ticked(), wrong=wrong, status=status
        )
    position = current_services().referee.position()
    return redirect(f"{prefix()}/jornadas/{opened}?wait={position}", 303)


def _propose_repeat_or_today(*, same: bool) -> Proposal:
    """Proposal of the form: with ``same`` the last evening repeated, else an evening today."""
    day, latest, seasons = next_evening.today(), views.latest_sessions(), views.open_seasons()
    again = next_evening.propose_repeat(day, latest, seasons) if same else None
    return again or next_evening.propose_evening_today(day, latest, seasons)


def _proposal_in_form() -> Proposal:
    """Proposal with what was typed, for a form that is shown again."""
    form, of = request.form, season_forms.competitor_kind_in_form()
    season = form.get(f"season-{of}", "")
    place = form.get("place", "").strip()
    return Proposal(form.get("date", ""), place, form.get("profile", ""), season, "", of, 0)


def _evening_form_page(
    plan: Proposal,
    ticked: tuple[str, ...] | list[str],
    *,
    wrong: FieldErrors | None = None,
    status: int = 200,
    is_same: bool = False,
) -> Response:
    latest, seasons = views.latest_sessions(), views.open_seasons()
    return page(
        "seasons/session_new.html",
        plan=plan,
        is_same=is_same,
        seasons={of: [one for one in seasons if one.of == of] for of in ("persons", "pairs")},
        people=seasons_forms.attendance_choices(
            "persons", next_evening.competitor_ids_at_latest_evening(latest, "persons"), ticked
        ),
        couples=seasons_forms.attendance_choices(
            "pairs", next_evening.competitor_ids_at_latest_evening(latest, "pairs"), ticked
        ),
        players=sessions.USUAL_PLAYERS,
        typed=request.form,
        wrong=wrong or [],
        doubts=seasons_forms.name_doubts_in_form(plan.of),
        key=new_form_key(),
        status=status,
    )
