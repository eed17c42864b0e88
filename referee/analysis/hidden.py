"""All the ways in which unseen cards can lie: counted, gone through one by one, or drawn evenly.

Cards that may lie in the same hands are of one kind, so a count is a small sum over kinds and hands
and no walk over deals. Nothing is presumed of how likely a way is: each counts once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import TypeAlias

from referee.rules.cards import BIT, Card, Mask, cards_in, mask_of

_Room: TypeAlias = tuple[int, ...]
_Split: TypeAlias = tuple[int, tuple[int, ...], _Room]


class HiddenHands:
    """Unseen cards, and the places for them in the hands.

    ``sizes``: by seat, how many cards are not known of its hand; together as many as are unseen.
    ``may``: by seat, the cards that it may hold. A way is the mask that each seat gets.

    >>> hands = HiddenHands(0b111, (1, 2), (0b011, 0b111))
    >>> hands.count(), sorted(hands.every())
    (2, [(1, 6), (2, 5)])
    """

    def __init__(self, unseen: Mask, sizes: _Room, may: tuple[Mask, ...]) -> None:
        kinds: dict[tuple[int, ...], list[Card]] = {}
        for card in cards_in(unseen):
            seats = tuple(s for s, size in enumerate(sizes) if size and may[s] & BIT[card])
            kinds.setdefault(seats, []).append(card)
        # the kinds with the least choice first: fewer ways are begun in vain
        self._kinds = sorted(kinds.items(), key=lambda kind: len(kind[0]))
        self._unseen, self._sizes, self._may = unseen, sizes, may
        self._known: dict[tuple[int, _Room], int] = {}

    def count(self) -> int:
        """How many ways there are."""
        return self._ways(0, self._sizes)

    def every(self) -> Iterator[tuple[Mask, ...]]:
        """Every way once."""
        yield from self._fill(0, self._unseen, ())

    def draw_one(self, chance: random.Random) -> tuple[Mask, ...]:
        """One way, each as likely as any other. ``ValueError`` if there is none."""
        hands, room = [0] * len(self._sizes), self._sizes
        for kind, (seats, cards) in enumerate(self._kinds):
            splits = list(self._splits(kind, room))
            weights = [ways * self._ways(kind + 1, left) for ways, _, left in splits]
            at = chance.randrange(sum(weights))
            for weight, split in zip(weights, splits, strict=True):
                at -= weight
                if at < 0:
                    _, numbers, room = split
                    break
            order = chance.sample(cards, len(cards))
            for seat, number in zip(seats, numbers, strict=True):
                hands[seat] |= mask_of(order[:number])
                order = order[number:]
        return tuple(hands)

    def _ways(self, kind: int, room: _Room) -> int:
        if kind == len(self._kinds):
            return int(not any(room))
        if (kind, room) not in self._known:
            splits = self._splits(kind, room)
            found = sum(ways * self._ways(kind + 1, left) for ways, _, left in splits)
            self._known[kind, room] = found
        return self._known[kind, room]

    def _splits(self, kind: int, room: _Room) -> Iterator[_Split]:
        """How many cards of a kind each of its seats may get: ways, the numbers, the room left."""
        seats, cards = self._kinds[kind]

        def _give(
            place: int, left: int, ways: int, numbers: _Room, room: _Room
        ) -> Iterator[_Split]:
            if place == len(seats):
                if not left:
                    yield ways, numbers, room
                return
            seat = seats[place]
            for number in range(min(left, room[seat]) + 1):
                rest = (*room[:seat], room[seat] - number, *room[seat + 1 :])
                more = ways * comb(left, number)
                yield from _give(place + 1, left - number, more, (*numbers, number), rest)

        yield from _give(0, len(cards), 1, (), room)

    def _fill(self, seat: int, left: Mask, hands: tuple[Mask, ...]) -> Iterator[tuple[Mask, ...]]:
        if seat == len(self._sizes):
            if not left:
                yield hands
            return
        for cards in combinations(cards_in(left & self._may[seat]), self._sizes[seat]):
            hand = mask_of(cards)
            yield from self._fill(seat + 1, left & ~hand, (*hands, hand))
