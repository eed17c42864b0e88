"""Cards to print for an evening: the address of each table and of each pair, as a QR code."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, redirect
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms, qr_codes
from api.html.addresses import url_for_others
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.languages import language, say
from api.http.services import current_services
from api.results import places
from referee.aggregates.session import (
    AddressSubject,
    Session,
    address_subjects,
    latest_table_of_subject,
)
from referee.events import AddressRenewed
from referee.log.streams import Answer

blp = Blueprint("table_cards", __name__)
_ONE: Final = "/jornadas/<uuid:session_id>/tarjetas"


class TableCard(NamedTuple):
    """A card: what it is for, who plays there now, and its address as a QR code and as text.

    ``players``: of each side the name of its pair, if it has one, and its players.
    """

    subject: AddressSubject
    name: str
    players: list[tuple[str, list[str]]]
    address: str
    qr: Markup


@blp.get(_ONE)
@guard.requires("results:sign")
def show_table_cards(session_id: UUID) -> Response:
    """Page of QR cards: one for each table of an evening, and for each pair if pairs play"""
    return _table_cards_page(session_id, [], 200)


@blp.post(_ONE)
@guard.requires("results:sign")
def renew_address_of_card(session_id: UUID) -> AnyResponse:
    """Another address for a table or a pair; the one of before is no longer valid"""
    answer, wrong, status = attempt_write(lambda: _record_address_renewal(session_id))
    if answer is None:
        return _table_cards_page(session_id, wrong, status)
    return redirect(f"{prefix()}/jornadas/{session_id}/tarjetas", 303)


def _record_address_renewal(session_id: UUID) -> Answer:
    seasons, version = current_services().referee.seasons, forms.version_of_form("version")
    known = {str(one): one for one in address_subjects(seasons.session(session_id))}
    act = AddressRenewed(*known.get(forms.form_value("subject"), AddressSubject()))
    return seasons.record_session_acts(session_id, [act], forms.meta_of_form(), version)


def _table_cards_page(session_id: UUID, wrong: FieldErrors, status: int) -> Response:
    state = current_services().referee.seasons.session(session_id)
    assert state.opened is not None
    needs_two = current_services().referee.settings.four_eyes_choice() == "required"
    return page(
        "results/table_cards.html",
        session=session_id,
        date=state.opened.date,
        version=state.version,
        cards=[
            _table_card(session_id, state, one)
            for one in _tables_and_pairs_with_card(state, needs_two=needs_two)
        ],
        needs_two=needs_two,
        is_closed=state.is_closed,
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )


def _tables_and_pairs_with_card(state: Session, *, needs_two: bool) -> list[AddressSubject]:
    """Tables and pairs that get a card; where two have to confirm, only pairs if pairs play.

    Both sides have the same card of a table, so with it no side can confirm what the other said.
    """
    assert state.opened is not None
    if state.is_closed:
        return []
    is_of_pairs = state.opened.of == "pairs"
    return [one for one in address_subjects(state) if one.pair or not (needs_two and is_of_pairs)]


def _table_card(session_id: UUID, state: Session, subject: AddressSubject) -> TableCard:
    here = current_services()
    secret = here.addresses.secret_address_of_table_or_pair(session_id.hex, state, subject)
    address = url_for_others("pages.addresses.show_address", address=secret)
    drawn = qr_codes.qr_inline(address, omitsize=True, light="#fff")
    if pair := subject.pair:
        nobody = say("grammar.nameless", language())
        names = [here.persons.name(one) or nobody for one in state.pairs.get(pair, ())]
        title = places.name_by_pair_id([pair]).get(pair, "")
        name = title or " · ".join(names) or say("qr.pair", language())
        return TableCard(subject, name, [("", names)] if title else [], address, drawn)
    table = latest_table_of_subject(state, subject)
    players = []
    if table is not None:
        encuentro = here.referee.encuentros.encuentro(UUID(table.encuentro))
        pairs = places.pair_names_by_side(table)
        players = [
            (pairs.get(side, ""), who)
            for side, who in places.player_names_by_side(encuentro).items()
        ]
    name = say("mine.table", language(), number=subject.table)
    return TableCard(subject, name, players, address, drawn)
