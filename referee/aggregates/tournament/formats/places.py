"""Places: the table of each format, and the pairs of a tournament in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.formats.groups import order_from_groups
from referee.aggregates.tournament.formats.knock_out import (
    KnockOut,
    Tie,
    TieId,
    champion,
    ties_of_knock_out,
)
from referee.aggregates.tournament.formats.standings import (
    AS_QUALIFIED,
    UNPLAYED,
    StandingsRow,
    standings,
)
from referee.aggregates.tournament.history import PointItem, RoundOutcome
from referee.aggregates.tournament.state import Meeting, Tournament, groups_of, history_of_rounds
from referee.errors import Refused
from referee.events.tournament import ListedPair, MeetingId


def knock_out_or_none(state: Tournament) -> KnockOut | None:
    """The knock-out of a tournament; None until its order is known."""
    if not state.order:
        return None
    plan, forfeited = state.plan, frozenset[TieId]()
    if not plan.consoles_absent or plan.repechage != "none":
        held = (one for one in state.meetings.values() if one.counts.is_walkover)
        forfeited = frozenset(one.tie for one in held if one.tie is not None)
    two = plan.has_consolation, plan.has_third_place
    gone, drawn = state.not_drawn, state.second_chances
    return KnockOut(state.order, *two, forfeited, plan.repechage, gone, drawn)


def round_number_of_tie(state: Tournament, tie: TieId, final: int) -> int:
    """Number of the round of the tournament in which a tie is played."""
    bracket, number, _ = tie
    again = state.plan.repechage == "ties"
    within = {
        "main": number + (again and number > 1),
        "repechage": 2,
        "consolation": number + 1,
        "third": final + again,
    }
    return len(state.rounds) + within[bracket]


def tie_meeting_id(number: int, tie: Tie) -> MeetingId:
    """Id of the meeting of the two pairs of a tie."""
    bracket, _, place = tie.id
    return f"{bracket}-{number}-{place}-{tie.pairs[0]}-{tie.pairs[1]}"


def all_ties(state: Tournament) -> tuple[Tie, ...]:
    """Every tie by the results that count; a result between other pairs is ignored."""
    knock_out = knock_out_or_none(state)
    if knock_out is None:
        return ()
    held = {one.tie: one for one in state.meetings.values() if one.tie is not None}
    won = {tie: one.counts.winner for tie, one in held.items() if one.counts.winner is not None}
    try:
        found = ties_of_knock_out(knock_out, won)
    except Refused:
        return _ties_by_consistent_results(knock_out, held)
    is_sound = all(held[tie.id].pairs == tie.pairs for tie in found if tie.id in won)
    return found if is_sound else _ties_by_consistent_results(knock_out, held)


def _ties_by_consistent_results(
    knock_out: KnockOut, held: Mapping[TieId, Meeting]
) -> tuple[Tie, ...]:
    """Every tie, counting round by round only results of the pairs that are now in their tie."""
    kept: dict[TieId, Pair] = {}
    seen: set[tuple[str, int]] = set()
    found = ties_of_knock_out(knock_out, kept)
    while left := [key for key in dict.fromkeys(tie.id[:2] for tie in found) if key not in seen]:
        for tie in _ties_of_bracket_round(found, left[0]):
            one = held.get(tie.id)
            if one is None or one.pairs != tie.pairs:
                continue
            if one.counts.winner is not None:
                kept[tie.id] = one.counts.winner
        seen.add(left[0])
        found = ties_of_knock_out(knock_out, kept)
    return found


def _ties_of_bracket_round(ties: tuple[Tie, ...], key: tuple[str, int]) -> list[Tie]:
    return [
        tie
        for found, group in groupby(ties, lambda tie: tie.id[:2])
        for tie in group
        if found == key
    ]


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


def rows_of_only_group(state: Tournament) -> tuple[StandingsRow, ...]:
    """The table of a Swiss tournament or a round robin; empty if there are several groups."""
    groups = groups_of(state)
    return _rows_of_group(state, groups[0]) if len(groups) == 1 else ()


def group_tables(state: Tournament) -> tuple[tuple[StandingsRow, ...], ...]:
    """The table of each group."""
    return tuple(_rows_of_group(state, group) for group in groups_of(state))


def _rows_of_group(
    state: Tournament, group: tuple[Pair, ...], unplayed: frozenset[RoundOutcome] = UNPLAYED
) -> tuple[StandingsRow, ...]:
    assert state.drawn is not None
    return standings(
        history_of_rounds(state, group), state.plan.criteria, state.drawn.seed, unplayed
    )


def knock_out_order_or_empty(state: Tournament) -> tuple[Pair, ...]:
    """Order of the knock-out from the groups as they stand; empty if there is none.

    The next pair replaces one that withdrew.
    """
    try:
        return require_knock_out_order(state)
    except Refused:
        return ()


def require_knock_out_order(state: Tournament) -> tuple[Pair, ...]:
    """Order of the knock-out from the groups as they stand; it is refused if there is none.

    :raises Refused: there is none
    """
    tables = (_rows_of_group(state, group, AS_QUALIFIED) for group in groups_of(state))
    there = ([row.pair for row in rows if state.entries[row.pair].until is None] for rows in tables)
    return order_from_groups([group[: state.plan.qualify] for group in there])


def knock_out_table(state: Tournament, ties: Sequence[Tie]) -> tuple[KnockOutPlace, ...]:
    """Places of a knock-out by the ties so far: pairs that came further are higher.

    Those who are out in the same round share a place, but for the third one if it is played.
    After groups, those who did not go on come last.
    """
    reached = _progress_by_pair(ties)
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


def _progress_by_pair(ties: Sequence[Tie]) -> Mapping[Pair, tuple[int, int]]:
    """How far each pair came.

    Twice the last round in which it stood, then 1 if it won the final or the third place.
    """
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


def is_over_and_settled(state: Tournament) -> bool:
    """Whether it is over, with nothing to be played again and no correction to be settled."""
    is_open = any(one.is_open for one in state.meetings.values())
    return state.stage == "over" and not is_open and not state.meetings_with_pending_correction()


def list_pairs_by_place(state: Tournament) -> tuple[ListedPair, ...]:
    """The pairs in order, the best first, without those that withdrew.

    Pairs that share a place of a knock-out follow those that beat them.
    """
    places = _places_in_knock_out(state) if state.order else _places_in_standings(state)
    return tuple(
        ListedPair(place, pair, state.entries[pair].players)
        for pair, place in places.items()
        if state.entries[pair].until is None
    )


def _places_in_standings(state: Tournament) -> Mapping[Pair, int]:
    return {row.pair: row.place for row in rows_of_only_group(state)}


def _places_in_knock_out(state: Tournament) -> Mapping[Pair, int]:
    """Place of each pair of a knock-out, the pairs from the top.

    ``beaten``: By whom each pair was beaten.
    """
    ties = all_ties(state)
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
