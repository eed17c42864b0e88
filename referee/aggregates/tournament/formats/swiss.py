"""The next round of a Swiss tournament: no pair meets another twice, and equal pairs meet.

Score groups are paired from the top. As few pairs as possible float down, so that all pairs below
can still be paired; those that did not float in the round before float first, from the lowest. The
others of a group meet by halves: the first meets the first of the lower half.
``docs/law/tournaments.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, islice
from typing import Final

from referee.aggregates.tournament.field import FEWEST, NOBODY, Pair
from referee.aggregates.tournament.formats.matching import Matching
from referee.aggregates.tournament.history import (
    History,
    Pairing,
    Round,
    point_items_of,
    sum_points,
)
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused

MOST_TRIED: Final = 2000
"""Sets of floaters of one size that are tried; a group that needs more goes down with the next."""


@dataclass(frozen=True, slots=True)
class Standings:
    """What the pairing needs to know of a history.

    ``floated`` down or ``lifted``: In the round before.
    """

    points: Mapping[Pair, int]
    met: Mapping[Pair, frozenset[Pair]]
    had_bye: frozenset[Pair]
    floated: frozenset[Pair]
    lifted: frozenset[Pair]
    most_tried: int = MOST_TRIED


def next_swiss_round(
    history: History, absent: frozenset[Pair] = frozenset(), most_tried: int = MOST_TRIED
) -> Round:
    """The pairings of the next round, from the top, for those who are there.

    :raises Refused: too few pairs; no pair can have the bye, or not all can meet a new opponent
    """
    present = history.pairs_in_next_round(absent)
    if len(present) < FEWEST:
        raise Refused(TournamentRule.PAIRS_NUMBER, found=len(present), least=FEWEST)
    known = replace(pairing_facts_of(history), most_tried=most_tried)
    ranked = rank_by_points(present, known)
    bye = _pair_for_bye(ranked, known) if len(ranked) % 2 else NOBODY
    playing = [pair for pair in ranked if pair != bye]
    if not _can_pair_all(playing, known):
        raise Refused(TournamentRule.NO_ROUND_LEFT, pairs=len(playing), rounds=len(history.rounds))
    return Round(tuple(pairings_by_points(playing, known)), bye)


def rank_by_points(pairs: Sequence[Pair], known: Standings) -> list[Pair]:
    """The pairs sorted by their points, most first; equal ones stay in the order given."""
    return sorted(pairs, key=lambda pair: -known.points[pair])


def pairing_facts_of(history: History) -> Standings:
    """What the pairing needs to know of a history.

    Points, who met whom, who had a bye, who floated last.
    """
    items = point_items_of(history)
    met: dict[Pair, set[Pair]] = {pair: set() for pair in history.pairs}
    for one in history.rounds:
        for first, second in one.pairings:
            met[first].add(second)
            met[second].add(first)
    floated: set[Pair] = set()
    lifted: set[Pair] = set()
    if history.rounds:
        number = len(history.rounds)
        before = {pair: sum_points(found, number) for pair, found in items.items()}
        for pairing in history.rounds[-1].pairings:
            low, high = sorted(pairing, key=lambda pair: before[pair])
            if before[low] != before[high]:
                floated.add(high)
                lifted.add(low)
        floated |= {history.rounds[-1].bye} - {NOBODY}
    return Standings(
        {pair: sum_points(found) for pair, found in items.items()},
        {pair: frozenset(others) for pair, others in met.items()},
        frozenset(one.bye for one in history.rounds if one.bye != NOBODY),
        frozenset(floated),
        frozenset(lifted),
    )


def _can_pair_all(pairs: Sequence[Pair], known: Standings) -> bool:
    return len(pairs) % 2 == 0 and not Matching(pairs, known.met).alone_count


def _pair_for_bye(ranked: Sequence[Pair], known: Standings) -> Pair:
    """The lowest pair that had no bye and without which all others can be paired."""
    for pair in reversed(ranked):
        if pair not in known.had_bye:
            others = [other for other in ranked if other != pair]
            if _can_pair_all(others, known):
                return pair
    raise Refused(TournamentRule.NO_BYE_LEFT, pairs=len(ranked))


def pairings_by_points(ranked: Sequence[Pair], known: Standings) -> Iterator[Pairing]:
    """Pairings of those who are ranked, from the top group down; all of them can be paired."""
    groups = [list(group) for _, group in groupby(ranked, key=lambda pair: known.points[pair])]
    carried: list[Pair] = []
    for place, group in enumerate(groups):
        below = [pair for later in groups[place + 1 :] for pair in later]
        going = set(_floaters(carried, group, below, known))
        yield from _pairings_within(
            [pair for pair in carried if pair not in going],
            [pair for pair in group if pair not in going],
            known,
        )
        carried = [pair for pair in (*carried, *group) if pair in going]


def _floaters(
    carried: Sequence[Pair], group: Sequence[Pair], below: Sequence[Pair], known: Standings
) -> Sequence[Pair]:
    """Pairs that float to the next group: as few as possible, in the order of preference.

    There is always a solution, since all pairs here and below can be paired.
    """
    here = [*carried, *group]
    for number in range(Matching(here, known.met).alone_count, len(here), 2):
        for going in islice(_floater_sets(carried, group, number, known), known.most_tried):
            leaving = set(going)
            staying = [pair for pair in here if pair not in leaving]
            if _can_pair_all([*going, *below], known) and _can_pair_all(staying, known):
                return going
    return here


def _floater_sets(
    carried: Sequence[Pair], group: Sequence[Pair], number: int, known: Standings
) -> Iterator[tuple[Pair, ...]]:
    """Sets of pairs that could float down, best first.

    Few that floated before, then from the lowest pair up.
    """
    fresh = [pair for pair in reversed(group) if pair not in known.floated]
    again = [pair for pair in reversed(group) if pair in known.floated] + [*reversed(carried)]
    for repeated in range(max(0, number - len(fresh)), min(number, len(again)) + 1):
        for new in combinations(fresh, number - repeated):
            for old in combinations(again, repeated):
                yield (*new, *old)


def _pairings_within(
    carried: Sequence[Pair], group: Sequence[Pair], known: Standings
) -> Iterator[Pairing]:
    """Pairings in a group: each pair in turn gets the first opponent that leaves all others one."""
    left = [*carried, *group]
    matching = Matching(left, known.met)
    high = set(carried)
    while left:
        pair = left.pop(0)
        wished = (
            _opponents_of_floater(left, high, known)
            if pair in high
            else _opponents_from_middle(left)
        )
        opponent = next(
            other
            for other in wished
            if other not in known.met[pair] and matching.try_remove_opponents(pair, other)
        )
        left.remove(opponent)
        yield (pair, opponent)


def _opponents_of_floater(
    left: Sequence[Pair], high: set[Pair], known: Standings
) -> Iterator[Pair]:
    """All left, for a pair that floated down: last, others of ``high`` and those lifted before."""
    return iter(sorted(left, key=lambda pair: (pair in high, pair in known.lifted)))


def _opponents_from_middle(left: Sequence[Pair]) -> Iterator[Pair]:
    """Opponents for one pair, in order: first of the lower half, then the nearest to that."""
    middle = len(left) // 2
    yield left[middle]
    for step in range(1, middle + 1):
        yield from left[middle + step : middle + step + 1]
        yield left[middle - step]
