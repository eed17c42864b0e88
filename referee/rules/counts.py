"""Counting: points as items with their reasons, a total as the sum of items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from referee.rules.cards import POINTS, SUITS, Card, Suit
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Side

CANTE_OF_TRUMP = 40
CANTE_OF_ANOTHER = 20
MALAS = 50
REASONS = ("cards", "ultimas", "cante", "ruling")


def cante_points(suit: Suit | None, trump: Suit) -> int:
    """What a cante is worth: 40 of the trump, 20 of another suit, one that is not known too."""
    return CANTE_OF_TRUMP if suit == trump else CANTE_OF_ANOTHER


class Score(NamedTuple):
    """What a side has in the partida: cards and últimas, cantes, and points given by ruling."""

    cards: int = 0
    ultimas: int = 0
    cantes: int = 0
    ruled: int = 0

    @property
    def base(self) -> int:
        """Points without cantes."""
        return self.cards + self.ultimas + self.ruled

    def plus(self, other: Score) -> Score:
        """The sum of two scores, item by item."""
        return Score(*(one + more for one, more in zip(self, other, strict=True)))

    def points_measured(self, options: Options) -> int:
        """Points that must reach the minimum."""
        return self.cards if options.min_malas_of == "cards" else self.base

    def total(self, options: Options) -> int:
        """Points that count: cantes only above the minimum where the profile says so.

        >>> Score(cards=29, cantes=40).total(Options(min_malas=30, cantes_need_min_malas=True))
        29
        >>> Score(cards=20, ultimas=10, cantes=40).total(
        ...     Options(min_malas=30, cantes_need_min_malas=True)
        ... )
        70
        """
        if options.cantes_need_min_malas and self.points_measured(options) < options.min_malas:
            return self.base
        return self.base + self.cantes


@cache
def trick_sums(cards: int) -> frozenset[int]:
    """What so many cards of a deck can be worth together: four of each value, and many worth 0.

    >>> sorted(trick_sums(2))[:8], max(trick_sums(4))
    ([0, 2, 3, 4, 5, 6, 7, 8], 44)
    """
    reached = {(0, 0)}
    for value in sorted({points for points in POINTS if points}):
        for _ in SUITS:
            reached |= {(n + 1, total + value) for n, total in reached if n < cards}
    return frozenset(total for _, total in reached)


def tricks_fit(unseen: Iterable[Card], tricks: Iterable[tuple[int, int]]) -> bool:
    """Whether tricks of so many cards and points each can be made of unseen cards, all together.

    >>> from referee.rules.cards import CARD
    >>> ases, blank = [CARD["AO"], CARD["AC"]], [CARD["7O"], CARD["6O"]]
    >>> tricks_fit([*ases, *blank], [(2, 11), (2, 11)]), tricks_fit([*ases, *blank], [(2, 12)])
    (True, False)
    """
    counts = Counter(POINTS[card] for card in unseen)
    values = sorted(counts, reverse=True)
    reached = {tuple(counts[value] for value in values)}
    for cards, points in tricks:
        made = _ways_to_make(tuple(values), cards, points)
        reached = {
            tuple(n - used for n, used in zip(left, taken, strict=True))
            for left in reached
            for taken in made
            if all(n >= used for n, used in zip(left, taken, strict=True))
        }
    return bool(reached)


def sums_of(unseen: Iterable[Card], cards: int) -> frozenset[int]:
    """What so many of these cards can be worth together.

    >>> from referee.rules.cards import CARD
    >>> sorted(sums_of([CARD["AO"], CARD["AC"], CARD["7O"]], 2))
    [11, 22]
    """
    found = {(0, 0)}
    for value in (POINTS[card] for card in unseen):
        found |= {(n + 1, total + value) for n, total in found if n < cards}
    return frozenset(total for n, total in found if n == cards)


def nearest_numbers(wrong: int, may_be: Iterable[int]) -> str:
    """The numbers beside a wrong one that can be, as they are told.

    >>> nearest_numbers(45, {43, 44}), nearest_numbers(1, {0, 2, 3})
    ('44', '0, 2')
    """
    ordered = sorted(may_be)
    below = [one for one in ordered if one < wrong]
    above = [one for one in ordered if one > wrong]
    return ", ".join(map(str, (*below[-1:], *above[:1])))


@lru_cache(4096)
def _ways_to_make(values: tuple[int, ...], cards: int, points: int) -> tuple[tuple[int, ...], ...]:
    """How many cards of each value make these points, in every way; kept: each act asks again."""
    if not values:
        return () if cards or points else ((),)
    return tuple(
        (taken, *others)
        for taken in range(cards + 1)
        for others in _ways_to_make(values[1:], cards - taken, points - taken * values[0])
    )


def scores(items: Iterable[tuple[Side, str, int]], players: int) -> dict[Side, Score]:
    """Score of each side from items ``(side, reason, points)``, each reason one of ``REASONS``."""
    sums = {side: [0, 0, 0, 0] for side in SIDES[players]}
    for side, reason, points in items:
        sums[side][REASONS.index(reason)] += points
    return {side: Score(*found) for side, found in sums.items()}


def totals(found: Mapping[Side, Score], options: Options) -> dict[Side, int]:
    """Totals of all sides that count under these options."""
    return {side: score.total(options) for side, score in found.items()}


def malas_y_buenas(points: int) -> tuple[int, bool]:
    """A total as players say it: the number, and whether it is buenas.

    >>> malas_y_buenas(48), malas_y_buenas(50), malas_y_buenas(85), malas_y_buenas(101)
    ((48, False), (50, False), (35, True), (51, True))
    """
    return (points - MALAS, True) if points > MALAS else (points, False)
