"""The page by which a device comes in over HTTPS: certificate, steps with pictures, and a check."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from api.accounts.house_https import HouseHttps
from api.html.addresses import request_port
from api.html.pages import page
from api.http.access import guard
from api.http.access.hosts import host_without_port
from api.http.access.reach import LOCAL_NAME, own_addresses
from api.http.problems import Problem
from api.http.services import house_component_or_none

blp = Blueprint("certificate", __name__)
_KIND = "application/x-x509-ca-cert"
"""By this kind an iPhone offers to install it; a file that is only saved would be a dead end."""
_APPLE = ("iPhone", "iPad", "Macintosh")  # an iPad says that it is a Mac


@blp.get("/certificado")
@guard.open_to_all
def certificate_page() -> Response:
    """HTTPS on this device: how the certificate is installed; over HTTPS, whether that worked"""
    require_house_https()
    agent = request.headers.get("User-Agent", "")
    return page(
        "accounts/phones/certificate.html",
        is_apple=any(one in agent for one in _APPLE),
        secure=_house_address("https"),
        plain=_house_address("http"),
        is_https=request.is_secure,
    )


@blp.get("/certificado/guinote.crt")
@guard.open_to_all
def download_certificate() -> Response:
    """The certificate of the authority of this house, as devices install it"""
    answer = Response(require_house_https().authority_certificate(), content_type=_KIND)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blp.post("/certificado")
@guard.open_to_all
def note_certificate_trust() -> AnyResponse:
    """A device says that it trusts the certificate."""
    if request.is_secure:
        require_house_https().note_opened()
    return Response(status=204)


def require_house_https() -> HouseHttps:
    """The component for HTTPS of the house.

    :raises Problem: ``not_found``, if it is off
    """
    found: HouseHttps = house_component_or_none("https")
    if not found.is_on():
        raise Problem("not_found")
    return found


def _house_address(scheme: str) -> str:
    """The address of the house by a name that its certificate has."""
    own, asked = own_addresses(), host_without_port(request.host)
    name = asked if asked in (LOCAL_NAME, *own) else next(iter(own), LOCAL_NAME)
    return f"{scheme}://{name}:{request_port()}/"
