"""Entries of the security log about the present request."""

from __future__ import annotations

from flask import g, request

from api.http.services import current_services
from referee.access.security_log import SecurityKind


def note_security(
    kind: SecurityKind, *, by: str | None = None, about: str = "", detail: str = ""
) -> None:
    """Add an entry about the present request to the security log.

    ``by``: Id of a holder, else the caller.

    No names, no secrets, and no texts of users: ids, and short words of the program.
    """
    if by is None:
        actor = g.get("actor")
        by = actor.by if actor is not None else ""
    current_services().security.note(
        kind, by=by, about=about, address=request.remote_addr or "", detail=detail
    )
