"""QR codes: addresses as pictures of their own, anything else within a page."""

from __future__ import annotations

import io
from typing import Any

import segno
from flask import Response
from markupsafe import Markup

_DAY_S = 86_400


def qr_picture(address: str) -> Response:
    """An address as a drawing that a phone reads: dark on light, by day and by night."""
    drawn = _drawn(address, omitsize=True, border=3, light="#fff")
    response = Response(drawn, content_type="image/svg+xml")
    response.headers["Cache-Control"] = f"private, max-age={_DAY_S}"
    return response


def qr_inline(text: str, **look: Any) -> Markup:
    """A text as a drawing within a page; ``look`` as the library takes it."""
    return Markup(_drawn(text, xmldecl=False, border=2, **look).decode())  # noqa: S704 - drawn here


def _drawn(text: str, **look: Any) -> bytes:
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(drawn, kind="svg", nl=False, **look)
    return drawn.getvalue()
