"""The page for the phones: under which address the other devices of the house's network open it."""

from __future__ import annotations

import ipaddress
import socket
from typing import NamedTuple

from flask import Blueprint, Response, request

from api.html import qr_codes
from api.html.pages import page
from api.http.access import guard
from api.http.access.hosts import is_loopback

blp = Blueprint("phones", __name__)
_OUTSIDE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737). Nothing is sent there: the system only says by which own
address it would go out."""
_ANSWER_S = 0.5
_PORTS = {"http": 80, "https": 443}


class ReachableAddress(NamedTuple):
    """An address of this computer, whether the service answers there, and its QR code."""

    url: str
    answers: bool
    qr: str


@blp.get("/casa/moviles")
@guard.requires("access:manage")
def show() -> Response:
    """Addresses of this computer for the phones, and what is missing for them"""
    port = _port()
    found = [_reachable(one, port) for one in own_addresses()]
    return page(
        "accounts/phones.html",
        found=found,
        answers=[one for one in found if one.answers],
        here=request.host_url,
        port=port,
    )


def _port() -> int:
    """The port of the address that was asked for."""
    _, _, typed = request.host.rpartition(":")
    return int(typed) if typed.isdecimal() else _PORTS[request.scheme]


def _reachable(address: str, port: int) -> ReachableAddress:
    usual = "" if port == _PORTS[request.scheme] else f":{port}"
    url = f"{request.scheme}://{address}{usual}/"
    drawn = qr_codes.qr_inline(url, scale=6, light="#fff")
    return ReachableAddress(url, _answers(address, port), drawn)


def own_addresses() -> list[str]:
    """Addresses of this computer in its networks, the one by which it goes out first."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(_OUTSIDE)
            first = [str(asked.getsockname()[0])]
        except OSError:
            first = []
    try:
        _, _, named = socket.gethostbyname_ex(socket.gethostname())
    except OSError:
        named = []
    found = dict.fromkeys([*first, *named])
    return [one for one in found if ipaddress.ip_address(one).is_private and not is_loopback(one)]


def _answers(address: str, port: int) -> bool:
    """Whether a service of this computer listens at an address of it."""
    try:
        with socket.create_connection((address, port), _ANSWER_S):
            return True
    except OSError:
        return False
