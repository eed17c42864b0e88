"""Entries of pairs by themselves: their terms, whether it is too late, and private addresses."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

import marshmallow as ma
from marshmallow import validate

from api.html.addresses import url_for_others
from api.http import moments
from api.http.fields import MAX_NAME, Day, Int, RequestSchema, Text
from api.http.names import comparable_words
from api.http.services import current_services
from referee.aggregates.tournament.field import MOST, Pair
from referee.aggregates.tournament.state import Tournament

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
    if not state.may_apply or state.terms is None:
        return False
    now = moments.local(current_services().clock()).strftime("%Y-%m-%dT%H:%M")
    return not state.terms.until or now <= state.terms.until


def address_of_entries(tournament_id: UUID, state: Tournament) -> str:
    """The address where pairs enter by themselves."""
    secret = current_services().addresses.of_entries(tournament_id.hex, state.closings)
    return url_for_others("pages.own_entries.show", address=secret)


def waiting_pairs(state: Tournament) -> list[WaitingPair]:
    """Pairs that wait for a place, in the order in which they get one."""
    return [WaitingPair(one.pair, names_of(state, one.pair)) for one in state.waiting.values()]


def names_of(state: Tournament, pair: Pair) -> tuple[str | None, ...]:
    """Names of the players of a pair, which may wait or have withdrawn."""
    everybody = {**state.withdrawn, **state.waiting, **state.entries}
    return tuple(current_services().persons.name(one) for one in everybody[pair].players)


def bars_of(state: Tournament) -> dict[Pair, str]:
    """Where pairs play that entered by themselves and said so."""
    said = {pair: one.bar for pair, one in {**state.waiting, **state.entries}.items() if one.bar}
    texts = current_services().persons.texts_of(said.values()) if said else {}
    return {pair: text for pair, bar in said.items() if (text := texts[bar])}


def pairs_of_bars(state: Tournament) -> list[list[Pair]]:
    """Pairs that named the same bar, where there are several."""
    found: dict[str, list[Pair]] = {}
    for pair, bar in bars_of(state).items():
        if pair in state.entries:
            found.setdefault(" ".join(comparable_words(bar)), []).append(pair)
    return [pairs for pairs in found.values() if len(pairs) > 1]
