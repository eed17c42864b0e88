"""The pairs of a tournament, and their places by strength."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from referee.aggregates.tournament.rules import TournamentRule
from referee.errors import Refused

Pair: TypeAlias = str
NOBODY: Final = ""
FEWEST: Final = 2
MOST: Final = 512
MOST_TOGETHER: Final = 40
"""Pairs who can all meet each other: 39 rounds and 780 meetings, a round a week for a season."""


def check_pairs(pairs: Sequence[Pair]) -> None:
    """Refuse an invalid list of pairs.

    :raises Refused: one named twice or not at all, too few, too many
    """
    if not FEWEST <= len(pairs) <= MOST:
        raise Refused(TournamentRule.PAIRS_NUMBER, found=len(pairs), least=FEWEST, most=MOST)
    seen: set[Pair] = set()
    for index, pair in enumerate(pairs):
        if pair == NOBODY:
            raise Refused(TournamentRule.PAIR_UNNAMED, index=index)
        if pair in seen:
            raise Refused(TournamentRule.PAIR_TWICE, pair=pair)
        seen.add(pair)


def bracket_size(pairs: int) -> int:
    """Places of the first round of a knock-out: the next power of two.

    >>> bracket_size(24)
    32
    """
    return 1 << max(1, (pairs - 1).bit_length())


def bracket_ranks(size: int) -> tuple[int, ...]:
    """Rank at each place of a bracket, from 0: the best meet as late as they can.

    >>> bracket_ranks(8)
    (0, 7, 3, 4, 1, 6, 2, 5)
    """
    places: tuple[int, ...] = (0,)
    while len(places) < size:
        last = 2 * len(places) - 1
        places = tuple(rank for place in places for rank in (place, last - place))
    return places


def first_ties(order: Sequence[Pair]) -> tuple[tuple[Pair, Pair], ...]:
    """Pairs of each tie of the first round, from the top; ``""`` is a bye, and the best have them.

    >>> first_ties(["a", "b", "c", "d", "e", "f"])
    (('a', ''), ('d', 'e'), ('b', ''), ('c', 'f'))
    """
    size = bracket_size(len(order))
    at = [order[rank] if rank < len(order) else NOBODY for rank in bracket_ranks(size)]
    return tuple(zip(at[::2], at[1::2], strict=True))


def first_ties_without_byes(order: Sequence[Pair]) -> tuple[tuple[Pair, Pair], ...]:
    """Pairs of each tie of a first round in which everybody plays, from the top.

    If the number is odd the first pair rests. A tie of nobody is a place of the repechage.

    >>> first_ties_without_byes(["a", "b", "c", "d", "e"])
    (('a', ''), ('', ''), ('b', 'e'), ('c', 'd'))
    """
    last = len(order) + len(order) % 2
    padded = [*order, NOBODY]
    ties = [(order[rank], padded[last - 1 - rank]) for rank in range(last // 2)]
    ranks = bracket_ranks(bracket_size(len(order)) // 2)
    return tuple(ties[rank] if rank < len(ties) else (NOBODY, NOBODY) for rank in ranks)


def snake_groups(order: Sequence[Pair], groups: int) -> tuple[tuple[Pair, ...], ...]:
    """Groups filled in alternating direction, so that their strengths are balanced.

    >>> snake_groups(["a", "b", "c", "d", "e", "f"], 2)
    (('a', 'd', 'e'), ('b', 'c', 'f'))
    """
    found: list[list[Pair]] = [[] for _ in range(groups)]
    for rank, pair in enumerate(order):
        row, place = divmod(rank, groups)
        found[groups - 1 - place if row % 2 else place].append(pair)
    return tuple(tuple(group) for group in found)
