"""The second factor of an account: set up, taken off, and taken off by who manages access."""

from __future__ import annotations

import pyotp
from flask import Blueprint, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts import entry, passwords
from api.html import qr_codes
from api.html.pages import confirmation_page, page
from api.http.access import guard
from api.http.access.attempts import attempt_within_limits
from api.http.access.prefix import prefix
from api.http.access.security import note_security
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import current_services
from referee.events import HolderId

blp = Blueprint("second_factor", __name__)
_ISSUER = "Guiñote"


@blp.post("/cuenta/segundo")
@guard.requires("self")
@guard.admits_bound_users
def propose_second_factor() -> AnyResponse:
    """Make a new secret for an authenticator app, if the credentials are right."""
    if refused := _wrong_credentials_page_or_none():
        return refused
    current_services().factors.propose(g.actor.by)
    return entry.renew_sign_in_on_answer(_second_factor_proposal_page("", 200))


@blp.post("/cuenta/segundo/codigo")
@guard.requires("self")
@guard.admits_bound_users
def turn_on_second_factor() -> AnyResponse:
    """Turn on the second factor after the first right code.

    Other browsers and apps are signed out.
    """
    by = g.actor.by
    with attempt_within_limits(passwords.subjects_of_second_factor(by), None) as attempt:
        codes = current_services().factors.confirm(by, request.form.get("code", ""))
        attempt.is_right = codes is not None
    if codes is None:
        return _second_factor_proposal_page("access.wrong_code", 403)
    current_services().keys.end_sign_ins(by, but=guard.credential_and_kind()[0])
    passwords.revoke_app_tokens(by)
    note_security("second_factor_changed", about=by, detail="on")
    return entry.renew_sign_in_on_answer(page("accounts/recovery.html", codes=codes))


@blp.post("/cuenta/segundo/codigos")
@guard.requires("self")
@guard.admits_bound_users
def renew_recovery_codes() -> AnyResponse:
    """Make new recovery codes, if the credentials are right."""
    by, factors = g.actor.by, current_services().factors
    if refused := _wrong_credentials_page_or_none():
        return refused
    if by not in factors.holders():
        raise Problem("not_found")
    note_security("second_factor_changed", about=by, detail="codes")
    return entry.renew_sign_in_on_answer(
        page("accounts/recovery.html", codes=factors.new_recovery_codes(by))
    )


@blp.post("/cuenta/segundo/baja")
@guard.requires("self")
@guard.admits_bound_users
def turn_off_own_factor() -> AnyResponse:
    """Turn off the second factor of one's own account, if the credentials are right.

    Other browsers of the account are signed out.
    """
    if refused := _wrong_credentials_page_or_none():
        return refused
    if _remove_factor(g.actor.by):
        current_services().keys.end_sign_ins(g.actor.by, but=guard.credential_and_kind()[0])
    return entry.renew_sign_in_on_answer(redirect(f"{prefix()}/cuenta", 303))


@blp.get("/casa/<string(length=16):holder>/segundo/baja")
@guard.requires("access:manage")
def ask_to_turn_off_factor(holder: str) -> Response:
    """The page that asks whether the second factor of another account is to be turned off."""
    name = current_services().keys.account_names().get(holder, "")
    if holder == g.actor.by or holder not in current_services().factors.holders():
        raise Problem("not_found")
    words = [name, say("access.second_off_help", language())]
    title = say("access.second_turn_off", language())
    return confirmation_page(title, words, title, f"{prefix()}/casa")


@blp.post("/casa/<string(length=16):holder>/segundo/baja")
@guard.requires("access:manage")
def turn_off_factor_of_other(holder: str) -> AnyResponse:
    """Turn off the second factor of another account, which is told of it at its next sign-in."""
    if holder == g.actor.by:
        raise Problem("forbidden")
    if _remove_factor(holder):
        current_services().keys.add_notice(holder, "factor_removed")
    return redirect(f"{prefix()}/casa", 303)


def _wrong_credentials_page_or_none() -> Response | None:
    """The page of the account with the fault, if the typed credentials are wrong; else None."""
    wrong = passwords.credentials_fault()
    return entry.account_page_with_fault(wrong, 403) if wrong else None


def _remove_factor(holder: HolderId) -> bool:
    had_one = current_services().factors.remove(holder)
    if had_one:
        note_security("second_factor_changed", about=holder, detail="off")
    return had_one


def _second_factor_proposal_page(wrong: str, status: int) -> Response:
    """The page with the secret as a picture and as text, and the form for its first code.

    :raises Problem: none was proposed, or too long ago
    """
    secret = current_services().factors.proposal(g.actor.by)
    if secret is None:
        raise Problem("not_found")
    name = current_services().keys.account_names().get(g.actor.by, "")
    address_of_secret = pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=_ISSUER)
    return page(
        "accounts/second_factor.html",
        secret=" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        link=address_of_secret,
        qr=qr_codes.qr_inline(address_of_secret, scale=4, light="#fff"),
        wrong=wrong,
        status=status,
    )
