"""Cards as values: a rank and a suit each."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.articles import NamedText
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
from referee.rules.seats import SEATS, side_of


class Side(NamedText):
    """A pair of partners, or a player alone."""

    A = "A"
    B = "B"
    C = "C"


class Seat(NamedText):
    """A place at the table. In order of play: A1 B1 A2 B2; of three A1 B1 C1; of two A1 B1.

    >>> Seat("A1").side, Seat.A1.partner(), Seat.A1.next()
    (Side.A, Seat.A2, Seat.B1)
    """

    A1 = "A1"
    B1 = "B1"
    A2 = "A2"
    B2 = "B2"
    C1 = "C1"

    @classmethod
    def at_table(cls, players: int = 4) -> tuple[Seat, ...]:
        """Seats of a table in order of play. ``ValueError`` unless 2, 3 or 4 play."""
        if players not in _TABLES:
            raise ValueError(f"guiñote is played by 2, 3 or 4, not by {players}")
        return _TABLES[players]

    @property
    def side(self) -> Side:
        """Side that the seat plays for."""
        return Side(side_of(self))

    def next(self, players: int = 4) -> Seat:
        """Seat that plays after this one. ``ValueError`` if the table has no such seat."""
        return self._seats_from_here(players)[1]

    def partner(self, players: int = 4) -> Seat | None:
        """Other seat of the same side; None for a player alone."""
        order = self._seats_from_here(players)
        return next((seat for seat in order[1:] if seat.side == self.side), None)

    def check(self, players: int) -> None:
        """``ValueError`` if a table of so many players has no such seat."""
        if self not in (seats := self.at_table(players)):
            raise ValueError(f"{self} is no seat of a table of {players}: {' '.join(seats)}")

    def _seats_from_here(self, players: int) -> tuple[Seat, ...]:
        """All seats of the table in order of play, from this one."""
        self.check(players)
        start = _TABLES[players].index(self)
        return _TABLES[players][start:] + _TABLES[players][:start]


_TABLES = {players: tuple(map(Seat, seats)) for players, seats in SEATS.items()}


EXAMPLES = {
    "Card": 'Card.parse("AO")',
    "Hand": 'Hand.parse("AO 3O")',
    "Rank": 'Rank.AS or Rank("A")',
    "Profile": 'profile("club")',
    "Seat": "Seat.A1",
    "Side": "Side.A",
    "Suit": 'Suit.OROS or Suit("O")',
    "Trick": 'Trick.parse("A1 AO, B1 3O")',
}


def check_type(wanted: type, *values: object) -> None:
    """``TypeError`` with an example if one of the values is not of this type.

    >>> from referee.rules import Suit
    >>> check_type(Suit, "O")
    Traceback (most recent call last):
    TypeError: 'O' is no Suit, as Suit.OROS or Suit("O") is
    """
    for value in values:
        if not isinstance(value, wanted):
            raise TypeError(f"{value!r} is no {wanted.__name__}, as {EXAMPLES[wanted.__name__]} is")


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
