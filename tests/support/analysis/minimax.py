"""What a position is worth, by trying everything: the law of the product, and no idea besides.

Every lawful card, every set of cantes or none, every swap or none. It shares nothing with the
engine but the law, and is slow: three tricks of four hands take 30 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from referee.analysis.engine import Aim
from referee.analysis.position import KnownPosition
from referee.rules.cards import BIT, CANTE_PAIR, POINTS, Card, Mask, cards_in, index_of_winning_card
from referee.rules.counts import CANTE_OF_ANOTHER, CANTE_OF_TRUMP
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.seats import SEATS, Seat, Side, order_from, side_of


@dataclass(frozen=True)
class Moment:
    """A position in play; ``songs``: cantes that may be sung now, a seat and a suit each."""

    hands: dict[Seat, Mask]
    leader: Seat
    plays: tuple[tuple[Seat, Card], ...]
    stock: tuple[Card, ...]
    sung: frozenset[int]
    winners: frozenset[Side]


@dataclass(frozen=True)
class Minimax:
    """Play to the end of one side against the others; ``friends`` play for it."""

    known: KnownPosition
    side: Side
    aim: Aim
    friends: frozenset[Seat]

    def value(self) -> int:
        return self._with_swap(None)

    def price(self, card: Card) -> int:
        """Value after this card; what may be sung or swapped comes before it."""
        return self._with_swap(card)

    def _best(self, seat: Seat, values: list[int], *, sings: bool = False) -> int:
        for_us = side_of(seat) == self.side if sings else seat in self.friends
        return max(values) if for_us else min(values)

    def _with_swap(self, card: Card | None) -> int:
        known = self.known
        options, seats = known.options, SEATS[known.options.players]
        hands = dict(zip(seats, known.hands, strict=True))
        now = Moment(
            hands, known.leader, known.plays_of_open_trick, known.stock, known.sung, known.winners
        )
        songs = self._songs(now) if known.sung_now is not None else set()
        values = [self._sing(now, songs, card, known.sung_now or ())]
        if known.swap and card != known.swap[1]:
            seat, given = known.swap
            pinta = known.stock[-1]
            hands = {**hands, seat: hands[seat] & ~BIT[given] | BIT[pinta]}
            after = replace(now, hands=hands, stock=(*known.stock[:-1], given))
            if known.sung_now is not None and not options.cante_before_swap:
                songs = self._songs(after)
            values.append(self._sing(after, songs, card, known.sung_now or ()))
            return self._best(seat, values, sings=True)
        return values[0]

    def _songs(self, now: Moment) -> set[tuple[Seat, int]]:
        options = self.known.options
        if self.aim is Aim.TRICKS or not (options.cante_in_arrastre or now.stock):
            return set()
        may = {side_of(now.leader)}
        if options.cante_needs_trick == "any_trick":
            may = set(now.winners)
        return {
            (seat, suit)
            for seat, hand in now.hands.items()
            for suit, pair in enumerate(CANTE_PAIR)
            if side_of(seat) in may and hand & pair == pair and suit not in now.sung
        }

    def _sing(
        self,
        now: Moment,
        songs: set[tuple[Seat, int]],
        card: Card | None,
        sung_now: tuple[int, ...],
        singers: tuple[Side, ...] | None = None,
    ) -> int:
        """Side by side, the taker's first, any of its cantes within the limits; then play goes on."""
        order = order_from(now.leader, len(now.hands))
        if singers is None:
            singers = tuple(dict.fromkeys(map(side_of, order)))
        if not singers:
            return self._play(now, card)
        side, later = singers[0], singers[1:]
        values = []
        for chosen in self._choices([s for s in sorted(songs) if side_of(s[0]) == side], sung_now):
            gain = sum(self._worth(side, suit) for _, suit in chosen)
            after = replace(now, sung=now.sung | {suit for _, suit in chosen})
            values.append(gain + self._sing(after, songs, card, sung_now, later))
        return self._best(order[0] if side == side_of(order[0]) else side + "1", values, sings=True)

    def _choices(
        self, songs: list[tuple[Seat, int]], sung_now: tuple[int, ...]
    ) -> Iterator[tuple[tuple[Seat, int], ...]]:
        options = self.known.options
        before = dict(zip(SEATS[options.players], sung_now, strict=False))
        for count in range(len(songs) + 1):
            for chosen in combinations(songs, count):
                singers = [seat for seat, _ in chosen]
                each = all(
                    singers.count(seat) + before.get(seat, 0) <= options.cantes_per_player
                    for seat in singers
                )
                side = side_of(singers[0]) if singers else ""
                of_side = count + sum(n for s, n in before.items() if side_of(s) == side)
                if each and (not options.cantes_per_side or of_side <= options.cantes_per_side):
                    yield chosen
                elif not chosen:
                    yield chosen

    def _worth(self, side: Side, suit: int) -> int:
        points = CANTE_OF_TRUMP if suit == self.known.trump else CANTE_OF_ANOTHER
        if self.aim is Aim.POINTS:
            return points if side == self.side else 0
        return points // 2 if side == self.side else -points // 2

    def _play(self, now: Moment, card: Card | None) -> int:
        if card is not None:
            return self._after(now, card)
        seat = order_from(now.leader, len(now.hands))[len(now.plays)]
        may = now.hands[seat]
        position = position_before_play(now.plays, seat, self.known.trump, self.known.options)
        if position is not None and not now.stock:
            may = lawful_plays(position, may)
        return self._best(seat, [self._after(now, each) for each in cards_in(may)])

    def _after(self, now: Moment, card: Card) -> int:
        order = order_from(now.leader, len(now.hands))
        seat = order[len(now.plays)]
        hands = {**now.hands, seat: now.hands[seat] & ~BIT[card]}
        plays = (*now.plays, (seat, card))
        now = replace(now, hands=hands, plays=plays)
        if len(plays) < len(order):
            return self._play(now, None)
        return self._taken(now)

    def _taken(self, now: Moment) -> int:
        options = self.known.options
        cards = [card for _, card in now.plays]
        taker = now.plays[index_of_winning_card(cards, self.known.trump, options.sota_caballo)][0]
        gain = 1 if self.aim is Aim.TRICKS else sum(POINTS[card] for card in cards)
        is_last = not now.stock and not any(now.hands.values())
        if is_last and self.aim is not Aim.TRICKS:
            gain += options.last_trick_points
        gain = gain if side_of(taker) == self.side else 0
        if is_last:
            return gain
        now = replace(now, leader=taker, plays=(), winners=now.winners | {side_of(taker)})
        songs = self._songs(now)
        if now.stock:
            hands = dict(now.hands)
            for seat, card in zip(order_from(taker, len(hands)), now.stock, strict=False):
                hands[seat] |= BIT[card]
            now = replace(now, hands=hands, stock=now.stock[len(hands) :])
            if options.cante_window != "before_draw":
                songs |= self._songs(now)
        return gain + self._sing(now, songs, None, ())
