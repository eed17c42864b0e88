"""The law of guiñote as pure functions: no I/O, no clock, no chance, no framework.

What other programs import is listed here and explained in ``docs/law/library.md``.

>>> trick = Trick.parse("B1 RC")
>>> Hand.parse("AO 2E").lawful(trick, Suit.OROS, profile("club"))
Hand.parse('AO')
"""

from __future__ import annotations

from referee.rules.articles import Rule
from referee.rules.cards import Pack
from referee.rules.counts import Score, malas_y_buenas
from referee.rules.library.counts import DealCount, count_deal
from referee.rules.library.hands import BrokenDuty, Hand
from referee.rules.library.tricks import Trick
from referee.rules.library.values import Card, Rank, Seat, Side, Suit
from referee.rules.profile.options import Options
from referee.rules.profile.profile import (
    BadProfile,
    Profile,
    UnknownProfile,
    profile,
    profiles,
)
from referee.rules.profile.values import Article

__all__ = [
    "Article",
    "BadProfile",
    "BrokenDuty",
    "Card",
    "DealCount",
    "Hand",
    "Options",
    "Pack",
    "Profile",
    "Rank",
    "Rule",
    "Score",
    "Seat",
    "Side",
    "Suit",
    "Trick",
    "UnknownProfile",
    "count_deal",
    "malas_y_buenas",
    "profile",
    "profiles",
]
