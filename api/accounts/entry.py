"""Sign-in and sign-out, invitations, and pairing of devices."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote

from flask import Blueprint, Flask, Response, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts import listing, passwords, phones, settings
from api.html.pages import page
from api.http.access import guard
from api.http.access.attempts import (
    STRANGERS,
    attempt_within_limits,
    caller_address,
    note_wrong_secret,
)
from api.http.access.prefix import cookie_path, prefix
from api.http.access.security import note_security
from api.http.access.tokens import Owner
from api.http.languages import language, say
from api.http.problems import Problem
from api.http.services import current_services, house_component_or_none
from referee.access.attempts import device_pairing_attempt_subjects
from referee.access.keys import LASTS_S, LONGEST_NAME, NameTaken, OfferKind, TokenKind
from referee.access.passwords import BadPassword, password_fault
from referee.aggregates.access import OWNER
from referee.events import HolderId

blp = Blueprint("entering", __name__)
_SAID = {"nueva": "access.reset_done", "pedida": "access.forgotten_sent"}
_BROWSERS: Final = (
    ("Firefox/", "Firefox"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("FxiOS/", "Firefox"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
    ("python", "Python"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def register_sign_in_globals(app: Flask) -> None:
    """Give the templates of an application the function ``may_choose_first_settings``."""
    app.add_template_global(settings.may_choose_first_settings)


def _next_path() -> str:
    """Target after signing in: a path of this site."""
    home = f"{prefix()}/"
    asked = request.values.get("next", home)
    is_ours = asked.startswith(home) and not asked.startswith(("//", "/\\"))
    steps = unquote(asked.partition("?")[0].partition("#")[0]).replace("\\", "/").split("/")
    return asked if is_ours and asked.isprintable() and ".." not in steps else home


def _form_field(name: str) -> str:
    """A field of a form, without the character that PostgreSQL does not keep."""
    return request.form.get(name, "").replace("\0", "").strip()


def renew_sign_in_on_answer(answer: AnyResponse) -> AnyResponse:
    """An answer to credentials that were typed again, with the cookie of a new sign-in.

    A paired device keeps its own; whoever ended this sign-in has none any more.
    """
    is_open = (
        current_services().keys.holder_id_of_token(guard.credential_and_kind()[0]) == g.actor.by
    )
    return (
        _start_sign_in("session", g.actor.by, answer)
        if is_open and not g.actor.is_device
        else answer
    )


def _start_sign_in(kind: TokenKind, holder: HolderId, entered: AnyResponse) -> AnyResponse:
    """The response that was made, with the cookie of a new sign-in.

    The sign-in that the browser had ends.
    """
    keys, agent = current_services().keys, browser_and_system_of_request()
    owner: Owner = house_component_or_none("owner")
    if shown := request.cookies.get(guard.cookie_name()):
        keys.delete_token_by_secret(shown)
    entered.set_cookie(
        guard.cookie_name(),
        keys.give_token(kind, holder, agent=agent, mark=owner.mark() if holder == OWNER else ""),
        max_age=int(LASTS_S[kind]),
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path=cookie_path(),
    )
    if kind == "session" and holder != OWNER:
        passwords.remember_browser(entered, holder)
    return entered


def _repeat_form(template: str, why: str, status: int = 403) -> Response:
    """The page of a form again, with its fault and the name that was typed."""
    return page(template, next=_next_path(), wrong=why, name=_form_field("name"), status=status)


# --- signing in ----------------------------------------------------------------------------------


@blp.get("/entrar")
@guard.open_to_all
def sign_in_form() -> AnyResponse:
    """Form for name and password, or the owner's token."""
    said = _SAID.get(request.args.get("contrasena", ""), "")
    return passwords.set_attempt_cookie(
        page("accounts/login.html", next=_next_path(), wrong="", name="", said=said)
    )


@blp.post("/entrar")
@guard.open_to_all
@guard.takes_writes_when_full
def sign_in_from_form() -> AnyResponse:
    """Sign in with a password, with the owner's token, or with the code of the second step."""
    if "token" in request.form:
        owner: Owner = house_component_or_none("owner")
        if not owner.knows(_form_field("token")):
            note_wrong_secret("sign_in_failed", "token")
            return _repeat_form("accounts/login.html", "page.wrong_token")
        note_security("sign_in", by=OWNER, detail="token")
        return _start_sign_in("session", OWNER, redirect(_next_path(), 303))
    if "waiting" in request.form:
        return _finish_second_step()
    password = request.form.get("password", "")
    holder = passwords.authenticate_account_or_none(_form_field("name"), password)
    if holder is None:
        return _repeat_form("accounts/login.html", "access.wrong_password")
    if password_fault(password, _form_field("name")):
        current_services().keys.add_notice(holder, "weak_password")
    factors = current_services().factors
    if holder in factors.holders():
        return _code_form(factors.begin_sign_in(holder), "", 200)
    return _finish_sign_in(holder)


def _finish_second_step() -> AnyResponse:
    """Finish a sign-in by the code of the second factor, after the right password."""
    factors, waiting = current_services().factors, _form_field("waiting")
    holder = factors.waiting_account(waiting)
    if holder is None:
        return _repeat_form("accounts/login.html", "access.second_late")
    if not passwords.try_second_factor_code(holder, _form_field("code")):
        return _code_form(waiting, "access.wrong_code", 403)
    factors.forget_waiting_sign_in(waiting)
    return _finish_sign_in(holder, "second_factor")


def _code_form(waiting: str, wrong: str, status: int) -> Response:
    """The form for the code. Nobody is signed in before it is right."""
    return page(
        "accounts/second_step.html", waiting=waiting, next=_next_path(), wrong=wrong, status=status
    )


def _finish_sign_in(holder: HolderId, how: str = "") -> AnyResponse:
    """Sign in, and redirect to the page that was asked for.

    First to the account page if it has notices.
    """
    note_security("sign_in", by=holder, detail=how)
    is_told = current_services().keys.notices(holder)
    goal = f"{prefix()}/cuenta?next={quote(_next_path())}" if is_told else _next_path()
    return _start_sign_in("session", holder, redirect(goal, 303))


@blp.get("/salir")
@guard.open_to_all
def sign_out_page() -> Response:
    """The page of sign-out: a script clears what this device keeps, and then sends the form."""
    return page("accounts/leave.html")


@blp.post("/salir")
@guard.open_to_all
@guard.takes_writes_when_full
def sign_out_here() -> AnyResponse:
    """Sign out: revoke the token of the browser, and let it clear what it keeps of the service.

    ``cleared``: a script of ours cleared the tables; what is left is the page for later.
    """
    if shown := request.cookies.get(guard.cookie_name()):
        note_security("sign_out", by=current_services().keys.holder_id_of_token(shown) or "")
        current_services().keys.delete_token_by_secret(shown)
    left = redirect(f"{prefix()}/entrar", 303)
    left.delete_cookie(
        guard.cookie_name(),
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path=cookie_path(),
    )
    is_cleared = _form_field("cleared") == "yes" or bool(
        prefix()
    )  # the storage is of the whole host
    left.headers["Clear-Site-Data"] = '"cache"' if is_cleared else '"cache", "storage"'
    return left


# --- invitations and pairing ---------------------------------------------------------------------


@blp.get("/alta")
@guard.open_to_all
def invitation_form() -> Response:
    """Form for taking an invitation: name and password; the first admin chooses for all."""
    return page("accounts/alta.html", next=f"{prefix()}/", wrong="", name="")


@blp.post("/alta")
@guard.open_to_all
def take_invitation() -> AnyResponse:
    """Open an account with the offered role by an invitation, and sign in."""
    keys, secret, name = current_services().keys, _form_field("invitation"), _form_field("name")
    if not 0 < len(name) <= LONGEST_NAME:
        return _repeat_form("accounts/alta.html", "access.name_wrong", 422)
    if current_services().admission.find_offer("invitation", secret) is None:
        note_wrong_secret("sign_in_failed", "invitation")
        return _repeat_form("accounts/alta.html", "access.no_invitation")
    is_first = settings.may_choose_first_settings()
    try:
        with STRANGERS.turn():
            holder = keys.open_account(name, request.form.get("password", ""))
    except NameTaken:
        return _repeat_form("accounts/alta.html", "access.name_taken", 409)
    except BadPassword as bad:
        return _repeat_form("accounts/alta.html", f"access.password_{bad.fault}", 422)
    if not _try_redeem_offer("invitation", secret, holder):
        keys.forget_holders(holder)
        return _repeat_form("accounts/alta.html", "access.no_invitation")
    may_choose = is_first and settings.record_settings_if_admin(holder)
    is_open = may_choose and phones.choose_first_reach_from_form(holder)
    return _start_sign_in(
        "session", holder, redirect(f"{prefix()}/casa/moviles" if is_open else f"{prefix()}/", 303)
    )


@blp.get("/p")
@guard.open_to_all
def pairing_form() -> Response:
    """Form for the code of a pairing; a QR code has it in the fragment of the address."""
    return page("club/pair.html", next=f"{prefix()}/", wrong="", name="")


@blp.post("/p")
@guard.open_to_all
def pair_device() -> AnyResponse:
    """Pair this device by the code in the form, and give it its cookie."""
    device = current_services().keys.new_holder_id()
    if not try_redeem_pairing_code(_form_field("code"), device):
        return _repeat_form("club/pair.html", "access.no_code")
    return _start_sign_in("device", device, redirect(f"{prefix()}/arbitro/", 303))


def try_redeem_pairing_code(code: str, device: HolderId) -> bool:
    """Take the code of a pairing for a new device; returns whether it is good."""
    with attempt_within_limits(device_pairing_attempt_subjects(caller_address()), None) as attempt:
        attempt.is_right = _try_redeem_offer("pairing", code.upper().replace("-", ""), device)
    if not attempt.is_right:
        note_security("sign_in_failed", detail="pairing")
    return attempt.is_right


def _try_redeem_offer(kind: OfferKind, secret: str, holder: HolderId) -> bool:
    """Take an offer for a new holder; returns whether it could be taken."""
    here = current_services()
    offer = here.admission.accept_offer_or_none(kind, secret, holder, here.clock())
    if offer is None:
        return False
    note_security(
        "account_opened" if kind == "invitation" else "device_paired",
        by=offer.by,
        about=holder,
        detail=offer.role,
    )
    return True


# --- one's own account ---------------------------------------------------------------------------


@blp.get("/cuenta")
@guard.requires("self")
@guard.admits_bound_users
def show_own_account() -> Response:
    """The page of the user's own account, with the form for a new password."""
    return account_page_with_fault("", 200)


@blp.post("/cuenta")
@guard.requires("self")
@guard.admits_bound_users
def change_password() -> AnyResponse:
    """Change the password; other browsers of the account are signed out, its apps too."""
    keys, by = current_services().keys, g.actor.by
    if wrong := passwords.credentials_fault():
        return account_page_with_fault(wrong, 403)
    try:
        keys.change_password(by, request.form.get("password", ""))
    except BadPassword as bad:
        return account_page_with_fault(f"access.password_{bad.fault}", 422)
    passwords.revoke_app_tokens(by)
    note_security("password_changed", about=by)
    return _start_sign_in("session", by, redirect(f"{prefix()}/cuenta", 303))


@blp.get("/cuenta/salida")
@guard.requires("self")
@guard.admits_bound_users
def ask_to_sign_out_everywhere() -> Response:
    """The page that asks whether to sign out everywhere."""
    return _ask_sign_out_everywhere("", 200)


@blp.post("/cuenta/salida")
@guard.requires("self")
@guard.admits_bound_users
def sign_out_everywhere() -> AnyResponse:
    """Sign out everywhere, here too, after the credentials."""
    if wrong := passwords.sign_out_fault():
        return _ask_sign_out_everywhere(wrong, 403)
    left = sign_out_here()
    current_services().keys.end_sign_ins(g.actor.by)
    return left


@blp.get("/cuenta/entradas/<string(length=16):sign_in>/salida")
@guard.requires("self")
@guard.admits_bound_users
def ask_to_end_sign_in(sign_in: str) -> Response:
    """The page that asks whether one sign-in of the user is to end."""
    return _ask_sign_out_of(sign_in, "", 200)


@blp.post("/cuenta/entradas/<string(length=16):sign_in>/salida")
@guard.requires("self")
@guard.admits_bound_users
def end_own_sign_in(sign_in: str) -> AnyResponse:
    """End one sign-in of the user, after the credentials."""
    if wrong := passwords.sign_out_fault():
        return _ask_sign_out_of(sign_in, wrong, 403)
    if any(one.id == sign_in for one in listing.sign_in_rows(g.actor.by)):
        current_services().keys.end_sign_ins(g.actor.by, only=sign_in)
        note_security("sign_out")
    return renew_sign_in_on_answer(redirect(f"{prefix()}/cuenta", 303))


def _ask_sign_out_everywhere(wrong: str, status: int) -> Response:
    title = say("access.sign_out_everywhere", language())
    return _ask_credentials(
        title, [say("access.everywhere_help", language())], title, wrong, status
    )


def _ask_sign_out_of(sign_in: str, wrong: str, status: int) -> Response:
    """The page that asks whether one sign-in of the user is to end, with the fault if there is one.

    :raises Problem: they have no such sign-in
    """
    found = [one for one in listing.sign_in_rows(g.actor.by) if one.id == sign_in]
    if not found:
        raise Problem("not_found")
    title, button = (say(f"access.{one}", language()) for one in ("sign_out_ask", "sign_out"))
    words = [found[0].agent or "\u2013", say("access.sign_out_help", language())]
    return _ask_credentials(title, words, button, wrong, status)


def _ask_credentials(title: str, says: list[str], button: str, wrong: str, status: int) -> Response:
    """A page that asks before a sign-in ends, with a form for the credentials."""
    by = g.actor.by
    return page(
        "accounts/ask_again.html",
        title=title,
        says=says,
        button=button,
        back=f"{prefix()}/cuenta",
        action=f"{prefix()}{request.path}",
        asks="" if g.actor.is_device else "token" if by == OWNER else "password",
        has_second=by in current_services().factors.holders(),
        wrong=wrong,
        status=status,
    )


def account_page_with_fault(wrong: str, status: int) -> Response:
    """The page of the user's own account, with a fault if any; it forgets the notices it shows."""
    name = current_services().keys.account_names().get(g.actor.by, "")
    notices, factors = current_services().keys.notices(g.actor.by), current_services().factors
    response = page(
        "accounts/account.html",
        actor=g.actor,
        name=name,
        wrong=wrong,
        sign_ins=listing.sign_in_rows(g.actor.by),
        has_tokens=bool(
            current_services().referee.roles.access().active_token_ids_of_makers(g.actor.by)
        ),
        notices=notices,
        has_second=g.actor.by in factors.holders(),
        mail_address=current_services().mail_addresses.address_or_empty(g.actor.by),
        recovery_left=factors.recovery_codes_left(g.actor.by),
        next=_next_path(),
    )
    response.status_code = status
    if notices:
        current_services().keys.forget_notices_but_weak_password(g.actor.by)
    return response


def browser_and_system_of_request() -> str:
    """Browser and system of the caller, in words."""
    return browser_and_system_of_header(request.headers.get("User-Agent", ""))


def browser_and_system_of_header(header: str) -> str:
    """Browser and system of a ``User-Agent``; only words of these tables, empty if none fits.

    >>> header = "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    >>> browser_and_system_of_header(header)
    'Firefox · Android'
    >>> browser_and_system_of_header("<script>")
    ''
    """
    return " · ".join(
        filter(None, (_name_in_header(_BROWSERS, header), _name_in_header(_SYSTEMS, header)))
    )


def _name_in_header(known: tuple[tuple[str, str], ...], header: str) -> str:
    return next((name for mark, name in known if mark in header), "")
