"""Entries of the security log about the request that is being answered."""

from __future__ import annotations

from flask import g, request

from api.http.services import current_services
from referee.access.security_log import SecurityKind


def note_security(
    kind: SecurityKind, *, by: str | None = None, about: str = "", detail: str = ""
) -> None:
    """Add an entry with the address of the caller. ``by``: id of a holder, by default the caller.

    No names, no secrets, and no texts of users: ids, and short words of the program.
    """
    if by is None:
        actor = g.get("actor")
        by = actor.by if actor is not None else ""
    current_services().security.note(
        kind, by=by, about=about, address=request.remote_addr or "", detail=detail
    )
