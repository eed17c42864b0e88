"""Results that an official enters, and the acta as officials close it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, g, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.cases import forms as case_forms
from api.cases.acts import CaseActBuilder
from api.cases.schemas import ReopeningIn, ReportIn, SignatureIn
from api.encuentros import views
from api.encuentros.pages import encuentro_page, names_by_seat, names_by_side
from api.html import forms
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.services import await_position_in_request, current_services, pending_texts
from api.results.rest import reopening_act_of_body, signature_act_of_body
from referee.events import EncuentroAct, ResultReported
from referee.log.streams import Answer

blp = Blueprint("signing", __name__)


@blp.get("/e/<uuid:encuentro_id>/firma")
@guard.requires("results:sign")
def show_signing_form(encuentro_id: UUID) -> Response:
    """What would be signed, with the form that signs the acta, or reopens a signed one"""
    await_position_in_request()
    return _signing_page(encuentro_id)


@blp.post("/e/<uuid:encuentro_id>/firma")
@guard.requires("results:sign")
def sign(encuentro_id: UUID) -> AnyResponse:
    """The acta is signed: the result is official"""
    return _submit(encuentro_id, signature_act_of_body, SignatureIn, case_forms.signature_body())


@blp.post("/e/<uuid:encuentro_id>/firma/reapertura")
@guard.requires("results:sign")
def reopen(encuentro_id: UUID) -> AnyResponse:
    """A signed acta is reopened, by two persons and for a reason"""
    return _submit(encuentro_id, reopening_act_of_body, ReopeningIn, case_forms.reopening_body())


def _submit(
    encuentro_id: UUID,
    made: Callable[[CaseActBuilder, Body], EncuentroAct],
    shape: type[ma.Schema],
    body: Body,
) -> AnyResponse:
    answer, wrong, status = attempt_write(
        lambda: record_act_of_form(encuentro_id, made, shape, body)
    )
    if answer is None:
        return _signing_page(encuentro_id, forms.form_values(), wrong, status)
    return redirect(f"{prefix()}/e/{encuentro_id}/acta?wait={answer.position}", 303)


def _signing_page(
    encuentro_id: UUID,
    typed: dict[str, str] | None = None,
    wrong: FieldErrors | None = None,
    status: int = 200,
) -> Response:
    view = views.official_encuentro_view(encuentro_id)
    seats = names_by_seat(view)
    return page(
        "results/signing.html",
        view=view,
        sides=names_by_side(seats, view.players),
        running=[one for one in view.result.cases if one.stage != "closed"],
        account=case_forms.actor_account_name(),
        names=[name for name in seats.values() if name],
        typed=typed or {},
        wrong=wrong or [],
        key=new_form_key(),
        status=status,
    )


@blp.post("/e/<uuid:encuentro_id>/resultado")
@guard.requires("results:sign")
def report_result_as_it_stands(encuentro_id: UUID) -> AnyResponse:
    """Report the result as it stands, in the name of an official, and go to the encuentro"""
    answer, wrong, status = attempt_write(
        lambda: record_act_of_form(
            encuentro_id, _official_report_act, ReportIn, {"by": {"name": forms.form_value("by")}}
        )
    )
    if answer is None:
        return encuentro_page(encuentro_id, wrong, status)
    return redirect(f"{prefix()}/e/{encuentro_id}?wait={answer.position}", 303)


def _official_report_act(clerk: CaseActBuilder, body: Body) -> ResultReported:
    by = clerk.id_of_known_or_new_person(body["by"])
    return ResultReported(by, device=g.actor.via, entered_by="official")


def record_act_of_form(
    encuentro_id: UUID,
    made: Callable[[CaseActBuilder, Body], EncuentroAct],
    shape: type[ma.Schema],
    body: Body,
) -> Answer:
    """Record the act of a form about a result, at the version that its page had.

    :raises ma.ValidationError: a field is wrong
    :raises Refused: the act is not possible
    :raises Stale: the page is older than the encuentro
    """
    asked = forms.load_by_schema(shape, body)
    meta, version = forms.meta_of_form(), forms.version_of_form("version")
    with pending_texts() as put:
        act = made(CaseActBuilder(encuentro_id, put), asked)
        return put.erase_if_replayed(
            current_services().referee.encuentros.record_encuentro_act(
                encuentro_id, act, meta, version
            )
        )
