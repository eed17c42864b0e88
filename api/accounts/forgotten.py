"""A forgotten password: a link by mail to the address of the account, or one of an admin."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flask import Blueprint, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts import entry, passwords
from api.accounts.mail import Letter, MailServer, is_mail_address
from api.html.addresses import root_for_others
from api.html.pages import page
from api.http.access import guard
from api.http.access.attempts import (
    STRANGERS,
    attempt_within_limits,
    caller_address,
    note_wrong_secret,
)
from api.http.access.hosts import is_known_host
from api.http.access.prefix import prefix
from api.http.access.security import note_security
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import Services, current_services
from referee.access.attempts import forgotten_password_attempt_subjects
from referee.access.password_recovery import PasswordReset
from referee.access.passwords import password_fault

blp = Blueprint("forgotten", __name__)
_LONGEST = 254
"""Characters of an address of mail (RFC 5321)."""


@blp.app_context_processor
def _mail_offer_context() -> dict[str, object]:
    return {"is_mail_offered": lambda: _mail_server_at_known_host() is not None}


@blp.post("/entrar/olvido")
@guard.open_to_all
def send_reset_link() -> AnyResponse:
    """Send a link for another password, if the account is known and has an address.

    The answer is the same in any case, and the account is looked for after it.
    """
    who, server = (
        request.form.get("who", "").replace("\0", "").strip()[:_LONGEST],
        _mail_server_at_known_host(),
    )
    if server is None:
        raise Problem("not_found")
    with attempt_within_limits(
        forgotten_password_attempt_subjects(who, caller_address()), None
    ):  # it counts whatever comes of it
        root, caller = root_for_others(), request.remote_addr or ""
        server.make_and_send_later(
            partial(_make_reset_letters, current_services(), who, root, caller, language())
        )
    return redirect(f"{prefix()}/entrar?contrasena=pedida", 303)


@blp.post("/cuenta/correo")
@guard.requires("self")
@guard.admits_bound_users
def keep_mail_address() -> AnyResponse:
    """Store the mail address of one's own account, or remove it, after the credentials."""
    by, sent = g.actor.by, request.form.get("mail", "").strip()
    if wrong := passwords.credentials_fault():
        return entry.account_page_with_fault(wrong, 403)
    if sent and not (is_mail_address(sent) and len(sent) <= _LONGEST):
        return entry.account_page_with_fault("access.own_mail_wrong", 422)
    current_services().mail_addresses.put(by, sent)
    note_security("password_changed", about=by, detail="mail_address")
    return entry.renew_sign_in_on_answer(redirect(f"{prefix()}/cuenta#correo", 303))


def _mail_server_at_known_host() -> MailServer | None:
    """The server for mail; None without one, or if a link might lead to a host of somebody else."""
    found: MailServer | None = current_app.extensions.get("mail")
    return found if is_known_host() else None


def _make_reset_letters(
    here: Services, who: str, root: str, caller: str, lang: str
) -> Iterator[Letter]:
    """Make a link for each active account that is meant, and yield its letter; needs no request."""
    names = here.keys.account_names()
    for holder, to in here.mail_addresses.addresses_by_name_or_address(who).items():
        if here.referee.roles.access().active_holder(holder) is None:
            continue
        secret = here.resets.make_reset_secret(PasswordReset(holder, holder))
        here.security.note("offer_made", by="", about=holder, address=caller, detail="mail")
        link = f"{root}contrasena#{secret}"
        text = say("access.mail_forgotten", lang, name=names.get(holder, ""), link=link)
        yield Letter(to, say("access.mail_contrasena_subject", lang), text)


@blp.get("/contrasena")
@guard.open_to_all
def new_password_form() -> Response:
    """Form for another password; the link has its secret in the fragment of the address."""
    return _reset_page("", 200)


@blp.post("/contrasena")
@guard.open_to_all
def change_forgotten_password() -> AnyResponse:
    """Set another password for the account of a link; its sign-ins end, and nobody is signed in."""
    here = current_services()
    secret, password = (request.form.get(one, "") for one in ("link", "password"))
    reset = here.resets.find_by_secret(secret.strip())
    if reset is None or not here.admission.may_link_reset_password(reset):
        note_wrong_secret("sign_in_failed", "password_link")
        return _reset_page("access.reset_none", 403)
    if fault := password_fault(password, here.keys.account_names().get(reset.holder, "")):
        return _reset_page(f"access.password_{fault}", 422)
    with STRANGERS.turn():
        if not here.resets.try_use_up_reset_link(secret.strip()):
            return _reset_page("access.reset_none", 403)
        here.keys.change_password(reset.holder, password)
    passwords.revoke_app_tokens(reset.holder)
    is_own = reset.by == reset.holder
    here.keys.add_notice(reset.holder, "password_by_mail" if is_own else "password_reset")
    note_security("password_changed", by=reset.by, about=reset.holder, detail="password_link")
    return redirect(f"{prefix()}/entrar?contrasena=nueva", 303)


def _reset_page(wrong: str, status: int) -> Response:
    return page("accounts/new_password.html", wrong=wrong, status=status)
