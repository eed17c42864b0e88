"""The pairs of a tournament in one order, for places that go by result elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.bracket import ties_now
from referee.aggregates.tournament.formats.places import knock_out_table, table_of
from referee.aggregates.tournament.state import Tournament
from referee.events.tournament import ListedPair

NAMED: Final = ("house", "name", "date")
"""Facts of a list that are signed beside its pairs."""


def is_settled(state: Tournament) -> bool:
    """Whether it is over, with nothing to be played again and no correction to be settled."""
    is_open = any(one.is_open for one in state.meetings.values())
    return state.stage == "over" and not is_open and not state.pending()


def pairs_in_order(state: Tournament) -> tuple[ListedPair, ...]:
    """The pairs in order, the best first, without those that withdrew.

    Pairs that share a place of a knock-out follow those that beat them.
    """
    places = _knock_out_order(state) if state.order else _table_order(state)
    return tuple(
        ListedPair(place, pair, state.entries[pair].players)
        for pair, place in places.items()
        if state.entries[pair].until is None
    )


def _table_order(state: Tournament) -> Mapping[Pair, int]:
    return {row.pair: row.place for row in table_of(state)}


def _knock_out_order(state: Tournament) -> Mapping[Pair, int]:
    """Places of a knock-out, from the top; ``beaten``: by whom each pair was."""
    ties = ties_now(state)
    beaten = {one.loser: one.winner for one in ties if one.id[0] == "main" and one.loser}
    order: list[Pair] = []
    found: dict[Pair, int] = {}
    for place, level in groupby(knock_out_table(state, ties), lambda row: row.place):
        above = {pair: at for at, pair in enumerate(order)}
        rows = sorted(
            (row.pair for row in level),
            key=lambda pair: above.get(beaten.get(pair) or "", len(above)),
        )
        order += rows
        found |= dict.fromkeys(rows, place)
    return found
