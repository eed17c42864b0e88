"""Who sees the record of a decided partida: everybody, who has the code of its encuentro, the club.

The code comes in the address of the players' door, and stays with the browser as a cookie.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from flask import Response, request

from api.http.access import guard
from api.http.access.guard import F
from api.http.access.prefix import cookie_path
from api.http.services import current_services

CODE: Final = "c"
"""The code in an address."""
_KEPT_S: Final = 90 * 86_400


def open_record_when(is_open: Callable[..., bool]) -> Callable[[F], F]:
    """Decorator: a route that shows a record to those whom the club lets see it, once it may."""

    def is_open_here(encuentro_id: UUID, **more: Any) -> bool:
        return is_open(encuentro_id, **more) and _may_see_record(encuentro_id)

    return guard.open_when(is_open_here)


def are_records_for_everybody() -> bool:
    """Whether everybody sees the records of decided partidas."""
    return current_services().referee.settings.are_records_public()


def query_with_record_code(encuentro_id: UUID) -> dict[str, str]:
    """Query parameter with the code of a record, where the club wants one; for officials."""
    if current_services().referee.settings.audience_of_records() != "with_code":
        return {}
    return {CODE: _right_record_code(encuentro_id)}


def keep_code_in_cookie(answer: Response, encuentro_id: UUID) -> None:
    """Store the right code of a record in a cookie of the browser."""
    if request.args.get(CODE) and _may_see_record(encuentro_id):
        answer.set_cookie(
            _cookie_name_of(encuentro_id),
            request.args[CODE],
            max_age=_KEPT_S,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
            path=cookie_path(),
        )


def _may_see_record(encuentro_id: UUID) -> bool:
    audience = current_services().referee.settings.audience_of_records()
    if audience != "with_code":
        return audience == "everybody"
    in_address = "" if request.path.startswith("/api/") else request.args.get(CODE, "")
    given = in_address or request.cookies.get(_cookie_name_of(encuentro_id), "")
    return hmac.compare_digest(given.encode(), _right_record_code(encuentro_id).encode())


def _right_record_code(encuentro_id: UUID) -> str:
    return current_services().addresses.secret_code_of_record(encuentro_id.hex)


def _cookie_name_of(encuentro_id: UUID) -> str:
    return f"guinote-record-{encuentro_id.hex[:16]}"
