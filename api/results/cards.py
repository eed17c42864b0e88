"""The cards of the sides: a code on paper for each, with which it confirms the result.

Codes are made by a form, and shown in its answer alone: the log has only their hashes.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from flask import Blueprint, Response
from markupsafe import Markup

from api.encuentros import views
from api.encuentros.pages import names_by_seat, names_by_side
from api.html import qr_codes
from api.html.addresses import url_for_others
from api.html.forms import FieldErrors, attempt_write, meta_of_form, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.services import current_services
from api.results.rest import new_code_and_act
from referee.events import SideName

blp = Blueprint("cards", __name__)


class SideCard(NamedTuple):
    """A card: the code of a side, the page that asks for it, and that address as a QR code."""

    side: SideName
    code: str
    address: str
    qr: Markup


@blp.get("/e/<uuid:encuentro_id>/tarjetas")
@guard.requires("results:sign")
def show_code_cards_form(encuentro_id: UUID) -> Response:
    """The form that makes the cards"""
    return _code_cards_page(encuentro_id)


@blp.post("/e/<uuid:encuentro_id>/tarjetas")
@guard.requires("results:sign")
def make_code_cards(encuentro_id: UUID) -> Response:
    """A new code for each side, on a card to print; earlier codes are no longer valid"""
    sides = names_by_side({}, views.official_encuentro_view(encuentro_id).players)
    made, wrong, status = attempt_write(
        lambda: [_make_code_card(encuentro_id, side) for side in sides]
    )
    cards = [one for one in made or () if one is not None]
    return _code_cards_page(
        encuentro_id, cards, wrong=wrong, status=status, is_repeated=made and not cards
    )


def _make_code_card(encuentro_id: UUID, side: SideName) -> SideCard | None:
    """Give a side a new code and make its card; None if the form was sent before."""
    code, act = new_code_and_act(side)
    meta = meta_of_form(f"code {side}")
    if current_services().referee.encuentros.record_encuentro_act(encuentro_id, act, meta).replayed:
        return None
    where = url_for_others("pages.confirming.show_result", encuentro_id=encuentro_id)
    address = f"{where}#{code}"
    return SideCard(side, code, where, qr_codes.qr_inline(address, omitsize=True, light="#fff"))


def _code_cards_page(
    encuentro_id: UUID,
    cards: list[SideCard] | None = None,
    *,
    wrong: FieldErrors | None = None,
    status: int = 200,
    is_repeated: object = False,
) -> Response:
    view = views.official_encuentro_view(encuentro_id)
    return page(
        "results/cards.html",
        view=view,
        sides=names_by_side(names_by_seat(view), view.players),
        cards=cards or [],
        wrong=wrong or [],
        is_repeated=bool(is_repeated),
        key=new_form_key(),
        status=status,
    )
