"""Counting: points as items with their reasons, a total as the sum of items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from referee.rules.articles import Rule, mark_rule_decider
from referee.rules.cards import POINTS, SUITS, Card, Suit
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Seat, Side, side_of

CANTE_OF_TRUMP = 40
CANTE_OF_ANOTHER = 20
MALAS = 50
REASONS = ("cards", "ultimas", "cante", "ruling")


def cante_points(suit: Suit | None, trump: Suit) -> int:
    """Points of a cante: 40 in trump, 20 in another suit, also in one that is not named."""
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

    def points_for_minimum(self, options: Options) -> int:
        """Points of a side that are compared with the minimum (malas) of the profile."""
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
        if options.cantes_need_min_malas and self.points_for_minimum(options) < options.min_malas:
            return self.base
        return self.base + self.cantes


@cache
def possible_points_from_deck(cards: int) -> frozenset[int]:
    """Points that so many cards of a deck can be worth together.

    >>> sorted(possible_points_from_deck(2))[:8], max(possible_points_from_deck(4))
    ([0, 2, 3, 4, 5, 6, 7, 8], 44)
    """
    reached = {(0, 0)}
    for value in sorted({points for points in POINTS if points}):
        for _ in SUITS:
            reached |= {(n + 1, total + value) for n, total in reached if n < cards}
    return frozenset(total for _, total in reached)


def can_cards_make_tricks(unseen: Iterable[Card], tricks: Iterable[tuple[int, int]]) -> bool:
    """Whether tricks of so many cards and points each can be made of unseen cards, all together.

    >>> from referee.rules.cards import CARD
    >>> ases, blank = [CARD["AO"], CARD["AC"]], [CARD["7O"], CARD["6O"]]
    >>> cards = [*ases, *blank]
    >>> can_cards_make_tricks(cards, [(2, 11), (2, 11)]), can_cards_make_tricks(cards, [(2, 12)])
    (True, False)
    """
    counts = Counter(POINTS[card] for card in unseen)
    values = sorted(counts, reverse=True)
    reached = {tuple(counts[value] for value in values)}
    for cards, points in tricks:
        made = _choices_of_cards_for_points(tuple(values), cards, points)
        reached = {
            tuple(n - used for n, used in zip(left, taken, strict=True))
            for left in reached
            for taken in made
            if all(n >= used for n, used in zip(left, taken, strict=True))
        }
    return bool(reached)


def possible_points_from_unseen(unseen: Iterable[Card], cards: int) -> frozenset[int]:
    """Points that so many of the unseen cards can be worth together.

    >>> from referee.rules.cards import CARD
    >>> sorted(possible_points_from_unseen([CARD["AO"], CARD["AC"], CARD["7O"]], 2))
    [11, 22]
    """
    found = {(0, 0)}
    for value in (POINTS[card] for card in unseen):
        found |= {(n + 1, total + value) for n, total in found if n < cards}
    return frozenset(total for n, total in found if n == cards)


def nearest_numbers_text(wrong: int, may_be: Iterable[int]) -> str:
    """Text with the nearest possible numbers below and above an impossible one.

    >>> nearest_numbers_text(45, {43, 44}), nearest_numbers_text(1, {0, 2, 3})
    ('44', '0, 2')
    """
    ordered = sorted(may_be)
    below = [one for one in ordered if one < wrong]
    above = [one for one in ordered if one > wrong]
    return ", ".join(map(str, (*below[-1:], *above[:1])))


@lru_cache(4096)
def _choices_of_cards_for_points(
    values: tuple[int, ...], cards: int, points: int
) -> tuple[tuple[int, ...], ...]:
    """Every choice of so many cards by value that makes these points; cached."""
    if not values:
        return () if cards or points else ((),)
    return tuple(
        (taken, *others)
        for taken in range(cards + 1)
        for others in _choices_of_cards_for_points(
            values[1:], cards - taken, points - taken * values[0]
        )
    )


def scores_from_items(items: Iterable[tuple[Side, str, int]], players: int) -> dict[Side, Score]:
    """Score of each side from items ``(side, reason, points)``, each reason one of ``REASONS``."""
    sums = {side: [0, 0, 0, 0] for side in SIDES[players]}
    for side, reason, points in items:
        sums[side][REASONS.index(reason)] += points
    return {side: Score(*found) for side, found in sums.items()}


def totals(found: Mapping[Side, Score], options: Options) -> dict[Side, int]:
    """Total of each side under these options, from its score."""
    return {side: score.total(options) for side, score in found.items()}


def malas_y_buenas(points: int) -> tuple[int, bool]:
    """A total as players say it: the number, and whether it is buenas.

    >>> malas_y_buenas(48), malas_y_buenas(50), malas_y_buenas(85), malas_y_buenas(101)
    ((48, False), (50, False), (35, True), (51, True))
    """
    return (points - MALAS, True) if points > MALAS else (points, False)


TWO_SIDES = 2


def sides_by_latest_taker(takers: Sequence[Seat], order: Sequence[Seat]) -> tuple[Side, ...]:
    """Sides by their latest closed trick, most recent first, then in order of play from mano.

    >>> sides_by_latest_taker(["A1", "C1"], ["B1", "C1", "A1"])
    ('C', 'A', 'B')
    """
    sides = [side_of(seat) for seat in reversed(takers)] + [side_of(seat) for seat in order]
    return tuple(dict.fromkeys(sides))


@mark_rule_decider(Rule.TARGET, Rule.MIN_MALAS)
def winner_after_first_deal(
    found: Mapping[Side, Score], options: Options, by_latest: Sequence[Side]
) -> Side | None:
    """Winner at the end of the first deal; None if the partida goes on in vueltas."""
    total = totals(found, options)
    at_target = [side for side in found if total[side] >= options.target]
    short = {side for side in found if found[side].points_for_minimum(options) < options.min_malas}
    is_always = options.min_malas_applies == "always" and len(found) == TWO_SIDES
    if short and (len(at_target) > 1 or is_always):
        standing = [side for side in found if side not in short]
        if len(standing) == 1:
            return standing[0]
        at_target = [side for side in at_target if side not in short]
    return _winner_among_sides(at_target, total, options.both_reach_target, by_latest)


@mark_rule_decider(Rule.TARGET)
def winner_at_target(
    found: Mapping[Side, Score], options: Options, by_latest: Sequence[Side]
) -> Side | None:
    """Winner of vueltas that end with the trick or cante that makes the target; None: not yet."""
    total = totals(found, options)
    sides = [side for side in found if total[side] >= options.target]
    return _winner_among_sides(sides, total, "last_trick", by_latest)


@mark_rule_decider(Rule.UNCLAIMED)
def winner_without_claim(
    found: Mapping[Side, Score], options: Options, by_latest: Sequence[Side]
) -> Side | None:
    """Winner of vueltas played out without a claim; None if another deal follows.

    Of three sides, several at the target are separated as after any deal.
    """
    if options.unclaimed_at_end == "another_deal":
        return None
    total = totals(found, options)
    at_target = [side for side in found if total[side] >= options.target]
    rule = "last_trick" if len(found) == TWO_SIDES else options.both_reach_target
    return _winner_among_sides(at_target, total, rule, by_latest)


def winner_when_side_lost(
    loser: Side, total: Mapping[Side, int], by_latest: Sequence[Side]
) -> Side:
    """Winner when one side lost the partida: of the others the higher total, then the later trick.

    >>> winner_when_side_lost("A", {"A": 90, "B": 20}, ["A", "B"])
    'B'
    >>> winner_when_side_lost("A", {"A": 90, "B": 20, "C": 20}, ["A", "C", "B"])
    'C'
    """
    others = [side for side in by_latest if side != loser]
    return max(others, key=lambda side: (total[side], -others.index(side)))


@mark_rule_decider(Rule.BOTH_REACH_TARGET)
def _winner_among_sides(
    sides: Sequence[Side], total: Mapping[Side, int], rule: str, by_latest: Sequence[Side]
) -> Side | None:
    """Winner among the sides that qualify, by the rule for ties; None if there is none."""
    if not sides:
        return None
    if rule == "highest_total":
        highest = max(total[side] for side in sides)
        sides = [side for side in sides if total[side] == highest]
    return min(sides, key=by_latest.index)
