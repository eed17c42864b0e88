"""Page on which results are brought from a file: looked at first, then written."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from api.club.import_pages import fault_in_words, text_of_form
from api.club.name_matches import are_name_doubts_answered
from api.html import forms
from api.html.forms import attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.bodies import Body
from api.http.services import await_end_of_log
from api.results.files import import_commands
from api.results.files import plan as plans
from api.results.files.plan import ImportPlan, Terms
from api.seasons import views
from api.seasons.rules import rules_id_for_evening_form, usual_rules_id_or_empty

blp = Blueprint("results_import", __name__)


@blp.get("/jornadas/traer")
@guard.requires("club:manage")
def show_import_form() -> Response:
    """The form into which results are pasted, or for which a file is chosen"""
    return _file_page("", request.args.get("temporada"))


@blp.post("/jornadas/traer")
@guard.requires("club:manage")
def preview_or_write_file() -> Response:
    """What a file would write, and what is wrong with it; or it is written"""
    text, wrong, status = attempt_write(text_of_form)
    if text is None:
        return _file_page("", wrong=wrong, status=status)
    opening, wrong, status = attempt_write(_evening_opening_in_form)
    if opening is None:
        return _file_page(text, wrong=wrong, status=status)
    terms = plans.evening_terms(opening)
    plan = plans.plan_import(text, terms, request.form)
    if (
        request.form.get("take") != "yes"
        or not are_name_doubts_answered(plan.doubts)
        or not plan.has_news
    ):
        return _file_page(text, plan=plan, status=200 if plan.evenings else 422)
    _, wrong, status = attempt_write(lambda: _write_plan(plan, terms, opening))
    if wrong:
        return _file_page(text, plan=plan, wrong=wrong, status=status)
    return _file_page("", taken=plan.result_counts_by_state)


def _write_plan(plan: ImportPlan, terms: Terms, opening: Body) -> None:
    import_commands.write_import(plan, terms, opening, forms.meta_of_form)
    await_end_of_log()


def _evening_opening_in_form() -> Body:
    """The opening of the evenings of a file of results: season and rules chosen in the form."""
    season = request.form.get("season", "")
    rules = request.form.get("profile") or usual_rules_id_or_empty(season)
    asked = {"season": season, "profile": {"id": rules} if rules else None}
    return plans.new_evening_body({name: said for name, said in asked.items() if said})


def _file_page(
    text: str,
    season: str | None = None,
    *,
    plan: ImportPlan | None = None,
    status: int = 200,
    **values: Any,
) -> Response:
    """The page. ``season``: the one that is chosen first; None for that of the form."""
    seasons = views.open_seasons()
    first = seasons[0].id if seasons else ""
    return page(
        "results/import.html",
        text=text,
        plan=plan,
        faults=[fault_in_words(one) for one in plan.faults] if plan else [],
        notes=[fault_in_words(one) for one in plan.notes] if plan else [],
        seasons=seasons,
        season=request.form.get("season", first) if season is None else season,
        rules=request.form.get("profile", rules_id_for_evening_form(seasons)),
        key=new_form_key(),
        **values,
        status=status,
    )
