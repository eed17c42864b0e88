"""The arrastre of a recorded deal: the position before each of its cards.

Once a deal is over no hand of its arrastre is hidden: the cards that a seat played are its hand. Of
a deal that was stopped short the hands are known only if the record says what was still held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from msgspec.structs import replace

from referee.analysis.known import BadPosition, KnownPosition
from referee.rules.cards import BIT, CANTE_PAIR, Card, Mask, mask_of, points_of
from referee.rules.seats import SIDES, Seat, Side, side_of
from referee.table.state import HIDDEN, Cante, ClosedTrick, Deal, Line, Play, Table

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


class CannotAnalyse(Exception):  # noqa: N818 - an answer about a deal, not an error of the program
    """An arrastre of which not every card is known, or none at all."""

    def __init__(self, reason: NotKnown) -> None:
        super().__init__(reason)
        self.reason: NotKnown = reason


def arrastre_of(table: Table, deal: Deal) -> tuple[ArrastreCard, ...]:
    """Every card of the arrastre of a deal, with the position before it.

    :raises CannotAnalyse: the reason
    """
    first = table.options.stock_size // table.players
    tricks = [trick.plays for trick in deal.tricks[first:]] + ([deal.laid] if deal.laid else [])
    has_cards = not deal.is_entered and all(trick.plays for trick in deal.tricks)
    if len(deal.tricks) < first or not tricks or not has_cards:
        raise CannotAnalyse("no_cards")
    hands = _hands(deal, tricks)
    if len({hand.bit_count() for hand in hands.values()}) > 1:
        raise CannotAnalyse("hidden_hands")
    try:
        return tuple(_cards(table, deal, first, hands))
    except BadPosition:
        raise CannotAnalyse("irregular") from None


def _hands(deal: Deal, tricks: list[tuple[Play, ...]]) -> dict[Seat, Mask]:
    """What each seat held when the stock was gone, as far as it is known."""
    hands = dict(zip(deal.seats, deal.held, strict=True))
    for play in (play for trick in tricks for play in trick):
        hands[play.seat] |= BIT[play.card]
    return hands


def _cards(table: Table, deal: Deal, first: int, hands: dict[Seat, Mask]) -> Iterator[ArrastreCard]:
    cantes = _named(table, deal)
    closed: list[ClosedTrick] = list(deal.tricks[:first])
    open_trick = [ClosedTrick(deal.laid, "", None, 0)] if deal.laid else []
    for number, trick in enumerate([*deal.tricks[first:], *open_trick], first + 1):
        leader = trick.plays[0].seat
        laid: list[Card] = []
        for play in trick.plays:
            sung = [c for c in cantes if table.came_before(c.line, play.line)]
            known = KnownPosition(
                table.options,
                deal.trump,
                leader,
                tuple(hands[seat] for seat in deal.seats),
                tuple(laid),
                sung=frozenset(cante.suit for cante in sung),
                winners=frozenset(side_of(one.taker) for one in closed),
            )
            if play.seat != known.seat:
                raise CannotAnalyse("irregular")
            made = _made(table.players, closed, sung)
            yield ArrastreCard(play.line, number, play.card, known, made)
            hands = {**hands, play.seat: hands[play.seat] & ~BIT[play.card]}
            laid.append(play.card)
        closed.append(trick)


def _made(players: int, closed: list[ClosedTrick], sung: list[Cante]) -> dict[Side, int]:
    made = dict.fromkeys(SIDES[players], 0)
    for trick in closed:
        made[side_of(trick.taker)] += points_of(mask_of(play.card for play in trick.plays))
    for cante in sung:
        made[side_of(cante.seat)] += cante.points
    return made


def _named(table: Table, deal: Deal) -> list[Cante]:
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
