"""Checks of typed passwords and codes: every attempt is counted first, and then evaluated."""

from __future__ import annotations

import secrets
from typing import Final, TypeVar

from flask import g, request
from werkzeug.wrappers import Response

from api.http.access import attempts, guard
from api.http.access.attempts import attempt_within_limits, note_wrong_secret
from api.http.access.prefix import cookie_path
from api.http.access.security import note_security
from api.http.access.tokens import Owner
from api.http.services import current_services, house_component_or_none
from referee.access.attempts import (
    KNOWN_S,
    Subjects,
    factor_attempt_subjects_if_known,
    factor_code_attempt_subjects,
    own_password_attempt_subjects,
    password_attempt_subjects,
    password_attempt_subjects_if_known,
)
from referee.aggregates.access import OWNER
from referee.events import HolderId
from referee.log.streams import WriteMetadata

FormT = TypeVar("FormT", bound=Response)
_MARK_BYTES: Final = 32


def authenticate_account_or_none(name: str, password: str, known: str = "") -> HolderId | None:
    """The active account with this name and password; None if there is none.

    ``known``: what an app was told when it signed in before, as a browser has it in a cookie.

    :raises Problem: too many wrong ones, by a limit that holds for this browser
    """
    here, cookie = current_services(), known or _browser_cookie()
    if here.known_browsers.knows(cookie, name):
        subjects, gate = password_attempt_subjects_if_known(name, cookie), attempts.FAMILIAR
    else:
        subjects, gate = (
            password_attempt_subjects(name, attempts.caller_address(), cookie),
            attempts.STRANGERS,
        )
    with attempts.attempt_within_limits(subjects, gate) as attempt:
        holder = here.keys.find_account_by_password(name, password)
        attempt.is_right = holder is not None and _is_active(holder)
    if not attempt.is_right:
        note_security("sign_in_failed", about=here.keys.holder_id_by_name(name) or "")
    return holder if attempt.is_right else None


def try_own_password(holder: HolderId, password: str) -> bool:
    """Whether this is the password of somebody who is signed in.

    :raises Problem: too many wrong ones
    """
    keys = current_services().keys
    subjects = own_password_attempt_subjects(holder, guard.credential_and_kind()[0])
    with attempts.attempt_within_limits(subjects, attempts.FAMILIAR) as attempt:
        attempt.is_right = (
            keys.find_account_by_password(keys.account_names().get(holder, ""), password) == holder
        )
    if not attempt.is_right:
        note_security("sign_in_failed", about=holder)
    return attempt.is_right


def subjects_of_second_factor(holder: HolderId, known: str = "") -> Subjects:
    """Subjects under which wrong codes of the second factor are counted for this request."""
    here, cookie = current_services(), known or _browser_cookie()
    if here.known_browsers.knows(cookie, here.keys.account_names().get(holder, "")):
        return factor_attempt_subjects_if_known(holder, cookie)
    return factor_code_attempt_subjects(holder, attempts.caller_address())


def set_attempt_cookie(form: FormT) -> FormT:
    """The same response, with a cookie, if there is none, by which wrong passwords are counted."""
    if not _browser_cookie():
        _set_browser_cookie(form, secrets.token_hex(_MARK_BYTES))
    return form


def remember_browser(entered: Response, holder: HolderId) -> None:
    """Know the browser from now on, with a cookie that stays when it is signed out."""
    _set_browser_cookie(
        entered,
        current_services().known_browsers.remember_under_new_cookie(_browser_cookie(), holder),
    )


def _browser_cookie() -> str:
    return request.cookies.get(_browser_cookie_name(), "")


def _set_browser_cookie(answer: Response, value: str) -> None:
    answer.set_cookie(
        _browser_cookie_name(),
        value,
        max_age=int(KNOWN_S),
        httponly=True,
        samesite="Strict",
        path=cookie_path(),
        secure=request.is_secure,
    )


def _browser_cookie_name() -> str:
    return f"{guard.cookie_name()}-known"


def revoke_app_tokens(maker: HolderId) -> None:
    """Revoke the tokens that an account made for apps: whoever had its password may have made one.

    ``maker``: the account whose password or second step is another one.
    """
    here = current_services()
    for token in here.admission.revoke_own_app_tokens(WriteMetadata(maker, maker, here.clock())):
        note_security("revoked", by=maker, about=token)


def _is_active(holder: HolderId) -> bool:
    return current_services().referee.roles.access().active_holder(holder) is not None


def credentials_fault() -> str:
    """What is wrong with the credentials of an account in the form, as the key of a text.

    The password, and a code if the account has a second step. Empty: they are right.

    :raises Problem: too many wrong ones
    """
    by = g.actor.by
    if not try_own_password(by, request.form.get("old", "")):
        return "access.wrong_password"
    has_second = by in current_services().factors.holders()
    is_right = not has_second or try_second_factor_code(by, request.form.get("code", ""))
    return "" if is_right else "access.wrong_code"


def try_second_factor_code(holder: HolderId, code: str, known: str = "") -> bool:
    """Try a code of the second step of an account: used up if right, noted if wrong.

    :raises Problem: too many wrong ones
    """
    with attempt_within_limits(subjects_of_second_factor(holder, known), None) as attempt:
        attempt.is_right = current_services().factors.use_code(holder, code)
    if not attempt.is_right:
        note_security("sign_in_failed", about=holder, detail="second_factor")
    return attempt.is_right


def sign_out_fault() -> str:
    """As :func:`credentials_fault`, of whoever ends a sign-in of their own.

    The owner types the token. A paired device has nothing to type.

    :raises Problem: too many wrong ones
    """
    if g.actor.is_device:
        return ""
    if g.actor.by != OWNER:
        return credentials_fault()
    owner: Owner = house_component_or_none("owner")
    if owner.knows(request.form.get("token", "").strip()):
        return ""
    note_wrong_secret("sign_in_failed", "token")
    return "page.wrong_token"
