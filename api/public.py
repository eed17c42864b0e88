"""The public view: what everybody at the table knows, and nothing else."""

from __future__ import annotations

from uuid import UUID

from flask import Response

from api import access, reading
from api.base import Noun, headers_of, reply, wants
from api.schemas import answers

blp = Noun("public", __name__, url_prefix="/api/v1/public", description="For everybody")


@blp.route("/encuentros/<uuid:encuentro_id>")
@access.open_to_all
@wants(tag=True)
@blp.doc(security=[])
@blp.response(200, answers.Free, headers=headers_of(tag=True))
@blp.alt_response(304, description="Not modified")
def show(encuentro_id: UUID) -> Response:
    """The public view of an encuentro"""
    view, tag = reading.board(encuentro_id)
    return reply(view, tag=tag, headers={"Cache-Control": "public, no-cache"})
