"""Tricks: which card wins so far, and which cards would win instead."""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.articles import Rule, decides
from referee.rules.cards import ABOVE, BIT, CARDS, SUIT_MASK, SUIT_OF, SUITS, Card, Mask, Suit


def _beats(above: Sequence[Mask], trump: Suit) -> tuple[Mask, ...]:
    """For each card, all that beat it while it wins: its betters, and every trump if it is none."""
    return tuple(
        above[card] | (0 if SUIT_OF[card] == trump else SUIT_MASK[trump]) for card in CARDS
    )


BEATS: dict[str, tuple[tuple[Mask, ...], ...]] = {
    order: tuple(_beats(above, trump) for trump in range(len(SUITS)))
    for order, above in ABOVE.items()
}
"""``BEATS[options.sota_caballo][trump][card]``: the cards that beat ``card`` while it wins."""


@decides(Rule.TRICK_TAKER)
def best_index(cards: Sequence[Card], trump: Suit, order: str) -> int:
    """Place in the trick of the card that wins: highest trump, else highest of the suit led.

    ``cards`` are in the order in which they were laid, at least one. Rule: common ground of all
    rulebooks; rank by the option ``sota_caballo``.

    >>> from referee.rules.cards import BASTOS, CARD, OROS
    >>> cards = [CARD["3O"], CARD["AE"], CARD["AO"], CARD["2B"]]
    >>> best_index(cards, OROS, "sota_over_caballo"), best_index(cards, BASTOS, "sota_over_caballo")
    (2, 3)
    """
    beats = BEATS[order][trump]
    best = 0
    for index in range(1, len(cards)):
        if beats[cards[best]] & BIT[cards[index]]:
            best = index
    return best
