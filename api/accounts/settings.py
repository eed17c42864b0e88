"""The settings of the club: their page, and the choice that the first admin makes."""

from __future__ import annotations

from typing import cast, get_args

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms
from api.html.forms import FieldErrors, attempt, new_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.security import note_security
from api.http.problems import Problem
from api.http.services import current_services
from referee.events import FourEyes, FourEyesChosen, HolderId
from referee.log.streams import Answer, WriteMetadata

blp = Blueprint("settings", __name__)


@blp.get("/casa/ajustes")
@guard.requires("access:manage")
def show() -> Response:
    """The settings of the club, and the form that changes them."""
    return _shown()


@blp.post("/casa/ajustes")
@guard.requires("access:manage")
def choose() -> AnyResponse:
    """Another choice of the club."""

    def write() -> Answer:
        return choose_four_eyes(
            asked_four_eyes(), forms.meta_of_form(), forms.version_of("version")
        )

    answer, wrong, status = attempt(write)
    return _shown(wrong, status) if answer is None else redirect("/casa/ajustes", 303)


def choose_four_eyes(choice: FourEyes, meta: WriteMetadata, expected: int | None = None) -> Answer:
    """Record what the club chose about two persons, on the log and in the security log."""
    services = current_services()
    answer = services.referee.settings.choose(FourEyesChosen(choice), meta, expected)
    if not answer.replayed:
        note_security("settings_changed", by=meta.by, detail=f"four_eyes {choice}")
    return answer


def asked_four_eyes() -> FourEyes:
    """The choice of a form.

    :raises Problem: it is none
    """
    choice = request.form.get("four_eyes", "")
    if choice not in get_args(FourEyes):
        raise Problem("bad_request")
    return cast("FourEyes", choice)


def is_first_start() -> bool:
    """Whether the club has no admin yet and chose nothing: the first admin is asked to."""
    referee = current_services().referee
    return referee.settings.settings().four_eyes is None and not referee.roles.access().has_admin


def choose_at_first(holder: HolderId) -> None:
    """Record what the first admin chose in the form that opened their account."""
    held = current_services().referee.roles.access().active(holder)
    choice = request.form.get("four_eyes", "")
    if held is not None and held.role == "admin" and choice in get_args(FourEyes):
        at = current_services().clock()
        choose_four_eyes(cast("FourEyes", choice), WriteMetadata(by=holder, device=holder, at=at))


def _shown(wrong: FieldErrors | None = None, status: int = 200) -> Response:
    response = page(
        "accounts/settings.html",
        settings=current_services().referee.settings.settings(),
        wrong=wrong or [],
        key=new_key(),
    )
    response.status_code = status
    return response
