"""A pair enters by itself, without an account, and has an own address to see its place or leave."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from uuid import UUID

import marshmallow as ma
from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.club import views as club_views
from api.club.name_matches import KnownNames
from api.club.phones.numbers import phone_digits_or_empty
from api.html import forms, qr_codes
from api.html.addresses import url_for_others
from api.html.forms import FieldErrors, attempt_write, form_value, new_form_key
from api.html.pages import make_private, page
from api.html.private_addresses import (
    UnusableAddress,
    meta_of_address_form,
    note_wrong_address,
    unusable_page,
)
from api.http import moments
from api.http.access import guard
from api.http.access.attempts import count_entry_by_address
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.names import fold_name
from api.http.services import (
    PendingTexts,
    await_end_of_log,
    current_services,
    pending_texts,
)
from api.tournaments.entries import (
    OwnEntryIn,
    bars_by_pair,
    may_apply_now,
    phones_of_pairs,
    player_names_of_pair,
)
from referee.access.addresses import parse_private_address
from referee.aggregates.tournament.entries import players_of_pairs
from referee.aggregates.tournament.field import NOBODY, Pair
from referee.aggregates.tournament.rules import TournamentRule
from referee.aggregates.tournament.state import Tournament
from referee.errors import NotFound, Refused
from referee.events import PersonId
from referee.events.tournament import PairApplied, PairWithdrawn, TournamentAct
from referee.log.streams import Answer, WriteMetadata

blp = Blueprint("own_entries", __name__)
blp.register_error_handler(UnusableAddress, unusable_page)
_ONE: Final = "/i/<address>"


class EntryPlace(NamedTuple):
    """The tournament of an address, and the pair whose own it is; ``""``: that of all."""

    tournament_id: UUID
    state: Tournament
    pair: Pair


@blp.get(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def show_entry_page(address: str) -> Response:
    """Page on which a pair enters a tournament by itself; at its own address it sees its place"""
    return _entry_page(_entry_place_of_secret_address(address), [], 200)


@blp.post(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def enter_or_withdraw(address: str) -> AnyResponse:
    """Enter a pair from the form, or withdraw it, and redirect to the pair's own address"""
    place = _entry_place_of_secret_address(address)
    made = meta_of_address_form(f"address entrant {place.pair or 'new'} {place.state.closings + 1}")
    write = _record_withdrawal if place.pair else _record_entry
    answer, wrong, status = attempt_write(lambda: write(place, made))
    if answer is None:
        return _entry_page(place, wrong, status)
    applied = [one.event for one in answer.events if isinstance(one.event, PairApplied)]
    pair = applied[0].pair if applied else place.pair
    own = current_services().addresses.secret_address_of_entrant(place.tournament_id.hex, pair)
    return make_private(redirect(f"{prefix()}/i/{own}", 303))


def _entry_place_of_secret_address(address: str) -> EntryPlace:
    """The tournament and the pair of an address.

    :raises UnusableAddress: nobody's
    :raises Problem: too many wrong ones from here
    """
    here, given = current_services(), parse_private_address(address)
    if given is not None:
        tournament_id = UUID(given.owner_id)
        try:
            state = here.referee.tournaments.tournament(tournament_id)
        except NotFound:
            state = None
        if state is not None and here.addresses.is_secret_address_for_entries(
            given, state.closings
        ):
            return EntryPlace(tournament_id, state, NOBODY)
        pairs = () if state is None else (*state.withdrawn, *state.waiting, *state.entries)
        if state is not None and (pair := here.addresses.find_entrant_or_empty(given, pairs)):
            return EntryPlace(tournament_id, state, pair)
    raise note_wrong_address()


def _record_entry(place: EntryPlace, made: WriteMetadata) -> Answer:
    """Record the entry of a pair; a name that one player of the club has means that player.

    :raises ma.ValidationError: a name is missing
    :raises Refused: it is too late, or somebody plays for another pair
    :raises Problem: too many entries from one network
    """
    if answer := current_services().referee.answer_to(made):
        return answer
    count_entry_by_address()
    body: Body = {"players": [one.strip() for one in request.form.getlist("player")]}
    if form_value("bar"):
        body["bar"] = form_value("bar")
    found, phone = forms.load_by_schema(OwnEntryIn, body), _phone_in_form()
    if not may_apply_now(place.state):
        raise Refused(TournamentRule.ENTRIES_CLOSED)
    await_end_of_log()

    def draft_application(put: PendingTexts) -> TournamentAct:
        bar, sealed = put.add_texts([found.get("bar", ""), phone])
        day = moments.club_day(current_services().clock()).isoformat() if phone else ""
        players = _persons_by_names(place.state, found["players"], put)
        return PairApplied("", players, bar, sealed, day)

    with pending_texts() as put:
        return put.erase_if_replayed(_record_act(place, draft_application(put), made))


def _phone_in_form() -> str:
    """The number that the pair leaves; empty if it leaves none.

    :raises ma.ValidationError: it is no number
    """
    typed = form_value("phone")
    number = phone_digits_or_empty(typed)
    if typed and not number:
        raise ma.ValidationError({"phone": [FieldFault("not_a_phone")]})
    return number


def _record_withdrawal(place: EntryPlace, made: WriteMetadata) -> Answer:
    """Record that a pair withdraws, before the draw is prepared.

    :raises Refused: it is too late
    """
    if answer := current_services().referee.answer_to(made):
        return answer
    if place.state.stage != "entering":
        raise Refused(TournamentRule.ENTRIES_CLOSED)
    return _record_act(place, PairWithdrawn(place.pair), made)


def _record_act(place: EntryPlace, act: TournamentAct, made: WriteMetadata) -> Answer:
    return current_services().referee.tournaments.record(place.tournament_id, [act], made)


def _persons_by_names(
    state: Tournament, names: list[str], put: PendingTexts
) -> tuple[PersonId, ...]:
    """Ids of who is meant: entered already, a player of the club, or a new person, stored.

    :raises Refused: both have one name
    """
    if len({fold_name(one) for one in names}) < len(names):
        raise Refused(TournamentRule.PERSON_TWICE)
    entered = [one for players in players_of_pairs(state).values() for one in players]
    there = {fold_name(name): one for one in entered if (name := _person_name_or_none(one))}
    known = KnownNames(club_views.players())
    found = []
    for name in names:
        same = known.players_of_name(name)
        meant = same[0].player if len(same) == 1 else put.add_person(name)
        found.append(there.get(fold_name(name), meant))
    return tuple(found)


def _person_name_or_none(person: PersonId) -> str | None:
    return current_services().persons.name(person)


def _entry_page(place: EntryPlace, wrong: FieldErrors, status: int) -> Response:
    state = place.state
    assert state.opened is not None
    texts = current_services().persons
    about: dict[str, Any] = {
        "name": texts.text_by_id(state.opened.name),
        "where": texts.text_by_id(state.opened.place) if state.opened.place else "",
        "date": state.opened.date,
        "tournament": place.tournament_id,
        "wrong": wrong,
        "key": new_form_key(),
    }
    if not place.pair:
        made = page(
            "tournaments/entries/enter.html",
            **about,
            is_open=may_apply_now(state),
            terms=state.terms,
            left=_places_left_or_none(state),
            typed=request.form.getlist("player"),
            own_bar=form_value("bar"),
            own_phone=form_value("phone"),
            of_pair=state.players_per_pair,
        )
        return make_private(made, status)
    own = url_for_others("pages.own_entries.show_entry_page", **(request.view_args or {}))
    made = page(
        "tournaments/entries/own.html",
        **about,
        pair=place.pair,
        names=player_names_of_pair(state, place.pair),
        own_bar=bars_by_pair(state).get(place.pair, ""),
        has_phone=place.pair in phones_of_pairs(state),
        entry=state.entries.get(place.pair),
        waits=_place_in_line(state, place.pair),
        may_leave=state.stage == "entering" and place.pair not in state.withdrawn,
        address=own,
        qr=qr_codes.qr_inline(own, omitsize=True, light="#fff"),
    )
    return make_private(made, status)


def _places_left_or_none(state: Tournament) -> int | None:
    """Free places; None if there is no limit."""
    if state.terms is None or not state.terms.most:
        return None
    return max(0, state.terms.most - len(state.entries))


def _place_in_line(state: Tournament, pair: Pair) -> int:
    """The place of a pair among those that wait, from 1; 0 if it does not wait."""
    return [*state.waiting].index(pair) + 1 if pair in state.waiting else 0
