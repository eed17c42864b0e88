"""The page for the phones: who may reach the house, and by which address other devices open it."""

from __future__ import annotations

import socket
import time
from typing import NamedTuple

from flask import Blueprint, Response, jsonify, request
from werkzeug.utils import redirect
from werkzeug.wrappers import Response as AnyResponse

from api.accounts.house_https import HouseHttps
from api.html import qr_codes
from api.html.addresses import request_port, root_at, root_for_others
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.reach import (
    LOCAL_NAME,
    REACH_CHOICES,
    HouseReach,
    ReachChoice,
    own_addresses,
)
from api.http.access.security import note_security
from api.http.services import house_component_or_none
from referee.events import HolderId

blp = Blueprint("phones", __name__)
_ANSWER_S = 0.5
_OPENED_S = 3.0
"""Time that the doors of a choice take to open, at most."""


class ReachableAddress(NamedTuple):
    """An address of this computer, whether the service answers there, and its QR code."""

    url: str
    answers: bool
    qr: str


@blp.get("/casa/moviles")
@guard.requires("access:manage")
def show_phones() -> Response:
    """Who may reach this house, and the addresses of this computer for the phones"""
    return _phones_page()


def _phones_page(failed: str = "", status: int = 200) -> Response:
    reach, port = _reach_component(), request_port()
    own = own_addresses()
    found = [_probe_address_with_qr(one, port) for one in own]
    now = {f"{one}:{port}" for one in own}
    https = _https_component()
    return page(
        "accounts/phones/phones.html",
        choice=reach.choice(),
        choices=REACH_CHOICES,
        by_command=reach.is_by_command,
        found=found,
        answers=[one for one in found if one.answers],
        visited=reach.has_visit(),
        here=root_for_others(),
        is_https=request.is_secure,
        offered=https.is_offered,
        secure=_certificate_address_with_qr(own) if https.is_on() and own else None,
        opened=https.was_opened_over_https(),
        fingerprint=https.fingerprint() if https.is_on() else "",
        failed=failed,
        named=root_at(LOCAL_NAME) if reach.has_working_local_name() else "",
        old=[one for one in reach.visit_addresses() if one not in now],
        port=port,
        status=status,
    )


@blp.post("/casa/moviles")
@guard.requires("access:manage")
def change_reach() -> AnyResponse:
    """Choose who may reach this house; the doors open and close by themselves."""
    wanted = request.form.get("reach", "")
    if choice := next((one for one in REACH_CHOICES if one == wanted), None):
        note_security("settings_changed", detail=f"reach {choice}")
        _choose_reach(choice)
    return redirect(f"{prefix()}/casa/moviles", 303)


@blp.post("/casa/moviles/https")
@guard.requires("access:manage")
def turn_on_https() -> AnyResponse:
    """Make the certificates of this house; it speaks HTTPS beside HTTP from now on."""
    try:
        _https_component().turn_on()
    except OSError as error:
        return _phones_page(failed=str(error), status=503)
    note_security("settings_changed", detail="https")
    return redirect(f"{prefix()}/casa/moviles#https", 303)


@blp.get("/casa/moviles/visita")
@guard.requires("access:manage")
def visit_state() -> Response:
    """Whether another device came since the choice, for the script of the page"""
    answer = jsonify(
        visited=_reach_component().has_visit(), opened=_https_component().was_opened_over_https()
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blp.app_context_processor
def _reach_choice_context() -> dict[str, object]:
    return {"asks_who_comes_in": must_ask_reach, "reach_choices": REACH_CHOICES}


def must_ask_reach() -> bool:
    """Whether nobody has chosen yet who may reach the house, so that the first admin is asked."""
    return _reach_component().choice() is None and not _reach_component().is_by_command


def choose_first_reach_from_form(holder: HolderId) -> bool:
    """Keep what the first admin chose in the form of their account; whether phones may come in."""
    wanted = request.form.get("reach", "")
    choice = next((one for one in REACH_CHOICES if one == wanted), None)
    if choice is None or not must_ask_reach():
        return False
    note_security("settings_changed", by=holder, detail=f"reach {choice}")
    _choose_reach(choice)
    return choice == "network"


def _reach_component() -> HouseReach:
    found: HouseReach = house_component_or_none("reach")
    return found


def _choose_reach(choice: ReachChoice) -> None:
    """Save the choice who may reach the house, and wait until phones can reach it."""
    _reach_component().choose_and_forget_visit(choice)
    if choice == "network" and not _reach_component().is_by_command:
        _wait_until_reachable()


def _https_component() -> HouseHttps:
    found: HouseHttps = house_component_or_none("https")
    return found


def _certificate_address_with_qr(own: list[str]) -> ReachableAddress:
    """URL and QR code of the page where a device installs the certificate; over HTTP."""
    url = f"http://{own[0]}:{request_port()}/certificado"
    return ReachableAddress(url, True, qr_codes.qr_inline(url, scale=6, light="#fff"))


def _wait_until_reachable() -> None:
    """Wait until the service answers at an address that was just opened, but not for long."""
    addresses, port, until = own_addresses(), request_port(), time.monotonic() + _OPENED_S
    while addresses and time.monotonic() < until and not _is_reachable(addresses[0], port):
        time.sleep(0.1)


def _probe_address_with_qr(address: str, port: int) -> ReachableAddress:
    url = root_at(address)
    drawn = qr_codes.qr_inline(url, scale=6, light="#fff")
    return ReachableAddress(url, _is_reachable(address, port), drawn)


def _is_reachable(address: str, port: int) -> bool:
    """Whether a service of this computer listens at an address of it."""
    try:
        with socket.create_connection((address, port), _ANSWER_S):
            return True
    except OSError:
        return False
