"""Deals as values: every card of a deal, where it lies before the first is laid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee import events as ev
from referee.rules.cards import cards_in, tokens_in
from referee.rules.chance import shuffle_by_seed
from referee.rules.library.hands import Hand
from referee.rules.library.values import CARD_OF, Card, Seat
from referee.rules.profile.options import Options, deck_mask

_SEAL: Final = b"guinote-law-deal-1\n"
"""What a seed is hashed with: a change of it would change every deal of every seed."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards of a deal: who dealt, the hand of each seat in order of play, the pinta, and the stock.

    ``stock``: face-down cards in the order in which they are drawn; the pinta is drawn after them.

    >>> deal = Deal.random(7)
    >>> deal.dealer, deal.hand(Seat.A1), deal.pinta, len(deal.stock)
    (Seat.B2, Hand.parse('RO SO 6O 3C 3E 3B'), Card.parse('CO'), 15)
    """

    dealer: Seat
    hands: tuple[Hand, ...]
    pinta: Card
    stock: tuple[Card, ...] = ()

    @classmethod
    def random(
        cls, seed: int | str, options: Options | None = None, dealer: Seat | None = None
    ) -> Deal:
        """Deal of a seed: the same cards for the same seed, on every computer and version.

        ``options``: of the table, four players of ``club`` if not given. ``dealer``: the last in
        order of play if not given, so that A1 is the first to lead.
        """
        options = options or Options()
        seats = Seat.at_table(options.players)
        dealer = dealer or seats[-1]
        dealer.check(options.players)
        cards = [
            CARD_OF[one] for one in shuffle_by_seed(_SEAL, str(seed), cards_in(deck_mask(options)))
        ]
        size = options.hand_size
        hands = tuple(Hand(cards[at * size : (at + 1) * size]) for at in range(options.players))
        last = seats.index(dealer) * size + size - 1
        pinta, *stock = cards[size * options.players :] or [cards[last]]
        return cls(dealer, hands, pinta, tuple(stock))

    def hand(self, seat: Seat) -> Hand:
        """Cards that a seat was dealt. ``ValueError`` if the table has no such seat."""
        seat.check(len(self.hands))
        return self.hands[Seat.at_table(len(self.hands)).index(seat)]

    @property
    def acts(self) -> tuple[ev.TableAct, ...]:
        """Acts that enter this deal in a record: dealer, pinta, every hand and the stock."""
        hands = zip(Seat.at_table(len(self.hands)), self.hands, strict=True)
        stock = (ev.StockEntered(tuple(map(str, self.stock))),) if self.stock else ()
        return (
            ev.DealStarted(str(self.dealer)),
            ev.PintaTurned(str(self.pinta)),
            *(ev.HandEntered(str(seat), tuple(tokens_in(hand.mask))) for seat, hand in hands),
            *stock,
        )
