"""The page of the verifier of proofs."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib import resources

from flask import (
    Blueprint,
    Response,
    request,
)
from werkzeug.wrappers import Response as AnyResponse

from api.http.access import guard

blp = Blueprint("verifier", __name__)


@blp.get("/verificador")
@guard.open_to_all
def verifier() -> AnyResponse:
    """The verifier of proofs: a self-contained file, which also works when it is saved."""
    page, policy = _verifier()
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = f"{policy}; frame-ancestors 'none'"
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(sha256(page).hexdigest())
    return response.make_conditional(request)


@cache
def _verifier() -> tuple[bytes, str]:
    """The page, and its content security policy."""
    page = resources.files("api.audit").joinpath("verificador.html").read_bytes()
    found = re.search(rb'Content-Security-Policy" content="([^"]+)"', page)
    assert found, "the verifier is not built"
    return page, found[1].decode()
