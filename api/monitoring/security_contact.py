"""Where somebody reports a weakness: whom the operator names, as ``security.txt`` (RFC 9116)."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, Response

from api.http.access import guard
from api.http.problems import Problem

CONTACT_VARIABLE: Final = "GUINOTE_SECURITY_CONTACT"
PATH: Final = "/.well-known/security.txt"
_VALID_FOR: Final = timedelta(days=90)
blp = Blueprint("security_contact", __name__)


def security_txt(contacts: str, now: datetime) -> str:
    """Text of ``security.txt``. ``contacts``: addresses of mail or URLs, separated by commas.

    >>> print(security_txt("ana@club.example, https://club.example/aviso", datetime(2026, 11, 28)))
    Contact: mailto:ana@club.example
    Contact: https://club.example/aviso
    Expires: 2027-02-26T00:00:00Z
    <BLANKLINE>
    """
    named = [one.strip() for one in contacts.split(",") if one.strip()]
    lines = [f"Contact: {one if ':' in one else f'mailto:{one}'}" for one in named]
    until = (now + _VALID_FOR).strftime("%Y-%m-%dT00:00:00Z")
    return "\n".join([*lines, f"Expires: {until}", ""])


def security_txt_response_or_none() -> Response | None:
    """Response with ``security.txt``; None if the operator names no contact."""
    contacts = os.environ.get(CONTACT_VARIABLE, "").strip()
    if not contacts:
        return None
    return Response(security_txt(contacts, datetime.now(UTC)), mimetype="text/plain")


@blp.get(PATH)
@guard.open_to_all
def show_security_contact() -> Response:
    """Where to report a weakness, if the operator says"""
    if (found := security_txt_response_or_none()) is None:
        raise Problem("not_found")
    return found
