"""Round robins, and the order of the knock-out after groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from referee.aggregates.tournament.field import (
    FEWEST,
    NOBODY,
    Pair,
    bracket_ranks,
    bracket_size,
    check_pairs,
)
from referee.aggregates.tournament.history import Round
from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused


def round_robin(order: Sequence[Pair]) -> tuple[Round, ...]:
    """Rounds in which each pair meets each other once (circle method: the first one stays).

    >>> [one.pairings for one in round_robin("abcd")]
    [(('a', 'd'), ('b', 'c')), (('a', 'c'), ('d', 'b')), (('a', 'b'), ('c', 'd'))]
    """
    check_pairs(order)
    first, *circle = [*order, *([NOBODY] if len(order) % 2 else [])]
    rounds = []
    for _ in circle:
        line = [first, *circle]
        half = len(line) // 2
        found = zip(line[:half], reversed(line[half:]), strict=True)
        rounds.append(_create_round(tuple(found)))
        circle = [circle[-1], *circle[:-1]]
    return tuple(rounds)


def _create_round(found: tuple[tuple[Pair, Pair], ...]) -> Round:
    """A round of pairings in which one with nobody is the bye."""
    playing = tuple(pairing for pairing in found if NOBODY not in pairing)
    resting = next((max(pairing) for pairing in found if NOBODY in pairing), NOBODY)
    return Round(playing, resting)


def order_from_groups(qualified: Sequence[Sequence[Pair]]) -> tuple[Pair, ...]:
    """Order of a knock-out from those who qualified, group by group, each from its first.

    Firsts before seconds before thirds, in the order of the groups as far as that keeps those of
    one group apart as long as can be.

    :raises Refused: nobody of a group, or no way to keep two of a group from meeting at
        once
    """
    if len(qualified) < FEWEST or not all(qualified):
        raise Refused(
            TournamentRule.GROUPS_NUMBER, found=len([g for g in qualified if g]), least=FEWEST
        )
    order: list[Pair] = []
    group_of: list[int] = []
    size = bracket_size(sum(map(len, qualified)))
    at = {rank: place for place, rank in enumerate(bracket_ranks(size))}
    for tier in count():
        groups = [number for number, group in enumerate(qualified) if len(group) > tier]
        if not groups:
            break
        for number in _tier_order(groups, group_of, at, size):
            order.append(qualified[number][tier])
            group_of.append(number)
    check_pairs(order)
    return tuple(order)


def _tier_order(
    groups: Sequence[int], before: Sequence[int], at: Mapping[int, int], size: int
) -> list[int]:
    """Groups in the order of the next ranks, so that pairs of one group meet as late as can be."""
    for round_ in range(max(2, size.bit_length() - 1), 1, -1):
        barred = [
            {
                number
                for rank, number in enumerate(before)
                if _first_common_round_of_places(at[rank], at[len(before) + step]) < round_
            }
            for step in range(len(groups))
        ]
        found = _match_groups_to_places(groups, barred)
        if found is not None:
            return found
    raise Refused(TournamentRule.GROUPS_CANNOT_BE_CROSSED, groups=len(groups))


def _first_common_round_of_places(one: int, other: int) -> int:
    """Round in which two places of a bracket can meet first."""
    return (one ^ other).bit_length()


def _match_groups_to_places(groups: Sequence[int], barred: Sequence[set[int]]) -> list[int] | None:
    """Groups in an order in which no place bars its group, found by augmenting paths.

    None if there is none.
    """
    holder: dict[int, int] = {}

    def assign_group(place: int, tried: set[int]) -> bool:
        # a free place before an occupied one
        for group in sorted(groups, key=lambda group: group in holder):
            if group in barred[place] or group in tried:
                continue
            tried.add(group)
            if group not in holder or assign_group(holder[group], tried):
                holder[group] = place
                return True
        return False

    if not all(assign_group(place, set()) for place in range(len(groups))):
        return None
    return sorted(groups, key=lambda group: holder[group])
