"""Pages of the players' door."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response

from api.door.card import card_of
from api.door.door import Door, door_of, has_decision
from api.html import assets, qr_codes
from api.html.addresses import door_for_others
from api.http.access import guard, records
from api.http.services import await_position
from api.replay.replays import is_decided

blp = Blueprint("door", __name__)
_PLACE = "/encuentro/<uuid:encuentro_id>"


@blp.get(_PLACE)
@guard.requires("read")
@records.open_when(has_decision)
def door(encuentro_id: UUID) -> Response:
    """What became of an encuentro, why, and its proof, checked by the page itself"""
    await_position()
    made = _page(door_of(encuentro_id))
    records.keep_code(made, encuentro_id)
    return made


@blp.get(f"{_PLACE}/fichero")
@guard.requires("read")
@records.open_when(has_decision)
def file(encuentro_id: UUID) -> Response:
    """The same page as a file, to be kept"""
    made = _page(door_of(encuentro_id, is_saved=True))
    name = f"encuentro-{str(encuentro_id)[:8]}.html"
    made.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return made


@blp.get(f"{_PLACE}/tarjeta/<int(min=1,max=9999):n>.png")
@guard.requires("read")
@guard.open_when(is_decided)
def card(encuentro_id: UUID, n: int) -> Response:
    """Who won a partida and how, as a picture to be shared"""
    await_position()
    made = Response(card_of(encuentro_id, n), content_type="image/png")
    made.headers["Cache-Control"] = "private, max-age=300"
    return made


@blp.get(f"{_PLACE}/qr.svg")
@guard.requires("read")
@records.open_when(has_decision)
def code(encuentro_id: UUID) -> Response:
    """The address of the page, for a phone"""
    return qr_codes.qr_picture(door_for_others(encuentro_id))


def _page(shown: Door) -> Response:
    """A page that allows its own scripts and nothing else."""
    made = Response(shown.html, content_type="text/html; charset=utf-8")
    made.headers["Content-Security-Policy"] = shown.policy
    made.headers["Cache-Control"] = "no-store"
    return assets.compress(made)
