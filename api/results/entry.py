"""A result that an official of the club enters: it is official, and nobody has to confirm it."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, g, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.cases.acts import CaseActBuilder
from api.cases.schemas import ReportIn
from api.encuentros.pages import encuentro_page
from api.html import forms
from api.html.forms import attempt
from api.http.access import guard
from api.http.services import current_services, pending_texts
from referee.events import ResultReported
from referee.log.streams import Answer

blp = Blueprint("entry", __name__)


@blp.post("/e/<uuid:encuentro_id>/resultado")
@guard.requires("results:sign")
def enter(encuentro_id: UUID) -> AnyResponse:
    """The result as it stands, entered for the club"""
    answer, wrong, status = attempt(lambda: _entered(encuentro_id))
    if answer is None:
        return encuentro_page(encuentro_id, wrong, status)
    return redirect(f"/e/{encuentro_id}?wait={answer.position}", 303)


def _entered(encuentro_id: UUID) -> Answer:
    body = forms.load_form(ReportIn, {"by": {"name": forms.form_value("by")}})
    meta, version = forms.meta_of_form(), forms.version_of("version")
    with pending_texts() as put:
        by = CaseActBuilder(encuentro_id, put).person(body["by"])
        act = ResultReported(by, device=g.actor.via, entered_by="official")
        return put.settle(
            current_services().referee.encuentros.note(encuentro_id, act, meta, version)
        )
