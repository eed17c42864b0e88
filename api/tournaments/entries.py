"""Entries of pairs by themselves: their terms, whether it is too late, and private addresses."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

import marshmallow as ma
import msgspec
from marshmallow import validate

from api.html.addresses import url_for_others
from api.http import moments
from api.http.fields import MAX_NAME, Day, Int, RequestSchema, Text
from api.http.names import words_of_folded_text
from api.http.services import current_services
from referee.aggregates.tournament.entries import all_entries
from referee.aggregates.tournament.field import MOST, Pair
from referee.aggregates.tournament.state import Tournament
from referee.events.tournament import EntriesOpened

LAST_MINUTE: Final = "23:59"
_OF_A_DAY: Final = validate.Regexp(r"\A([01][0-9]|2[0-3]):[0-5][0-9]\Z")


class EntriesIn(RequestSchema):
    """Until when pairs enter by themselves, and for how many there is a place."""

    date = Day()
    time = ma.fields.String(validate=_OF_A_DAY)
    most = Int(most=MOST, load_default=0)


class OwnEntryIn(RequestSchema):
    """Who enters: the names of a pair, and where it plays."""

    players = ma.fields.List(Text(MAX_NAME), required=True, validate=validate.Length(1, 2))
    bar = Text(MAX_NAME)


class WaitingPair(NamedTuple):
    """A pair that waits for a place, with the names of its players."""

    pair: Pair
    names: tuple[str | None, ...]


def may_apply_now(state: Tournament) -> bool:
    """Whether a pair can enter by itself now, by the clock of the club."""
    if not state.may_pairs_enter or state.terms is None:
        return False
    now = moments.club_time(current_services().clock()).strftime("%Y-%m-%dT%H:%M")
    return not state.terms.until or now <= state.terms.until


def address_of_entries(tournament_id: UUID, state: Tournament) -> str:
    """The address where pairs enter by themselves."""
    secret = current_services().addresses.secret_address_for_entries(
        tournament_id.hex, state.closings
    )
    return url_for_others("pages.own_entries.show_entry_page", address=secret)


def waiting_pairs(state: Tournament) -> list[WaitingPair]:
    """Pairs that wait for a place, in the order in which they get one."""
    return [
        WaitingPair(one.pair, player_names_of_pair(state, one.pair))
        for one in state.waiting.values()
    ]


def player_names_of_pair(state: Tournament, pair: Pair) -> tuple[str | None, ...]:
    """Names of the players of a pair, which may wait or have withdrawn."""
    players = all_entries(state)[pair].players
    return tuple(current_services().persons.name(one) for one in players)


class OrganisedEntryData(msgspec.Struct, frozen=True):
    """A pair for the organiser. ``waits``: its place among those that wait, 0 if it does not.

    ``has_phone``: it left a telephone, which the desk shows.
    """

    pair: Pair
    players: list[str | None]
    bar: str
    waits: int
    has_left: bool
    is_paid: bool
    has_phone: bool


class OrganisedEntriesData(msgspec.Struct, frozen=True):
    """Entries for the organiser: the terms, the address where pairs enter, and every pair.

    ``until``: empty for until the draw is prepared; ``most``: 0 for no limit.
    """

    version: int
    is_open: bool
    until: str
    most: int
    address: str
    fee: int
    entries: list[OrganisedEntryData]


def entries_view(tournament_id: UUID) -> OrganisedEntriesData:
    """Entries of a tournament for its organiser.

    :raises NotFound: there is none
    """
    state = current_services().referee.tournaments.tournament(tournament_id)
    terms = state.terms or EntriesOpened()
    names = current_services().persons.names_of(
        who for one in all_entries(state).values() for who in one.players
    )
    bars, waits = bars_by_pair(state), {pair: n for n, pair in enumerate(state.waiting, 1)}
    phones = phones_of_pairs(state)
    return OrganisedEntriesData(
        version=state.version,
        is_open=may_apply_now(state),
        until=terms.until,
        most=terms.most,
        address=address_of_entries(tournament_id, state) if state.may_pairs_enter else "",
        fee=state.price.fee,
        entries=[
            OrganisedEntryData(
                pair=pair,
                players=[names[who] for who in one.players],
                bar=bars.get(pair, ""),
                waits=waits.get(pair, 0),
                has_left=pair in state.withdrawn or one.until is not None,
                is_paid=pair in state.paid,
                has_phone=pair in phones,
            )
            for pair, one in sorted(all_entries(state).items(), key=lambda at: int(at[0]))
        ],
    )


def phones_of_pairs(state: Tournament) -> dict[Pair, str]:
    """Telephones that pairs left, as long as the tournament is not over and they are in it."""
    if state.is_closed:
        return {}
    left = {
        pair: one.phone
        for pair, one in {**state.waiting, **state.entries}.items()
        if one.phone and one.until is None
    }
    texts = current_services().persons.texts_by_id(left.values()) if left else {}
    return {pair: text for pair, phone in left.items() if (text := texts[phone])}


def bars_by_pair(state: Tournament) -> dict[Pair, str]:
    """Bars that pairs named when they entered by themselves."""
    said = {pair: one.bar for pair, one in {**state.waiting, **state.entries}.items() if one.bar}
    texts = current_services().persons.texts_by_id(said.values()) if said else {}
    return {pair: text for pair, bar in said.items() if (text := texts[bar])}


def pairs_of_same_bar(state: Tournament) -> list[list[Pair]]:
    """Groups of pairs that named the same bar."""
    found: dict[str, list[Pair]] = {}
    for pair, bar in bars_by_pair(state).items():
        if pair in state.entries:
            found.setdefault(" ".join(words_of_folded_text(bar)), []).append(pair)
    return [pairs for pairs in found.values() if len(pairs) > 1]
