"""QR codes: addresses as separate pictures, other texts as inline pictures."""

from __future__ import annotations

import io
from typing import Any

import segno
from flask import Response, request
from markupsafe import Markup


def qr_response(address: str) -> Response:
    """Response with the QR code of an address as an SVG: always dark on light."""
    drawn = _draw_qr(address, omitsize=True, border=3, light="#fff")
    response = Response(drawn, content_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, no-cache"  # the address of the house may change
    response.add_etag()
    response.make_conditional(request)
    return response


def qr_inline(text: str, **look: Any) -> Markup:
    """The QR code of a text as inline SVG; ``look``: options of the library."""
    return Markup(_draw_qr(text, xmldecl=False, border=2, **look).decode())  # noqa: S704 - drawn here


def _draw_qr(text: str, **look: Any) -> bytes:
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", nl=False, **look)
    return drawn.getvalue()
