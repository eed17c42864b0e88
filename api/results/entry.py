"""A result that an official of the club enters: it is official, and nobody has to confirm it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, g, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.cases.acts import CaseActBuilder
from api.cases.schemas import ReportIn
from api.encuentros.pages import encuentro_page
from api.html import forms
from api.html.forms import attempt
from api.http.access import guard
from api.http.bodies import Body
from api.http.services import current_services, pending_texts
from referee.events import EncuentroAct, ResultReported
from referee.log.streams import Answer

blp = Blueprint("entry", __name__)


@blp.post("/e/<uuid:encuentro_id>/resultado")
@guard.requires("results:sign")
def enter(encuentro_id: UUID) -> AnyResponse:
    """The result as it stands, entered for the club"""
    answer, wrong, status = attempt(
        lambda: noted_by_form(
            encuentro_id, _enter, ReportIn, {"by": {"name": forms.form_value("by")}}
        )
    )
    if answer is None:
        return encuentro_page(encuentro_id, wrong, status)
    return redirect(f"/e/{encuentro_id}?wait={answer.position}", 303)


def _enter(clerk: CaseActBuilder, body: Body) -> ResultReported:
    by = clerk.person(body["by"])
    return ResultReported(by, device=g.actor.via, entered_by="official")


def noted_by_form(
    encuentro_id: UUID,
    made: Callable[[CaseActBuilder, Body], EncuentroAct],
    shape: type[ma.Schema],
    body: Body,
) -> Answer:
    """The act of a form about a result, recorded at the version that its page had.

    :raises ma.ValidationError: a field is wrong
    :raises Refused: the act is not possible
    :raises Stale: the page is older than the encuentro
    """
    asked = forms.load_form(shape, body)
    meta, version = forms.meta_of_form(), forms.version_of("version")
    with pending_texts() as put:
        act = made(CaseActBuilder(encuentro_id, put), asked)
        return put.settle(
            current_services().referee.encuentros.note(encuentro_id, act, meta, version)
        )
