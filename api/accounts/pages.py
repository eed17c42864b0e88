"""The page of access: accounts and devices, sign-ins, invitations and codes."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast, get_args
from uuid import UUID

from flask import Blueprint, Response, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts import listing
from api.accounts.mail import MailServer, is_mail_address
from api.html import qr_codes
from api.html.addresses import root_for_others
from api.html.pages import confirmation_page, page
from api.http.access import guard
from api.http.access.hosts import hosts_notice
from api.http.access.prefix import prefix
from api.http.access.security import note_security
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import current_services, metadata_without_key
from referee.access.keys import Offer
from referee.access.password_recovery import PasswordReset
from referee.aggregates.access import AT_ONE_TABLE, HolderKind, may_grant
from referee.errors import NotFound, Refused
from referee.events import HolderId, Role, RoleGranted
from referee.rules.articles import Rule

blp = Blueprint("accounts", __name__)


@blp.get("/casa")
@guard.requires("devices:pair")
@guard.admits_bound_users
def show_access_page() -> Response:
    """The page of holders, sign-ins and open offers, with the forms to invite and to pair."""
    return _access_page()


@blp.post("/casa/invitaciones")
@guard.requires("access:manage")
def make_invitation() -> Response:
    """Make a link with which one person opens an account with a role."""
    offer = _offer_of_form()
    secret = current_services().admission.make_offer("invitation", offer)
    note_security("offer_made", detail=offer.role)
    return _access_page(link=f"{root_for_others()}alta#{secret}")


@blp.post("/casa/correo")
@guard.requires("access:manage")
def send_link_by_mail() -> Response:
    """Send a link that was just made, an invitation or one for a password, to an address of mail.

    The address is kept nowhere; nothing but an open link can be sent.
    """
    server, link, to = (
        _mail_server_or_none(),
        request.form.get("link", ""),
        request.form.get("mail", ""),
    )
    page_of, _, secret = link.removeprefix(root_for_others()).partition("#")
    reset = current_services().resets.find_by_secret(secret)
    is_open = {
        "alta": current_services().admission.find_offer("invitation", secret) is not None,
        "contrasena": reset is not None
        and current_services().admission.may_link_reset_password(reset),
    }
    if server is None or not is_open.get(page_of, False):
        raise Problem("not_found")
    if not is_mail_address(to.strip()):
        return _access_page(wrong=say("access.mail_wrong", language()))
    what, link = f"access.mail_{page_of}", f"{root_for_others()}{page_of}#{secret}"
    subject = say(f"{what}_subject", language())
    sent = server.send_and_wait(to.strip(), subject, say(what, language(), link=link))
    note_security("offer_made", about=reset.holder if reset else "", detail="mail")
    return _access_page(notice=say(f"access.mail_{sent}", language()))


def _mail_server_or_none() -> MailServer | None:
    found: MailServer | None = current_app.extensions.get("mail")
    return found


@blp.post("/casa/codigos")
@guard.requires("devices:pair")
@guard.admits_bound_users
def make_pairing_code() -> Response:
    """Make a code with which one device is paired."""
    offer = _offer_of_form()
    code = current_services().admission.make_offer("pairing", offer)
    note_security("offer_made", detail=offer.role)
    return _access_page(code=code, link=f"{root_for_others()}p#{code}")


@blp.get("/casa/ofertas/<string(length=16):offer>/retirada")
@guard.requires("devices:pair")
@guard.admits_bound_users
def ask_to_withdraw_offer(offer: str) -> Response:
    """The page that asks whether an open offer is to be withdrawn."""
    found = [one for one in listing.offer_rows_for_actor(g.actor) if one.offer.id == offer]
    if not found:
        raise Problem("not_found")
    return _confirmation_page(
        "withdraw", "withdraw_help", say(f"role.{found[0].offer.offer.role}", language())
    )


@blp.post("/casa/ofertas/<string(length=16):offer>/retirada")
@guard.requires("devices:pair")
@guard.admits_bound_users
def withdraw_listed_offer(offer: str) -> AnyResponse:
    """Withdraw an open offer that the page lists."""
    if offer not in [one.offer.id for one in listing.offer_rows_for_actor(g.actor)]:
        raise Problem("not_found")
    current_services().keys.withdraw_offer(offer)
    note_security("offer_withdrawn")
    return redirect(f"{prefix()}/casa", 303)


@blp.post("/casa/<string(length=16):holder>/papel")
@guard.requires("access:manage")
def change_role_of_account(holder: str) -> AnyResponse:
    """Change the role of an account."""
    if current_services().referee.roles.access().active_holder(holder) is None:
        raise Refused(Rule.HOLDER_UNKNOWN, holder=holder)
    offer = _offer_of_form()
    granted = RoleGranted(holder, offer.role, offer.encuentro)
    current_services().admission.change_role(granted, metadata_without_key())
    note_security("granted", about=holder, detail=offer.role)
    return redirect(f"{prefix()}/casa", 303)


@blp.get("/casa/entradas/<string(length=16):sign_in>/salida")
@guard.requires("access:manage")
def ask_to_end_any_sign_in(sign_in: str) -> Response:
    """Ask before a sign-in is ended, whosever it is."""
    found = [one for one in listing.sign_in_rows() if one.id == sign_in]
    if not found:
        raise Problem("not_found")
    return _confirmation_page(
        "sign_out", "sign_out_help", " · ".join(filter(None, (found[0].name, found[0].agent)))
    )


@blp.post("/casa/entradas/<string(length=16):sign_in>/salida")
@guard.requires("access:manage")
def end_any_sign_in(sign_in: str) -> AnyResponse:
    """End a sign-in of anybody."""
    for one in listing.sign_in_rows():
        if one.id == sign_in:
            current_services().keys.end_sign_ins(one.holder, only=sign_in)
            note_security("sign_out", about=one.holder)
    return redirect(f"{prefix()}/casa", 303)


@blp.get("/casa/<string(length=16):holder>/contrasena")
@guard.requires("access:manage")
def ask_to_make_reset_link(holder: str) -> Response:
    """The page that asks whether to make a link for choosing a new password."""
    return _confirmation_page(
        "reset_make", "reset_help", _name_of_other_or_problem(holder), "reset_make"
    )


@blp.post("/casa/<string(length=16):holder>/contrasena")
@guard.requires("access:manage")
def make_reset_link(holder: str) -> Response:
    """Make a link with which somebody else chooses another password, shown once.

    The account is as before until it is used.
    """
    name = _name_of_other_or_problem(holder)
    secret = current_services().resets.make_reset_secret(PasswordReset(holder, g.actor.by))
    note_security("offer_made", about=holder, detail="password")
    return _access_page(link=f"{root_for_others()}contrasena#{secret}", reset=name)


def _name_of_other_or_problem(holder: HolderId) -> str:
    """Name of an active account that is not the user's own.

    :raises Problem: it is none, or the user's own, whose password asks for the one of before
    """
    held = current_services().referee.roles.access().active_holder(holder)
    if held is None or held.kind != "account":
        raise Problem("not_found")
    if holder == g.actor.by:
        raise Problem("forbidden")
    return current_services().keys.account_names().get(holder, "")


@blp.get("/casa/<string(length=16):holder>/baja")
@guard.requires("access:manage")
def ask_to_revoke_holder(holder: str) -> Response:
    """The page that asks whether to revoke an account or a device, and lists whom it let in."""
    rows = {one.holder: one for one in listing.holder_rows_for_actor(g.actor)}
    if holder not in rows:
        raise Refused(Rule.HOLDER_UNKNOWN, holder=holder)
    if _is_last_admin(holder):
        raise Refused(Rule.LAST_ADMIN)
    offers = [one for one in listing.offer_rows_for_actor(g.actor) if one.offer.offer.by == holder]
    let_in = [rows[one] for one in _holders_let_in_by(holder)]
    return page(
        "accounts/revoke.html",
        one=rows[holder],
        let_in=let_in,
        offers=offers,
        is_own=holder == g.actor.by,
        tables=listing.table_words_by_encuentro(""),
    )


@blp.post("/casa/<string(length=16):holder>/baja")
@guard.requires("access:manage")
def revoke_holder(holder: str) -> AnyResponse:
    """Revoke an account or a device, and of those whom it let in the chosen ones."""
    also = request.form.getlist("also")
    if not set(also) <= set(_holders_let_in_by(holder)):
        raise Problem("bad_request")
    chosen = [holder, *dict.fromkeys(also)]
    current_services().admission.revoke_holders(chosen, metadata_without_key())
    for one in chosen:
        note_security("revoked", about=one)
    return redirect(f"{prefix()}/casa", 303)


def _holders_let_in_by(holder: HolderId) -> list[HolderId]:
    """Holders whom a holder let in, and whom these let in, without the user who asks."""
    found = current_services().referee.roles.active_descendants_of_holder(holder)
    return [one for one in found if one != g.actor.by]


def _is_last_admin(holder: HolderId) -> bool:
    return current_services().referee.roles.access().is_protected_last_admin(holder, g.actor.by)


def _confirmation_page(what: str, says: str, about: str, ask: str = "") -> Response:
    """The page that asks before something of access ends, or is given."""
    words = [about, say(f"access.{says}", language())]
    title = say(f"access.{ask or f'{what}_ask'}", language())
    return confirmation_page(title, words, say(f"access.{what}", language()), f"{prefix()}/casa")


def _offer_of_form() -> Offer:
    """The offer that the form describes: its role, its table, and who makes it.

    :raises Problem: no such role, or no such table
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
    return Offer(cast("Role", role), table, g.actor.by)


@blp.errorhandler(Refused)
def _refusal_page(refused: Refused) -> Response:
    """The page of access with the reason of a refusal in words."""
    response = _access_page(wrong=say(f"rule.{refused.rule}", language(), **refused.facts))
    response.status_code = 403 if refused.rule == Rule.MAY_NOT_GRANT else 409
    return response


def _access_page(
    *, wrong: str = "", link: str = "", code: str = "", reset: str = "", notice: str = ""
) -> Response:
    """The page of access.

    ``link``: Of an invitation, of a ``code``, or of whose password it resets.
    """
    rows, may = listing.holder_rows_for_actor(g.actor), g.actor.permissions.__contains__
    tables = listing.table_words_by_encuentro(g.actor.encuentro)
    return page(
        "accounts/access.html",
        accounts=[row for row in rows if row.kind == "account" and may("club:manage")],
        devices=[row for row in rows if row.kind == "device"],
        sign_ins=listing.sign_in_rows() if may("access:manage") else [],
        offers=listing.offer_rows_for_actor(g.actor),
        roles=_grantable_roles("account", tables),
        device_roles=_grantable_roles("device", tables),
        tables=tables,
        table=request.values.get("encuentro", ""),
        own=g.actor.by,
        needed=[row.holder for row in rows if _is_last_admin(row.holder)],
        doubtful=current_services().referee.roles.holders_without_granter(),
        is_bound=bool(g.actor.encuentro),
        four_eyes=current_services().referee.settings.settings().four_eyes,
        wrong=wrong,
        notice=notice or (hosts_notice() if may("access:manage") else ""),
        sends_mail=_mail_server_or_none() is not None and may("access:manage"),
        link=link,
        code=code,
        reset=reset,
        qr=qr_codes.qr_inline(link, scale=4, light="#fff") if link else None,
    )


def _grantable_roles(kind: HolderKind, tables: Collection[str]) -> list[Role]:
    """Roles that the user may give to an account or a device; those of one table come last."""
    granter = current_services().referee.roles.access().active_holder_or_owner(g.actor.by)
    found = [role for role in get_args(Role) if may_grant(granter, kind, role, g.actor.encuentro)]
    of_table = [role for role in found if role in AT_ONE_TABLE]
    return [role for role in found if role not in of_table] + (of_table if tables else [])
