"""What a seat can announce by its hand: cantes, a tute, and the swap of the pinta."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.rules.cards import ABOVE, BIT
from referee.rules.library.cards import CARD_OF, Card, Rank, Suit
from referee.rules.library.hands import Hand
from referee.rules.library.seats import Seat
from referee.rules.profile.deck import swap_card, two_for_seven
from referee.rules.profile.options import Options
from referee.table.state import Deal

_TUTES: Final = ((Rank.REY, "reyes"), (Rank.SOTA, "sotas"))


def announcements_of(deal: Deal, options: Options, seat: Seat, hand: Hand) -> Iterator[str]:
    """Announcements that the cards of a hand allow, whether it is the moment for them or not.

    Each is written as in a record.
    """
    for suit in hand.cantes:
        yield f"canta {seat} {suit.name.lower()}"
    for rank, word in _TUTES:
        if options.tute and sum(card.rank is rank for card in hand) == len(Suit):
            yield f"tute {seat} {word}"
    for card in _swaps(deal, options):
        if card in hand:
            is_usual = card.id == swap_card(options, deal.trump)
            yield f"cambia {seat}" if is_usual else f"cambia {seat} {card}"


def _swaps(deal: Deal, options: Options) -> Iterator[Card]:
    """Cards that may take the pinta, if that is a higher one."""
    pair = two_for_seven(options, deal.trump)
    dos = pair[0] if pair and deal.pinta == pair[1] else None
    for card in (swap_card(options, deal.trump), dos):
        if card is not None and ABOVE[options.sota_caballo][card] & BIT[deal.pinta]:
            yield CARD_OF[card]
