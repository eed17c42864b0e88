"""Types of arguments: a wrong one is answered with an example of the right one."""

from __future__ import annotations

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
