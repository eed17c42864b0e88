"""The arrastre of a recorded deal: the position before each of its cards.

Once a deal is over no hand of its arrastre is hidden: the cards that a seat played are its hand. Of
a deal that was stopped short the hands are known only if the record says what was still held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Literal, TypeAlias

from msgspec.structs import replace

from referee.analysis.position import BadPosition, KnownPosition
from referee.rules.cards import BIT, CANTE_PAIR, Card, Mask, Suit, mask_of, points_of
from referee.rules.counts import Score, scores
from referee.rules.evidence.questions import Knowledge
from referee.rules.profile.options import Options
from referee.rules.seats import Seat, Side, order_from, side_of
from referee.table.state import HIDDEN, Cante, ClosedTrick, Deal, Line, Table

NotKnown: TypeAlias = Literal["no_cards", "hidden_hands", "hidden_cante", "irregular"]
"""Why an arrastre cannot be analysed: tricks without cards, or no arrastre; hands that nobody saw;
a cante whose suit nobody named; hands that had not the cards they should."""


@dataclass(frozen=True, slots=True)
class ArrastreCard:
    """A card of an arrastre. ``made``: what each side has of the deal before it, cantes with it.

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
    """The moment before a card of an arrastre; of ``hands`` it has what is known of them.

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

    def position(
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
    """An arrastre of which not every card is known, or none at all."""

    def __init__(self, reason: NotKnown) -> None:
        super().__init__(reason)
        self.reason: NotKnown = reason


def arrastre_of(table: Table, deal: Deal) -> tuple[ArrastreCard, ...]:
    """Every card of the arrastre of a deal, with the position before it.

    :raises CannotAnalyse: the reason
    """
    moments = list(moments_of(table, deal, deal.held))
    first = moments[0]
    if {hand.bit_count() for hand in first.hands} != {table.options.hand_size}:
        raise CannotAnalyse("hidden_hands")
    return tuple(
        ArrastreCard(
            one.line,
            one.trick,
            one.card,
            one.position(table.options, deal.trump),
            {side: score.base + score.cantes for side, score in one.scores.items()},
        )
        for one in moments
    )


def moments_of(table: Table, deal: Deal, held: tuple[Mask, ...]) -> Iterator[ArrastreMoment]:
    """The moment before every card of the arrastre of a deal; at least one.

    ``held``: by seat, the cards that are known to be still in hand.

    :raises CannotAnalyse: the reason
    """
    first = first_of_arrastre(table)
    tricks = [trick.plays for trick in deal.tricks[first:]] + ([deal.laid] if deal.laid else [])
    has_cards = not deal.is_entered and all(trick.plays for trick in deal.tricks)
    if len(deal.tricks) < first or not tricks or not has_cards:
        raise CannotAnalyse("no_cards")
    hands = dict(zip(deal.seats, held, strict=True))
    for play in (play for trick in tricks for play in trick):
        hands[play.seat] |= BIT[play.card]
    return _moments(table, deal, first, hands)


def first_of_arrastre(table: Table) -> int:
    """How many tricks of a deal come before its arrastre."""
    return table.options.stock_size // table.players


def same_deal(deal: Deal, table: Table) -> Deal | None:
    """A deal as it is in another reading of its partida; None if it is not there."""
    return next((one for one in table.all_deals if one.line == deal.line), None)


def hand_known_since(then: Deal, now: Deal, seat: Seat) -> Mask:
    """What a seat held at a moment of a deal, as far as the whole record tells."""
    after = (one.card for one in now.plays if one.seat == seat)
    return now.held[now.place(seat)] | mask_of(after) & ~then.played


def unseen_cards(
    deal: Deal, held: tuple[Mask, ...], known: tuple[Knowledge, ...]
) -> tuple[Mask, tuple[int, ...], tuple[Mask, ...]]:
    """Cards of the hands that nobody saw; by seat, how many it has of them, and which it may.

    ``held``: by seat, the cards that are known to be in hand; below 0 if those are too many.
    """
    missing = tuple(size - one.bit_count() for size, one in zip(deal.sizes, held, strict=True))
    on_table = BIT[deal.pinta] if deal.lies else 0
    unseen = deal.deck & ~deal.played & ~on_table & ~reduce(or_, held)
    return unseen, missing, tuple(one.possible & unseen for one in known)


def _moments(
    table: Table, deal: Deal, first: int, hands: dict[Seat, Mask]
) -> Iterator[ArrastreMoment]:
    cantes = _cantes_with_suits(table, deal)
    taken = [_points_of_trick(trick) for trick in deal.tricks[:first]]
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
                scores([*taken, *map(_points_of_cante, sung)], table.players),
            )
            hands = {**hands, seat: hands[seat] & ~BIT[play.card]}
            laid = (*laid, play.card)
        if trick.taker:
            taken.append(_points_of_trick(trick))


def _points_of_trick(trick: ClosedTrick) -> tuple[Side, str, int]:
    """What a trick counts, and for whom."""
    return side_of(trick.taker), "cards", points_of(mask_of(play.card for play in trick.plays))


def _points_of_cante(cante: Cante) -> tuple[Side, str, int]:
    """The same of a cante."""
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
            held = deal.held[deal.place(cante.seat)]
            held |= mask_of(p.card for p in (*after, *deal.laid) if p.seat == cante.seat)
            has = [suit for suit, pair in enumerate(CANTE_PAIR) if held & pair == pair]
            suits = [suit for suit in has if suit != deal.trump and suit not in sung]
        if len(suits) != 1:
            raise CannotAnalyse("hidden_cante")
        sung.add(suits[0])
        named.append(replace(cante, suit=suits[0]))
    return named
