"""The law as a library of its own: a partida to play forward and back, and the values of the law.

The distribution ``guinote-law`` has these names as ``guinote_law``; ``deploy/library`` builds it.

>>> partida = Partida()
>>> partida.push(Deal.random(7))
>>> partida.whose_turn, partida.pinta
(Seat.A1, Card.parse('CO'))
>>> partida.push(Card.parse("12O"))
>>> partida.trick
Trick.parse('A1 RO')
"""

from __future__ import annotations

from referee.errors import Refused
from referee.library.deals import Deal
from referee.library.partida import Outcome, Partida
from referee.rules import (
    Article,
    BadProfile,
    BrokenDuty,
    Card,
    Hand,
    Options,
    Profile,
    Rank,
    Rule,
    Seat,
    Side,
    Suit,
    Trick,
    profile,
    profiles,
)
from referee.table.state import Finding

__all__ = [
    "Article",
    "BadProfile",
    "BrokenDuty",
    "Card",
    "Deal",
    "Finding",
    "Hand",
    "Options",
    "Outcome",
    "Partida",
    "Profile",
    "Rank",
    "Refused",
    "Rule",
    "Seat",
    "Side",
    "Suit",
    "Trick",
    "profile",
    "profiles",
]
