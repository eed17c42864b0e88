"""Proofs: what the notary signed of the log, and of one encuentro."""

from __future__ import annotations

from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from flask import Response

from api.http.access import guard, records
from api.http.access.security import note_security
from api.http.answers import register_answer_schema
from api.http.rest import Noun, reply, takes_headers_and_query
from api.http.services import current_services
from referee.errors import NotFound

blp = Noun("proofs", __name__, url_prefix="/api/v1", description="What the notary signed")
TEXT: Final = "text/plain"
_TEXT_SHAPE: Final = {"type": "string"}


class ProvedEventData(msgspec.Struct, frozen=True):
    """An event of a proof: as it is stored, its entry, and its path to the root.

    ``state``: an event in the envelope in which the log has it; a verifier reads it as bytes.
    """

    index: int
    stream: str
    version: int
    name: str
    state: dict[str, Any]
    entry: str
    path: list[str]


class ProofFileData(msgspec.Struct, frozen=True):
    """A proof, as the page on the audit describes it; ``recorded``: events when it was made."""

    format: Literal["guinote-proof/1"]
    encuentro: str
    key: str
    checkpoint: str
    recorded: int
    events: list[ProvedEventData]


def _text_response(text: str) -> Response:
    """Response with a public text that may change."""
    response = Response(text, content_type=f"{TEXT}; charset=utf-8")
    response.headers["Cache-Control"] = "public, no-cache"
    return response


def has_final_result(encuentro_id: UUID) -> bool:
    """Whether the result of an encuentro is official and no case about it is open."""
    try:
        result = current_services().referee.encuentros.encuentro(encuentro_id).result
    except NotFound:
        return False
    return result.official is not None and not result.open_case_numbers


@blp.route("/log/checkpoint")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, _TEXT_SHAPE, content_type=TEXT)
def checkpoint() -> Response:
    """The latest checkpoint of the log"""
    return _text_response(current_services().auditor.require_checkpoint_text())


@blp.route("/log/key")
@guard.open_to_all
@takes_headers_and_query()
@blp.response(200, _TEXT_SHAPE, content_type=TEXT)
def key() -> Response:
    """The key with which checkpoints of the log are signed"""
    return _text_response(current_services().auditor.require_key_text())


@blp.route("/encuentros/<uuid:encuentro_id>/proof")
@guard.requires("proofs:read")
@records.open_record_when(has_final_result)
@takes_headers_and_query()
@blp.response(200, register_answer_schema(ProofFileData))
def proof(encuentro_id: UUID) -> Response:
    """The proof of an encuentro under the latest checkpoint; open to all once it is official"""
    made = current_services().auditor.prove_encuentro(encuentro_id)
    if not has_final_result(encuentro_id):
        note_security("exported", about=str(encuentro_id), detail="proof")
    return reply(made)
