"""Cards as values: a rank and a suit each."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import (
    CARD,
    DECKS,
    NUMERALS,
    POINTS,
    SUITS,
    TOKENS,
    Pack,
    cards_in,
    parse_card,
    print_card,
)
from referee.rules.cards import Card as CardId
from referee.rules.cards import Suit as SuitId
from referee.rules.enumeration import NamedText
from referee.rules.library.checks import check_type


class Suit(NamedText):
    """Suit of a card; ``Suit("O")`` reads its letter, ``str`` writes it.

    >>> Suit("O"), str(Suit.OROS)
    (Suit.OROS, 'O')
    """

    OROS = "O"
    COPAS = "C"
    ESPADAS = "E"
    BASTOS = "B"

    @property
    def id(self) -> SuitId:
        """Number of the suit in the masks."""
        return SUITS.index(self)


class Rank(NamedText):
    """Rank of a card, low to high as in most profiles; ``Rank("A")`` reads its sign."""

    DOS = "2"
    CUATRO = "4"
    CINCO = "5"
    SEIS = "6"
    SIETE = "7"
    OCHO = "8"
    NUEVE = "9"
    CABALLO = "C"
    SOTA = "S"
    REY = "R"
    TRES = "3"
    AS = "A"


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A card: its rank and its suit.

    >>> card = Card.parse("3O")
    >>> card == Card(Rank.TRES, Suit.OROS), str(card), card.points
    (True, '3O', 10)
    """

    rank: Rank
    suit: Suit

    def __post_init__(self) -> None:
        check_type(Rank, self.rank)
        check_type(Suit, self.suit)

    @classmethod
    def parse(cls, text: str, pack: Pack = "spanish") -> Card:
        """Card that a token names, as printed in this pack. ``ValueError`` if it names none.

        A Spanish card may have its number: 1, 10, 11 and 12 are as, sota, caballo and rey.

        >>> Card.parse("QH", "french_queen_sota"), Card.parse("12B"), Card.parse("1O")
        (Card.parse('SC'), Card.parse('RB'), Card.parse('AO'))
        """
        rank = NUMERALS.get(text[:-1]) if pack == "spanish" else None
        try:
            return CARD_OF[parse_card(rank + text[-1] if rank else text, pack)]
        except ValueError:
            example = print_card(CARD["3O"], pack)
            raise ValueError(f"{text!r} is no card: rank and suit, as in {example!r}") from None

    @classmethod
    def deck(cls, cards: int = 40) -> tuple[Card, ...]:
        """All cards of a deck of 40 or 48, suit by suit. ``ValueError`` for another number."""
        if cards not in DECKS:
            raise ValueError(f"no deck has {cards} cards: 40 or 48")
        return tuple(CARD_OF[card] for card in cards_in(DECKS[cards]))

    @property
    def id(self) -> CardId:
        """Number of the card in the masks."""
        return CARD[self.rank + self.suit]

    @property
    def points(self) -> int:
        """Tantos that the card is worth."""
        return POINTS[self.id]

    def text(self, pack: Pack = "spanish") -> str:
        """Token of the card in this pack, so that ``parse`` gives the card back."""
        return print_card(self.id, pack)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Card.parse({self.text()!r})"


CARD_OF: tuple[Card, ...] = tuple(Card(Rank(token[0]), Suit(token[1])) for token in TOKENS)
"""Card by its number in the masks."""
