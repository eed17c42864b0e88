"""Addresses as QR codes: dark on light, by day and by night."""

from __future__ import annotations

import io

import segno
from flask import Response

_DAY_S = 86_400


def picture(address: str) -> Response:
    """An address as a drawing that a phone reads."""
    drawn = io.BytesIO()
    made = segno.make(address, error="m", micro=False)
    made.save(drawn, kind="svg", omitsize=True, border=3, light="#fff", nl=False)
    response = Response(drawn.getvalue(), content_type="image/svg+xml")
    response.headers["Cache-Control"] = f"private, max-age={_DAY_S}"
    return response
