"""Positions that share a key of the engine's table, and whether they share their value."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from referee.analysis.engine import Aim, Engine, write_question_on_sheet
from referee.analysis.position import KnownPosition
from referee.rules.cards import BIT, DECK_40, SUIT_OF, cards_in, mask_of
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS
from tests.support.analysis.minimax import Minimax

TWO = Options(players=2)
ANY_TRICK = replace(TWO, cante_needs_trick="any_trick", cantes_per_player=2)
KEYED = ((TWO, 0), (ANY_TRICK, 0), (TWO, 1))
"""Options, and rounds of the stock, of the positions that are compared."""
SMALL = [c for c in cards_in(DECK_40) if c < 24 and c % 12 in {0, 1, 2, 3, 7, 8, 9}]
SUBSETS = (frozenset[int](), frozenset({0}), frozenset({1}))


def relatives(r: random.Random, options: Options, rounds: int) -> Iterator[KnownPosition]:
    """A lead, and others that a search could meet beside it: each differs in one thing."""
    seats, tricks = SEATS[options.players], 3 - rounds
    cards = r.sample(SMALL, (tricks + rounds) * len(seats))
    stock = tuple(cards[: rounds * len(seats)])
    hands = [cards[rounds * len(seats) + i :: len(seats)] for i in range(len(seats))]
    first = KnownPosition(
        options, r.randrange(2), "A1", tuple(map(mask_of, hands)), stock=stock, sung=frozenset()
    )
    for leader, winners, sung in product(seats, ("", "A", "B"), SUBSETS):
        yield replace(first, leader=leader, winners=frozenset(winners), sung=sung)
    for place, card in ((p, c) for p, hand in enumerate(hands) for c in hand):
        for other in set(SMALL) - set(cards):
            if SUIT_OF[other] == SUIT_OF[card]:
                changed = list(first.hands)
                changed[place] ^= BIT[card] | BIT[other]
                yield replace(first, hands=tuple(changed))


def groups(engine: Engine, options: Options, rounds: int) -> Iterator[list[KnownPosition]]:
    """Positions with one key, where several have it; without end."""
    seed = 0
    while seed := seed + 1:
        of_key = defaultdict(set)
        for known in relatives(random.Random(f"key {seed}"), options, rounds):
            write_question_on_sheet(engine.sheet, known, "A", Aim.LEAD)
            of_key[engine.position_key()].add(known)
        yield from (list(group) for group in of_key.values() if len(group) > 1)


def values(group: list[KnownPosition]) -> set[int]:
    """What the positions are worth to A."""
    return {Minimax(known, "A", Aim.LEAD, frozenset({"A1"})).value() for known in group}
