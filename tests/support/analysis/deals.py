"""Random arrastres of six tricks, as the figures are measured on."""

from __future__ import annotations

import random

from referee.analysis.engine import Aim
from referee.analysis.position import KnownPosition
from referee.rules.cards import DECKS, cards_in, mask_of
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, side_of
from tests.support.analysis.endings import Ending


def known_arrastre(
    r: random.Random, options: Options | None = None, tricks: int = 6, stock_rounds: int = 0
) -> KnownPosition:
    """A lead with so many cards in each hand, and the stock if any lasts so many rounds."""
    options = options or Options()
    seats, deck = SEATS[options.players], cards_in(DECKS[options.deck])
    r.shuffle(deck)
    hands = tuple(mask_of(deck[i * tricks : (i + 1) * tricks]) for i in range(len(seats)))
    stock = deck[len(seats) * tricks :][: stock_rounds * len(seats)]
    trump = stock[-1] // 12 if stock else r.randrange(4)
    return KnownPosition(options, trump, r.choice(seats), hands, stock=tuple(stock))


def arrastre(r: random.Random) -> Ending:
    """An arrastre of four, and the question what each card of the lead is worth."""
    known = known_arrastre(r)
    pair = frozenset(seat for seat in SEATS[4] if side_of(seat) == known.side_to_play)
    return Ending(known, known.side_to_play, Aim.LEAD, pair)
