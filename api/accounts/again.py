"""Credentials asked for again: before what somebody signs in with changes, or a sign-in ends."""

from __future__ import annotations

from flask import current_app, g, request

from api.accounts import passwords
from api.http.access.attempts import evaluating, note_wrong_secret
from api.http.access.owner import Owner
from api.http.access.security import note_security
from api.http.services import current_services
from referee.aggregates.access import OWNER
from referee.events import HolderId


def fault() -> str:
    """What is wrong with the credentials of an account in the form, as the key of a text.

    The password, and a code if the account has a second step. Empty: they are right.

    :raises Problem: too many wrong ones
    """
    by = g.actor.by
    if not passwords.is_own(by, request.form.get("old", "")):
        return "access.wrong_password"
    has_second = by in current_services().factors.holders()
    is_right = not has_second or takes_code(by, request.form.get("code", ""))
    return "" if is_right else "access.wrong_code"


def takes_code(holder: HolderId, code: str) -> bool:
    """Whether a code is of the second step of an account; a wrong one is noted.

    :raises Problem: too many wrong ones
    """
    with evaluating(passwords.subjects_of_second_factor(holder), None) as attempt:
        attempt.is_right = current_services().factors.takes(holder, code)
    if not attempt.is_right:
        note_security("sign_in_failed", about=holder, detail="second_factor")
    return attempt.is_right


def fault_in_leaving() -> str:
    """As :func:`fault`, of whoever ends a sign-in of their own.

    The owner types the token. A paired device has nothing to type.

    :raises Problem: too many wrong ones
    """
    if g.actor.is_device:
        return ""
    if g.actor.by != OWNER:
        return fault()
    owner: Owner = current_app.extensions["owner"]
    if owner.knows(request.form.get("token", "").strip()):
        return ""
    note_wrong_secret("sign_in_failed", "token")
    return "page.wrong_token"
