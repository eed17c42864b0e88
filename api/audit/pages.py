"""Pages on proofs: the verifier, the proof of an encuentro, and the poster of the club's key."""

from __future__ import annotations

from functools import cache
from uuid import UUID

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from api.audit.bundle import content_security_policy, verifier_html
from api.audit.rest import has_final_result
from api.html import assets, qr_codes
from api.html.assets import Asset
from api.html.pages import page
from api.http.access import guard, records
from api.http.services import current_services
from referee.audit.auditor import NotSigned
from referee.audit.checkpoint import LogKey, read_checkpoint, read_key

blp = Blueprint("audit", __name__)


@blp.get("/verificador")
@guard.open_to_all
def verifier() -> AnyResponse:
    """The verifier of proofs: a self-contained file, which also works when it is saved."""
    response = assets.asset_response(_verifier_asset())
    response.headers["Content-Security-Policy"] = content_security_policy()
    return response.make_conditional(request)


@cache
def _verifier_asset() -> Asset:
    """The page of the verifier, ready to be sent, also compressed."""
    return assets.asset_from_content(verifier_html().encode(), "text/html; charset=utf-8")


@blp.get("/e/<uuid:encuentro_id>/prueba")
@guard.requires("proofs:read")
@records.open_record_when(has_final_result)
def proof_page(encuentro_id: UUID) -> Response:
    """The proof of an encuentro: what it covers, its file, and how it is checked."""
    current_services().referee.encuentros.encuentro(encuentro_id)
    try:
        made = current_services().auditor.prove_encuentro(encuentro_id)
    except NotSigned:
        return page("audit/proof.html", encuentro=encuentro_id, proof=None)
    return page(
        "audit/proof.html",
        encuentro=encuentro_id,
        proof=made,
        signed=read_checkpoint(made.checkpoint),
        key=read_key(made.key),
    )


@blp.get("/llave")
@guard.open_to_all
def key_poster() -> Response:
    """The poster of the club's key, to print and put on the wall."""
    found = log_key_or_none()
    code = None if found is None else qr_codes.qr_inline(found.text, omitsize=True, light="#fff")
    return page("audit/key.html", key=found, code=code)


def log_key_or_none() -> LogKey | None:
    """The key with which the log of the club is signed; None if nothing is signed yet."""
    try:
        return read_key(current_services().auditor.require_key_text())
    except NotSigned:
        return None
