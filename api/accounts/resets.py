"""A forgotten password: another one, chosen with a link of an admin, or one that came by mail."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html.pages import page
from api.http.access import guard
from api.http.access.attempts import STRANGERS, note_wrong_secret
from api.http.access.security import note_security
from api.http.services import current_services
from referee.access.passwords import password_fault

blp = Blueprint("resets", __name__)


@blp.get("/contrasena")
@guard.open_to_all
def choosing() -> Response:
    """Form for another password; the link has its secret in the fragment of the address."""
    return _reset_page("", 200)


@blp.post("/contrasena")
@guard.open_to_all
def choose() -> AnyResponse:
    """Another password for the account of a link. Nobody is signed in, and nobody stays so."""
    here = current_services()
    secret, password = (request.form.get(one, "") for one in ("link", "password"))
    reset = here.resets.find(secret.strip())
    if reset is None or not here.admission.may_reset(reset):
        note_wrong_secret("sign_in_failed", "password_link")
        return _reset_page("access.reset_none", 403)
    if fault := password_fault(password, here.keys.names().get(reset.holder, "")):
        return _reset_page(f"access.password_{fault}", 422)
    with STRANGERS.turn():
        if not here.resets.take(secret.strip()):
            return _reset_page("access.reset_none", 403)
        here.keys.change_password(reset.holder, password)
    is_own = reset.by == reset.holder
    here.keys.note(reset.holder, "password_by_mail" if is_own else "password_reset")
    note_security("password_changed", by=reset.by, about=reset.holder, detail="password_link")
    return redirect("/entrar?contrasena=nueva", 303)


def _reset_page(wrong: str, status: int) -> Response:
    response = page("accounts/new_password.html", wrong=wrong)
    response.status_code = status
    return response
