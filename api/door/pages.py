"""Pages of the players' door."""

from __future__ import annotations

import re
from uuid import UUID

from flask import Blueprint, Response

from api.door.door import door_of, is_told
from api.html import assets, qr_codes
from api.html.addresses import url_for_others
from api.http.access import guard, records
from api.http.services import await_position

blp = Blueprint("door", __name__)
_PLACE = "/encuentro/<uuid:encuentro_id>"


@blp.get(_PLACE)
@guard.requires("read")
@records.open_when(is_told)
def door(encuentro_id: UUID) -> Response:
    """What became of an encuentro, why, and its proof, checked by the page itself"""
    await_position()
    made = _page(door_of(encuentro_id))
    records.keep_code(made, encuentro_id)
    return made


@blp.get(f"{_PLACE}/fichero")
@guard.requires("read")
@records.open_when(is_told)
def file(encuentro_id: UUID) -> Response:
    """The same page as a file, to be kept"""
    made = _page(door_of(encuentro_id, is_saved=True))
    name = f"encuentro-{str(encuentro_id)[:8]}.html"
    made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return made


@blp.get(f"{_PLACE}/qr.svg")
@guard.requires("read")
@records.open_when(is_told)
def code(encuentro_id: UUID) -> Response:
    """The address of the page, for a phone"""
    code = records.code_for_address(encuentro_id)
    return qr_codes.qr_picture(url_for_others("pages.door.door", encuentro_id=encuentro_id, **code))


def _page(text: str) -> Response:
    """A page that allows its own script and nothing else."""
    made = Response(text, content_type="text/html; charset=utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy, "the page states no policy"
    made.headers["Content-Security-Policy"] = f"{policy[1]}; frame-ancestors 'none'"
    made.headers["Cache-Control"] = "no-store"
    return assets.compress(made)
