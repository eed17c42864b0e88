"""Places: the table of each format, and the pairs of a tournament in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.bracket import ties_now
from referee.aggregates.tournament.formats.groups import cross_order
from referee.aggregates.tournament.formats.knock_out import Tie, champion
from referee.aggregates.tournament.formats.standings import (
    AS_QUALIFIED,
    UNPLAYED,
    StandingsRow,
    standings,
)
from referee.aggregates.tournament.history import PointItem, RoundOutcome
from referee.aggregates.tournament.state import Tournament, groups_of, history_of
from referee.errors import Refused
from referee.events.tournament import ListedPair

ByRound: TypeAlias = Literal["first", "round", "level"]


class KnockOutPlace(msgspec.Struct, frozen=True):
    """A pair at its place in a knock-out; ``round``: the last in which it stood, 0 for none.

    ``by``: the reason why it is below the row before.
    """

    place: int
    pair: Pair
    by: ByRound
    round: int
    points: tuple[PointItem, ...] = ()


def table_of(state: Tournament) -> tuple[StandingsRow, ...]:
    """The table of a Swiss tournament or a round robin."""
    groups = groups_of(state)
    return _rows(state, groups[0]) if len(groups) == 1 else ()


def group_tables(state: Tournament) -> tuple[tuple[StandingsRow, ...], ...]:
    """The table of each group."""
    return tuple(_rows(state, group) for group in groups_of(state))


def _rows(
    state: Tournament, group: tuple[Pair, ...], unplayed: frozenset[RoundOutcome] = UNPLAYED
) -> tuple[StandingsRow, ...]:
    assert state.drawn is not None
    return standings(history_of(state, group), state.plan.criteria, state.drawn.seed, unplayed)


def knock_out_order(state: Tournament) -> tuple[Pair, ...]:
    """Order of the knock-out from the groups as they stand; empty if there is none.

    The next pair replaces one that withdrew.
    """
    try:
        return crossing_of(state)
    except Refused:
        return ()


def crossing_of(state: Tournament) -> tuple[Pair, ...]:
    """Order of the knock-out from the groups as they stand.

    :raises Refused: there is none
    """
    tables = (_rows(state, group, AS_QUALIFIED) for group in groups_of(state))
    there = ([row.pair for row in rows if state.entries[row.pair].until is None] for rows in tables)
    return cross_order([group[: state.plan.qualify] for group in there])


def knock_out_table(state: Tournament, ties: Sequence[Tie]) -> tuple[KnockOutPlace, ...]:
    """Places of a knock-out by the ties so far: pairs that came further are higher.

    Those who are out in the same round share a place, but for the third one if it is played.
    After groups, those who did not go on come last.
    """
    reached = _reach_of(ties)
    drawn = {pair: at for at, pair in enumerate(state.order)}
    has_groups = state.plan.format == "groups"
    left_out = [pair for pair in state.entries if has_groups and pair not in reached]
    ranked = sorted(reached, key=lambda pair: (-sum(reached[pair]), drawn[pair]))
    rows: list[KnockOutPlace] = []
    for pair in (*ranked, *left_out):
        mine = reached.get(pair, (0, 0))
        before = reached.get(rows[-1].pair, (0, 0)) if rows else None
        is_level = before == mine
        place = rows[-1].place if is_level else len(rows) + 1
        by: ByRound = "first" if before is None else ("level" if is_level else "round")
        rows.append(KnockOutPlace(place, pair, by, mine[0] // 2))
    return tuple(rows)


def _reach_of(ties: Sequence[Tie]) -> Mapping[Pair, tuple[int, int]]:
    """Of each pair twice the last round in which it stood, and one more for a win there."""
    found: dict[Pair, tuple[int, int]] = {}
    for tie in ties:
        if tie.id[0] == "main":
            for pair in tie.pairs:
                if pair:
                    found[pair] = (2 * tie.id[1], 0)
    last = champion(ties)
    if last is not None:
        found[last] = (found[last][0], 1)
    third = next((tie.winner for tie in ties if tie.id[0] == "third"), None)
    if third:
        found[third] = (found[third][0], 1)
    return found


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
