"""The page of the security log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, get_args

from flask import Blueprint, Response, request

from api.html.pages import page
from api.http.access import guard
from api.http.languages import language, say, texts
from api.http.problems import Problem
from api.http.services import current_services
from referee.access.roles import OWNER
from referee.access.security_log import SECURITY_KINDS, SecurityEntry, SecurityKind

blp = Blueprint("security", __name__)
ROWS = 50
_LONGEST_NUMBER = 15


class SecurityRow(NamedTuple):
    """An entry in words. ``encuentro``: the table that it is about, for a link."""

    number: int
    at: datetime
    kind: SecurityKind
    by: str
    about: str
    encuentro: str
    address: str
    detail: str


@blp.get("/casa/seguridad")
@guard.requires("access:manage")
def security() -> Response:
    """The security log, newest first, all of it or one kind."""
    kind, before = request.args.get("kind", ""), request.args.get("before", "")
    if kind not in ("", *get_args(SecurityKind)):
        raise Problem("bad_request")
    if before and not (before.isascii() and before.isdigit() and len(before) <= _LONGEST_NUMBER):
        raise Problem("bad_request")
    chosen = next((one for one in SECURITY_KINDS if one == kind), None)
    found = current_services().security.latest(
        ROWS + 1, before=int(before) if before else None, kind=chosen
    )
    return page(
        "accounts/security.html",
        rows=_rows(found[:ROWS]),
        kinds=SECURITY_KINDS,
        kind=kind,
        is_first=not before,
        has_older=len(found) > ROWS,
        kept=f"&kind={kind}" if kind else "",
    )


def _rows(entries: list[SecurityEntry]) -> list[SecurityRow]:
    names = {**current_services().keys.names(), OWNER: say("access.owner", language())}
    words = texts(language())
    return [_row(one, names, words) for one in entries]


def _row(one: SecurityEntry, names: Mapping[str, str], words: Mapping[str, str]) -> SecurityRow:
    is_table = one.about.count("-") > 1  # ids of holders and persons have none
    detail = words.get(f"security.detail.{one.detail}") or words.get(f"role.{one.detail}")
    return SecurityRow(
        one.number,
        datetime.fromtimestamp(one.at).astimezone(),
        one.kind,
        names.get(one.by, one.by),
        "" if is_table else names.get(one.about, one.about),
        one.about if is_table else "",
        words["security.console"] if one.address == "console" else one.address,
        detail or one.detail,
    )
