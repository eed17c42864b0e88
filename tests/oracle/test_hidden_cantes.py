"""A 20 without a suit was one of the pairs held then: its suit is not sung again."""

from __future__ import annotations

import pytest

from tests.oracle.reading import read
from tests.oracle.verdicts import verdicts_of
from tests.support.records.asked import asked

HEADER = """[Guinote "1"]
[Profile "propio"]
[Base "sin-mazo"]
[Players "4"]
[Deck "40"]
[Option cante_20_shown "not_in_arrastre"]

partida 1
reparto B2
pinta 2O
"""
TRICKS = "A1 AO  B1 2C  A2 4C  B2 5C\ncanta A1 ?\nA1 3O  B1 6C  A2 7C  B2 AC\n"
ONE_PAIR = "cartas A1 RC SC AO 3O AE AB 4O 5O 6O 7O\n"
TWO_PAIRS = "cartas A1 RC SC AO 3O RE SE 4O 5O 6O 7O\n"
CASES = [
    (ONE_PAIR, "canta A1 copas", ("unlawful", 13)),
    (ONE_PAIR, "canta A1 ?", ("unlawful", 13)),
    (ONE_PAIR, "canta A1 espadas", ("unlawful", 13)),
    (TWO_PAIRS, "canta A1 copas", ("open", 0)),
    (TWO_PAIRS, "canta A1 ?", ("lawful", 13)),
]


@pytest.mark.parametrize("hand, cante, verdict", CASES)
def test_one_pair_is_not_sung_twice(hand, cante, verdict):
    text = f"{HEADER}{hand}{TRICKS}{cante}\n"
    (deal,) = read(text).deals
    assert verdicts_of(deal)[13] == verdict
    assert asked(text).verdicts[13] == verdict
