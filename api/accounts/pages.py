"""The page of access: accounts and devices, invitations and codes."""

from __future__ import annotations

from typing import cast, get_args
from uuid import UUID

from flask import Blueprint, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.encuentros import reading
from api.encuentros.pages import seats_of
from api.html import qr_codes
from api.html.pages import page
from api.http import guard
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.roles import PERMISSIONS
from api.http.security import note_security
from api.http.services import current_services
from referee.access.keys import Offer
from referee.access.roles import AT_ANY_TABLE, refuse_misplaced
from referee.errors import NotFound, Refused
from referee.events import AccessAct, AccessRevoked, Role, RoleGranted
from referee.log.streams import WriteMetadata

blp = Blueprint("admission", __name__)
_TABLES = 50


@blp.get("/casa")
@guard.requires("devices:pair")
def people() -> Response:
    """All holders of roles, with the forms to invite and to pair."""
    return _shown()


@blp.post("/casa/invitaciones")
@guard.requires("access:manage")
def invite() -> Response:
    """Make a link with which one person opens an account with a role."""
    offer = _offer()
    secret = current_services().keys.offer("invitation", offer)
    note_security("offer_made", detail=offer.role)
    return _shown(link=f"{request.host_url}alta#{secret}")


@blp.post("/casa/codigos")
@guard.requires("devices:pair")
def pair() -> Response:
    """Make a code with which one device is paired."""
    offer = _offer()
    if offer.role in AT_ANY_TABLE:
        raise Problem("forbidden")
    code = current_services().keys.offer("pairing", offer)
    note_security("offer_made", detail=offer.role)
    return _shown(code=code, link=f"{request.host_url}p#{code}")


@blp.post("/casa/<string(length=16):holder>/papel")
@guard.requires("access:manage")
def grant(holder: str) -> AnyResponse:
    """Change the role of an account."""
    offer = _offer()
    answer = _recorded(RoleGranted(holder, offer.role, offer.encuentro))
    note_security("granted", about=holder, detail=offer.role)
    return answer


@blp.post("/casa/<string(length=16):holder>/baja")
@guard.requires("access:manage")
def revoke(holder: str) -> AnyResponse:
    """Revoke an account or a device, and erase its name and keys."""
    answer = _recorded(AccessRevoked(holder))
    current_services().keys.forget(holder)
    note_security("revoked", about=holder)
    return answer


def _recorded(act: AccessAct) -> AnyResponse:
    meta = WriteMetadata(by=g.actor.by, device=g.actor.via, at=current_services().clock())
    current_services().referee.roles.admit(act, meta)
    return redirect("/casa", 303)


def _offer() -> Offer:
    """What the form offers.

    :raises Problem: no such role, or no such table
    :raises Refused: the role cannot be had there
    """
    role, table = request.form.get("role", ""), request.form.get("encuentro", "")
    if role not in get_args(Role):
        raise Problem("bad_request")
    if table:
        try:
            table = str(UUID(table))
            current_services().referee.encuentros.encuentro(UUID(table))
        except (ValueError, NotFound):
            raise Problem("not_found") from None
    offer = Offer(cast("Role", role), table, g.actor.by)
    refuse_misplaced(offer.role, offer.encuentro)
    return offer


@blp.errorhandler(Refused)
def _refused(refused: Refused) -> Response:
    """The page again, with the reason in words."""
    response = _shown(wrong=say(f"rule.{refused.rule}", language(), **refused.facts))
    response.status_code = 409
    return response


def _shown(*, wrong: str = "", link: str = "", code: str = "") -> Response:
    names = current_services().keys.names()
    held = current_services().referee.roles.access().holders.items()
    rows = [
        {"holder": key, "name": names.get(key, key), **one._asdict()}
        for key, one in held
        if one.is_active
    ]
    return page(
        "accounts/access.html",
        accounts=[row for row in rows if row["kind"] == "account"],
        devices=[row for row in rows if row["kind"] == "device"],
        roles=list(PERMISSIONS),
        device_roles=[role for role in PERMISSIONS if role not in AT_ANY_TABLE],
        tables=_tables(),
        table=request.values.get("encuentro", ""),
        wrong=wrong,
        link=link,
        code=code,
        qr=qr_codes.qr_inline(link, scale=4, light="#fff") if link else None,
    )


def _tables() -> dict[str, str]:
    """Players at the latest tables, by encuentro."""
    found = reading.encuentros("", _TABLES)["items"]
    return {
        one["id"]: ", ".join(filter(None, seats_of(one).values())) or one["id"][:8] for one in found
    }
