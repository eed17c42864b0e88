"""The arrastre of a recorded deal: the position before each of its cards.

Once a deal is over no hand of its arrastre is hidden: the cards that a seat played are its hand. Of
a deal that was stopped short the hands are known only if the record says what was still held.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import Literal, TypeAlias

from msgspec.structs import replace

from referee.analysis.position import BadPosition, KnownPosition
from referee.rules.cards import BIT, CANTE_PAIR, Card, Mask, Suit, cards_in, mask_of, points_of
from referee.rules.counts import Score, scores_from_items
from referee.rules.evidence.questions import Knowledge
from referee.rules.profile.options import Options
from referee.rules.seats import Seat, Side, order_from, side_of
from referee.table.state import HIDDEN, Cante, ClosedTrick, Deal, Line, Table

_Room: TypeAlias = tuple[int, ...]
_Split: TypeAlias = tuple[int, tuple[int, ...], _Room]


class HiddenHands:
    """Unseen cards, and the hands in which each of them may lie.

    ``sizes``: by seat, how many cards are not known of its hand; together as many as are unseen.
    ``may``: by seat, the cards that it may hold. A way is the mask that each seat gets.

    >>> hands = HiddenHands(0b111, (1, 2), (0b011, 0b111))
    >>> hands.way_count(), sorted(hands.all_ways())
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

    def way_count(self) -> int:
        """Number of ways in which the unseen cards can lie."""
        return self._count_ways(0, self._sizes)

    def all_ways(self) -> Iterator[tuple[Mask, ...]]:
        """Every way in which the unseen cards can lie, once each."""
        yield from self._ways_from_seat(0, self._unseen, ())

    def draw_way(self, chance: random.Random) -> tuple[Mask, ...]:
        """One way at random, each equally likely. ``ValueError`` if there is none."""
        hands, room = [0] * len(self._sizes), self._sizes
        for kind, (seats, cards) in enumerate(self._kinds):
            splits = list(self._splits(kind, room))
            weights = [ways * self._count_ways(kind + 1, left) for ways, _, left in splits]
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

    def _count_ways(self, kind: int, room: _Room) -> int:
        if kind == len(self._kinds):
            return int(not any(room))
        if (kind, room) not in self._known:
            splits = self._splits(kind, room)
            found = sum(ways * self._count_ways(kind + 1, left) for ways, _, left in splits)
            self._known[kind, room] = found
        return self._known[kind, room]

    def _splits(self, kind: int, room: _Room) -> Iterator[_Split]:
        """Ways to divide the cards of a kind among seats: their count, cards a seat, room left."""
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

    def _ways_from_seat(
        self, seat: int, left: Mask, hands: tuple[Mask, ...]
    ) -> Iterator[tuple[Mask, ...]]:
        if seat == len(self._sizes):
            if not left:
                yield hands
            return
        for cards in combinations(cards_in(left & self._may[seat]), self._sizes[seat]):
            hand = mask_of(cards)
            yield from self._ways_from_seat(seat + 1, left & ~hand, (*hands, hand))


NotKnown: TypeAlias = Literal["no_cards", "hidden_hands", "hidden_cante", "irregular"]
"""Why an arrastre cannot be analysed: tricks without cards, or no arrastre; hands that nobody saw;
a cante whose suit nobody named; hands that had not the cards they should."""


@dataclass(frozen=True, slots=True)
class ArrastreCard:
    """A card of an arrastre and the position before it; ``made``: points of each side in the deal.

    ``before`` is the position before it when nobody sings or swaps any more: what was sung in time
    is in it.
    """

    line: Line
    trick: int
    card: Card
    before: KnownPosition
    made: dict[Side, int]


@dataclass(frozen=True, slots=True)
class ArrastreMoment:
    """The moment before a card laid in arrastre, with the hands as far as they are known.

    ``scores``: what each side has of the deal until then.
    """

    line: Line
    trick: int
    card: Card
    seat: Seat
    leader: Seat
    laid: tuple[Card, ...]
    hands: tuple[Mask, ...]
    sung: frozenset[Suit]
    winners: frozenset[Side]
    scores: dict[Side, Score] = field(compare=False)

    def position_with_unseen_cards(
        self, options: Options, trump: Suit, unseen: tuple[Mask, ...] = (0, 0, 0, 0)
    ) -> KnownPosition:
        """The position before the card, with the unseen cards of each hand.

        :raises CannotAnalyse: the hands have not the cards that they should
        """
        hands = tuple(known | more for known, more in zip(self.hands, unseen, strict=False))
        try:
            return KnownPosition(
                options,
                trump,
                self.leader,
                hands,
                self.laid,
                sung=self.sung,
                winners=self.winners,
            )
        except BadPosition:
            raise CannotAnalyse("irregular") from None


class CannotAnalyse(Exception):  # noqa: N818 - an answer about a deal, not an error of the program
    """The arrastre of a deal cannot be analysed: not every card is known, or there is none."""

    def __init__(self, reason: NotKnown) -> None:
        super().__init__(reason)
        self.reason: NotKnown = reason


def arrastre_cards_with_positions(table: Table, deal: Deal) -> tuple[ArrastreCard, ...]:
    """Every card of the arrastre of a deal, with the position before it.

    :raises CannotAnalyse: the reason
    """
    moments = list(arrastre_moments(table, deal, deal.held))
    first = moments[0]
    if {hand.bit_count() for hand in first.hands} != {table.options.hand_size}:
        raise CannotAnalyse("hidden_hands")
    return tuple(
        ArrastreCard(
            one.line,
            one.trick,
            one.card,
            one.position_with_unseen_cards(table.options, deal.trump),
            {side: score.base + score.cantes for side, score in one.scores.items()},
        )
        for one in moments
    )


def arrastre_moments(table: Table, deal: Deal, held: tuple[Mask, ...]) -> Iterator[ArrastreMoment]:
    """The moment before every card of the arrastre of a deal; ``CannotAnalyse`` if there is none.

    ``held``: by seat, the cards that are known to be still in hand.

    :raises CannotAnalyse: the reason
    """
    first = tricks_before_arrastre(table)
    tricks = [trick.plays for trick in deal.tricks[first:]] + ([deal.laid] if deal.laid else [])
    has_cards = not deal.is_entered and all(trick.plays for trick in deal.tricks)
    if len(deal.tricks) < first or not tricks or not has_cards:
        raise CannotAnalyse("no_cards")
    hands = dict(zip(deal.seats, held, strict=True))
    for play in (play for trick in tricks for play in trick):
        hands[play.seat] |= BIT[play.card]
    return _moments_of_tricks(table, deal, first, hands)


def tricks_before_arrastre(table: Table) -> int:
    """Number of tricks of a deal before its arrastre."""
    return table.options.stock_size // table.players


def deal_in_reading_or_none(deal: Deal, table: Table) -> Deal | None:
    """A deal as it is in another reading of its partida; None if it is not there."""
    return next((one for one in table.all_deals if one.line == deal.line), None)


def hand_at_moment(then: Deal, now: Deal, seat: Seat) -> Mask:
    """What a seat held at a moment of a deal, as far as the whole record tells."""
    after = (one.card for one in now.all_plays if one.seat == seat)
    return now.held[now.place_of_seat(seat)] | mask_of(after) & ~then.played


def limits_of_unseen_cards(
    deal: Deal, held: tuple[Mask, ...], known: tuple[Knowledge, ...]
) -> tuple[Mask, tuple[int, ...], tuple[Mask, ...]]:
    """Unseen cards of the hands; by seat, how many of them it has, and which it may have.

    ``held``: by seat, the cards that are known to be in hand; below 0 if those are too many.
    """
    missing = tuple(size - one.bit_count() for size, one in zip(deal.sizes, held, strict=True))
    on_table = BIT[deal.pinta] if deal.lies else 0
    unseen = deal.deck & ~deal.played & ~on_table & ~reduce(or_, held)
    return unseen, missing, tuple(one.possible & unseen for one in known)


def _moments_of_tricks(
    table: Table, deal: Deal, first: int, hands: dict[Seat, Mask]
) -> Iterator[ArrastreMoment]:
    cantes = _cantes_with_suits(table, deal)
    taken = [_score_item_of_trick(trick) for trick in deal.tricks[:first]]
    open_trick = [ClosedTrick(deal.laid, "", None, 0)] if deal.laid else []
    for number, trick in enumerate([*deal.tricks[first:], *open_trick], first + 1):
        leader = trick.plays[0].seat
        order = order_from(leader, table.players)
        laid: tuple[Card, ...] = ()
        for seat, play in zip(order, trick.plays, strict=False):
            if play.seat != seat:
                raise CannotAnalyse("irregular")
            sung = [c for c in cantes if table.came_before(c.line, play.line)]
            yield ArrastreMoment(
                play.line,
                number,
                play.card,
                seat,
                leader,
                laid,
                tuple(hands[seat] for seat in deal.seats),
                frozenset(cante.suit for cante in sung),
                frozenset(side for side, _, _ in taken),
                scores_from_items([*taken, *map(_score_item_of_cante, sung)], table.players),
            )
            hands = {**hands, seat: hands[seat] & ~BIT[play.card]}
            laid = (*laid, play.card)
        if trick.taker:
            taken.append(_score_item_of_trick(trick))


def _score_item_of_trick(trick: ClosedTrick) -> tuple[Side, str, int]:
    """Score item of a trick: side, reason and points."""
    return side_of(trick.taker), "cards", points_of(mask_of(play.card for play in trick.plays))


def _score_item_of_cante(cante: Cante) -> tuple[Side, str, int]:
    """Score item of a cante: side, reason and points."""
    return side_of(cante.seat), "cante", cante.points


def _cantes_with_suits(table: Table, deal: Deal) -> list[Cante]:
    """Cantes that count, each with its suit: of one that was not named, what the hand had.

    :raises CannotAnalyse: the hand had several
    """
    valid = [c for c in deal.cantes if not c.void and c.line not in table.ruled_out]
    sung = {cante.suit for cante in valid}
    if HIDDEN not in sung:
        return valid
    named = []
    for cante in valid:
        suits = [cante.suit]
        if cante.suit == HIDDEN:
            after = (p for trick in deal.tricks[cante.trick :] for p in trick.plays)
            held = deal.held[deal.place_of_seat(cante.seat)]
            held |= mask_of(p.card for p in (*after, *deal.laid) if p.seat == cante.seat)
            has = [suit for suit, pair in enumerate(CANTE_PAIR) if held & pair == pair]
            suits = [suit for suit in has if suit != deal.trump and suit not in sung]
        if len(suits) != 1:
            raise CannotAnalyse("hidden_cante")
        sung.add(suits[0])
        named.append(replace(cante, suit=suits[0]))
    return named
