"""The acta as officials close it: signed by one, reopened by two for a reason."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.cases.acts import CaseActBuilder
from api.cases.forms import account_name
from api.cases.schemas import ReopeningIn, SignatureIn
from api.encuentros import reading
from api.encuentros.pages import seats_of, sides_of
from api.html import forms
from api.html.forms import FieldErrors, attempt, form_value, new_key
from api.html.pages import page
from api.http.access import guard
from api.http.bodies import Body
from api.http.services import await_position, current_services, pending_texts
from api.results.rest import reopening_of, signature_of
from referee.events import EncuentroAct
from referee.log.streams import Answer

blp = Blueprint("signing", __name__)


@blp.get("/e/<uuid:encuentro_id>/firma")
@guard.requires("results:sign")
def ask(encuentro_id: UUID) -> Response:
    """What would be signed, with the form that signs the acta, or reopens a signed one"""
    await_position()
    return _shown(encuentro_id)


@blp.post("/e/<uuid:encuentro_id>/firma")
@guard.requires("results:sign")
def sign(encuentro_id: UUID) -> AnyResponse:
    """The acta is signed: the result is official"""
    return _submitted(encuentro_id, signature_of, SignatureIn, {"by": _named("by")})


@blp.post("/e/<uuid:encuentro_id>/firma/reapertura")
@guard.requires("results:sign")
def reopen(encuentro_id: UUID) -> AnyResponse:
    """A signed acta is reopened, by two persons and for a reason"""
    two: Body = {"by": _named("by"), "second": {"name": form_value("second")}}
    return _submitted(encuentro_id, reopening_of, ReopeningIn, two)


def _named(field: str) -> dict[str, str]:
    """Who acts: the name that was typed, else that of the account."""
    return {"name": form_value(field) or account_name()}


def _submitted(
    encuentro_id: UUID,
    made: Callable[[CaseActBuilder, Body], EncuentroAct],
    shape: type[ma.Schema],
    who: Body,
) -> AnyResponse:
    """Record the act of a form, at the version that its page had."""

    def write() -> Answer:
        reason = form_value("because")
        body = forms.load_form(shape, {**who, "because": reason} if reason else who)
        meta, version = forms.meta_of_form(), forms.version_of("version")
        with pending_texts() as put:
            act = made(CaseActBuilder(encuentro_id, put), body)
            return put.settle(
                current_services().referee.encuentros.note(encuentro_id, act, meta, version)
            )

    answer, wrong, status = attempt(write)
    if answer is None:
        return _shown(encuentro_id, forms.form_values(), wrong, status)
    return redirect(f"/e/{encuentro_id}/acta?wait={answer.position}", 303)


def _shown(
    encuentro_id: UUID,
    typed: dict[str, str] | None = None,
    wrong: FieldErrors | None = None,
    status: int = 200,
) -> Response:
    view = reading.encuentro(encuentro_id)
    seats = seats_of(view)
    response = page(
        "results/signing.html",
        view=view,
        sides=sides_of(seats, view["players"]),
        running=[one for one in view["result"]["cases"] if one["stage"] != "closed"],
        account=account_name(),
        names=[name for name in seats.values() if name],
        typed=typed or {},
        wrong=wrong or [],
        key=new_key(),
    )
    response.status_code = status
    return response
