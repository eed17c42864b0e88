"""The page of the verifier of proofs."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from flask import Blueprint, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import assets
from api.html.assets import Asset
from api.http.access import guard

blp = Blueprint("verifier", __name__)


@blp.get("/verificador")
@guard.open_to_all
def verifier() -> AnyResponse:
    """The verifier of proofs: a self-contained file, which also works when it is saved."""
    asset, policy = _verifier()
    response = assets.answer(asset)
    response.headers["Content-Security-Policy"] = f"{policy}; frame-ancestors 'none'"
    return response.make_conditional(request)


@cache
def _verifier() -> tuple[Asset, str]:
    """The page as it is sent, and its content security policy."""
    page = resources.files("api.audit").joinpath("verificador.html").read_bytes()
    found = re.search(rb'Content-Security-Policy" content="([^"]+)"', page)
    assert found, "the verifier is not built"
    return assets.asset_of(page, "text/html; charset=utf-8"), found[1].decode()
