"""Pages on which an evening is opened: the same as last time, or another."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt, new_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.services import await_log, await_position, current_services
from api.seasons import attendance, next_evening, schemas, sessions, views
from api.seasons import forms as season_forms
from api.seasons.next_evening import Proposal

blp = Blueprint("opening_pages", __name__)
_SAME: Final = "misma"


@blp.get("/jornadas/")
@guard.requires("read")
def every() -> Response:
    """The latest evenings, and the way to the next one"""
    await_position()
    latest = views.latest_sessions()
    again = next_evening.same_again(next_evening.today(), latest, views.open_seasons())
    plan = again or _proposal(same=False)
    return page("seasons/sessions.html", found=latest, again=again, plan=plan)


@blp.get("/jornadas/nueva")
@guard.requires("club:manage")
def ask() -> Response:
    """A new evening: when and where, and who is here"""
    await_log()
    plan = _proposal(same=request.args.get("como") == _SAME)
    return _new(plan, plan.last, is_same=bool(plan.last))


@blp.post("/jornadas/nueva")
@guard.requires("club:manage")
def find() -> Response:
    """The same form with those whose name was sought, or with those of last time ticked"""
    plan = _form_again()
    ticked = attendance.form_ids()
    if request.form.get("do") == "same":
        ticked += next_evening.last_time(views.latest_sessions(), plan.of)
    return _new(plan, ticked, is_same=request.form.get("como") == _SAME)


@blp.post("/jornadas/")
@guard.requires("club:manage")
def begin() -> AnyResponse:
    """An evening opened with those who are here, its tables drawn if so asked"""

    def write() -> UUID:
        made = forms.meta_of_form()
        body = forms.load_form(schemas.SessionIn, season_forms.session())
        answer = sessions.open_from_body(body, made)
        if request.form.get("do") == "draw":
            sessions.draw_if_possible(answer.id, sessions.part_of(made, "draw"))
        return answer.id

    opened, wrong, status = attempt(write)
    if opened is None:
        return _new(_form_again(), attendance.form_ids(), wrong=wrong, status=status)
    position = current_services().referee.position()
    return redirect(f"{prefix()}/jornadas/{opened}?wait={position}", 303)


def _proposal(*, same: bool) -> Proposal:
    """The evening of last time on its next day; for another one that of today."""
    day, latest, seasons = next_evening.today(), views.latest_sessions(), views.open_seasons()
    again = next_evening.same_again(day, latest, seasons) if same else None
    return again or next_evening.another(day, latest, seasons)


def _form_again() -> Proposal:
    """The evening of a form that is shown again."""
    form, of = request.form, season_forms.competitors()
    season = form.get(f"season-{of}", "")
    place = form.get("place", "").strip()
    return Proposal(form.get("date", ""), place, form.get("profile", ""), season, "", of, 0)


def _new(
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
        people=attendance.choices("persons", next_evening.last_time(latest, "persons"), ticked),
        couples=attendance.choices("pairs", next_evening.last_time(latest, "pairs"), ticked),
        players=sessions.USUAL_PLAYERS,
        typed=request.form,
        wrong=wrong or [],
        doubts=attendance.doubts(plan.of),
        key=new_key(),
        status=status,
    )
