"""Pages of cases: dispute, evidence and ruling, and the forms for the next step."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, redirect, request
from msgspec.structs import asdict
from werkzeug.wrappers import Response as AnyResponse

from api.cases import acta_data, proposals, schemas
from api.cases import forms as case_forms
from api.cases import views as case_views
from api.cases.acts import CaseActBuilder
from api.cases.analysis import MOST_WAYS_AT_ONCE, analysis_of_exhibits, evidence_act_of_cost
from api.cases.exhibits import Exhibits
from api.cases.proposals import PointedData, case_form_prefill_or_none
from api.encuentros import views
from api.encuentros.pages import names_by_seat
from api.encuentros.words import namer_of_stored_acts
from api.html import forms
from api.html.forms import attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.services import (
    await_position_in_request,
    current_services,
    pending_texts,
    timestamp_now,
)
from api.previews.previews import difference_of_preview
from api.profiles import findings
from projections.cases.views import RulingData
from projections.facts import view_of
from referee.events import CaseAct, CaseOpened, FrozenProfile
from referee.log.streams import Answer

blp = Blueprint("case_pages", __name__)
_NUMBERS = re.compile(r"[0-9]{1,6}")
_ALL = "/e/<uuid:encuentro_id>/c"
_ONE = f"{_ALL}/<int(min=1,max=9999):c>"


@blp.get(_ALL)
@guard.requires("cases:read")
def show_cases_of_encuentro(encuentro_id: UUID) -> Response:
    """The cases of an encuentro, its warnings, and the form that opens one"""
    await_position_in_request()
    asked = {"partida": request.args.get("partida"), "lines": request.args.get("lineas")}
    return _cases_page(encuentro_id, {name: value for name, value in asked.items() if value})


@blp.post(_ALL)
@guard.requires("cases:open")
def open_case_from_form(encuentro_id: UUID) -> AnyResponse:
    """Open a case from the posted form, and redirect to its page"""

    def write() -> Answer:
        body = forms.load_by_schema(
            schemas.CaseIn, case_forms.opening_body(_persons_at_seats(encuentro_id))
        )
        meta, version = forms.meta_of_form(), forms.version_of_form("version")
        with pending_texts() as put:
            act = CaseActBuilder(encuentro_id, put).opening_act(body)
            return put.erase_if_replayed(
                current_services().referee.cases.open(encuentro_id, act, meta, version)
            )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _cases_page(encuentro_id, forms.form_values(), wrong, status)
    opened = next(e.event for e in answer.events if isinstance(e.event, CaseOpened))
    return redirect(f"{prefix()}/e/{encuentro_id}/c/{opened.number}?wait={answer.position}", 303)


@blp.get(_ONE)
@guard.requires("cases:read")
def show_case_page(encuentro_id: UUID, c: int) -> Response:
    """A case: what is disputed, the evidence, the ruling, the appeal, and how to go on"""
    await_position_in_request()
    return _case_page(encuentro_id, c)


@blp.post(f"{_ONE}/pruebas")
@guard.requires("cases:open")
def attach_evidence_from_form(encuentro_id: UUID, c: int) -> AnyResponse:
    """Attach evidence to a case from the posted form, and redirect to its page"""
    return _submit(
        encuentro_id, c, CaseActBuilder.evidence_act, schemas.EvidenceIn, case_forms.evidence_body()
    )


@blp.post(f"{_ONE}/resolucion")
@guard.requires("rulings:give")
def preview_or_give_ruling(encuentro_id: UUID, c: int) -> AnyResponse:
    """Preview the ruling in the posted form; record it once the preview is confirmed"""
    body = case_forms.ruling_body(findings.frozen_profile_of_encuentro(encuentro_id))
    return _preview_or_record(
        encuentro_id, c, CaseActBuilder.ruling_act, schemas.RulingPreviewIn, body
    )


@blp.post(f"{_ONE}/coste")
@guard.requires("rulings:give")
def compute_and_record_cost_from_form(encuentro_id: UUID, c: int) -> AnyResponse:
    """Compute how many points a card won or lost by a breach, and put them on the acta"""
    body = case_forms.cost_body()
    return _submit(encuentro_id, c, partial(evidence_act_of_cost, number=c), schemas.CostIn, body)


@blp.post(f"{_ONE}/apelacion")
@guard.requires("cases:open")
def appeal_ruling_from_form(encuentro_id: UUID, c: int) -> AnyResponse:
    """Record the appeal of a side from the posted form, and redirect to the case"""
    body = case_forms.appeal_body(_persons_at_seats(encuentro_id))
    return _submit(encuentro_id, c, CaseActBuilder.appeal_act, schemas.AppealIn, body)


@blp.post(f"{_ONE}/decision")
@guard.requires("appeals:decide")
def preview_or_decide_appeal(encuentro_id: UUID, c: int) -> AnyResponse:
    """Preview the decision of an appeal in the posted form; record it once confirmed"""
    body = case_forms.decision_body(findings.frozen_profile_of_encuentro(encuentro_id))
    return _preview_or_record(
        encuentro_id, c, CaseActBuilder.appeal_decision_act, schemas.DecisionPreviewIn, body
    )


@blp.post(f"{_ONE}/cierre")
@guard.requires("rulings:give")
def close_case_from_form(encuentro_id: UUID, c: int) -> AnyResponse:
    """Close a case from the posted form, and redirect to its page"""
    return _submit(
        encuentro_id, c, CaseActBuilder.closing_act, schemas.ClosingIn, case_forms.closing_body()
    )


# --- what forms do -------------------------------------------------------------------------------


def _submit(
    encuentro_id: UUID,
    c: int,
    made: Callable[[CaseActBuilder, Body], CaseAct],
    shape: type[ma.Schema],
    body: Body,
) -> AnyResponse:
    """Record the act of a posted form and redirect; the page with the faults if it is refused."""

    def write() -> Answer:
        asked = forms.load_by_schema(shape, body)
        meta, version = forms.meta_of_form(), forms.version_of_form("version")
        is_seen = "partida_version" in request.form
        seen = forms.version_of_form("partida_version") if is_seen else None
        with pending_texts() as put:
            act = made(CaseActBuilder(encuentro_id, put), asked)
            return put.erase_if_replayed(
                current_services().referee.cases.record(encuentro_id, c, act, meta, version, seen)
            )

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _case_page(encuentro_id, c, forms.form_values(), wrong=wrong, status=status)
    return redirect(f"{prefix()}/e/{encuentro_id}/c/{c}?wait={answer.position}", 303)


def _preview_or_record(
    encuentro_id: UUID,
    c: int,
    made: Callable[[CaseActBuilder, Body], CaseAct],
    shape: type[ma.Schema],
    body: Body,
) -> AnyResponse:
    """The case page with the preview of an act; the act is recorded if it is confirmed."""
    if "partida_version" in request.form:
        return _submit(encuentro_id, c, made, shape, body)

    def make_preview() -> Body:
        act = made(CaseActBuilder(encuentro_id), forms.load_by_schema(shape, body))
        version, preview = current_services().referee.cases.case_version_and_preview(
            encuentro_id, c, act
        )
        ruling = getattr(act, "verdict", None)
        called = namer_of_stored_acts(encuentro_id, case_views.case(encuentro_id, c).partida)
        return {
            "words": difference_of_preview(preview, encuentro_id)["words"],
            "version": version,
            "partida_version": preview.version_to_confirm,
            "verdict": case_views.effect_and_ground_in_words(view_of(RulingData, ruling), called)
            if ruling
            else None,
        }

    preview, wrong, status = attempt_write(make_preview)
    return _case_page(
        encuentro_id, c, forms.form_values(), preview=preview, wrong=wrong, status=status
    )


# --- what is shown -------------------------------------------------------------------------------


def _cases_page(
    encuentro_id: UUID,
    typed: dict[str, str],
    wrong: list[tuple[str, str]] | None = None,
    status: int = 200,
) -> Response:
    view = views.official_encuentro_view(encuentro_id)
    seats = names_by_seat(view)
    return page(
        "cases/cases.html",
        view=view,
        seats=seats,
        names=_names_without_blanks(seats),
        **asdict(case_views.cases_of_encuentro(encuentro_id)),
        account=case_forms.actor_account_name(),
        pointed=_form_prefill_or_none(encuentro_id, typed, seats),
        typed=typed,
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )


def _form_prefill_or_none(
    encuentro_id: UUID, typed: dict[str, str], seats: dict[str, str]
) -> PointedData | None:
    """The dispute that the address, or a form that was refused, names by partida and lines.

    None if it names none.
    """
    lines = [int(one) for one in _NUMBERS.findall(typed.get("lines", ""))]
    number = _NUMBERS.fullmatch(typed.get("partida", ""))
    return (
        case_form_prefill_or_none(encuentro_id, int(number[0]), lines, seats)
        if number and lines
        else None
    )


def _case_page(
    encuentro_id: UUID,
    c: int,
    typed: dict[str, str] | None = None,
    *,
    preview: Body | None = None,
    wrong: list[tuple[str, str]] | None = None,
    status: int = 200,
) -> Response:
    acta = acta_data.case_acta_data(encuentro_id, c)
    case, profile = acta.case, findings.frozen_profile_of_encuentro(encuentro_id)
    until = case.ruled.appeal_until if case.ruled else ""
    shown = acta_data.exhibits_of_case(encuentro_id, case)
    return page(
        "cases/case.html",
        acta=acta,
        case=case,
        shown=shown,
        analysis=analysis_of_exhibits(
            encuentro_id, case, shown, None if "calcular" in request.args else MOST_WAYS_AT_ONCE
        ),
        **_ruling_form_context(shown, profile, acta.players),
        may_appeal=case.stage == "ruled" and timestamp_now() <= until,
        warnings=views.encuentro_warnings_by_side(encuentro_id),
        names=_names_without_blanks(acta.seats),
        account=case_forms.actor_account_name(),
        typed=typed or {},
        preview=preview,
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )


def _ruling_form_context(shown: Exhibits, profile: FrozenProfile, players: int) -> Body:
    """Rulings and articles to choose from, the likeliest first, and a reason from the record."""
    return {
        "likely": proposals.likely_ruling_values(shown, profile, players),
        "rulings": proposals.ruling_values_by_effect(shown, players),
        "articles": proposals.articles_to_cite(shown, profile),
        "reason": proposals.suggest_ruling_reason(shown),
    }


def _names_without_blanks(seats: dict[str, str]) -> list[str]:
    return [name for name in seats.values() if name]


def _persons_at_seats(encuentro_id: UUID) -> dict[str, str]:
    """Ids of the persons at the seats of an encuentro, by seat."""
    return dict(current_services().referee.encuentros.encuentro(encuentro_id).seats)
