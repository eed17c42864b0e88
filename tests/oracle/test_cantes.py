"""Cantes, judged by the oracle and by the program; false ones of rivals in every order."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, counts_differ, verdicts_differ
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.oracle.reading import read
from tests.oracle.verdicts import verdicts_of
from tests.support.records.asked import asked
from tests.support.servers.long_runs import PARTS, RUNS

SEEN = ("hand", "show", "void", "all", "now")
RECORDED = {
    "observed": Habits(kinds=(), cantes=0.25, hidden=0.15, draws_noted=(0.0,), changes=0.8),
    "cards shown": Habits(kinds=SEEN, cantes=0.25, hidden=0.15, draws_noted=(0.0,), facts=0.05),
}
EACH = {"observed": 150, "cards shown": 80}
batches = pytest.mark.parametrize("batch", range(RUNS))


@batches
@pytest.mark.parametrize("name", RECORDED)
def test_cantes_are_judged_alike(name, batch):
    many = EACH[name]
    seeds = range(batch * many, (batch + 1) * many)
    assert_alike(seeds, RECORDED[name], verdicts_differ(asked))


OBSERVED = Habits(
    breaches=0.0,
    kinds=(),
    draws_noted=(0.0,),
    hands_at_deal=0.0,
    cantes=0.1,
    rivals=0.4,
    rules=0.2,
    cut=1.0,
)
RIVALS = {
    "observed": OBSERVED,
    "cards shown": Habits(**{**vars(OBSERVED), "kinds": ("hand", "show", "now"), "facts": 0.03}),
    "hidden twenties": Habits(
        **{**vars(OBSERVED), "cantes": 0.3, "hidden": 0.7, "rules": 0.15, "sings_again": True}
    ),
    "whole deals": Habits(**{**vars(OBSERVED), "cut": 0.0, "rivals": 0.1, "rules": 0.04}),
}
OF_RIVALS = {"observed": 80, "cards shown": 80, "hidden twenties": 80, "whole deals": 10}
"""How many histories of each kind are in a part."""


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", RIVALS)
def test_of_false_cantes_of_rivals_verdicts_and_points_are_alike(name, part):
    """What counts, who won, and what each cante is: all three are asked of each record."""
    verdicts, counts = verdicts_differ(asked), counts_differ(asked)
    many = OF_RIVALS[name]
    seeds = range(part * many, (part + 1) * many)
    assert_alike(seeds, RIVALS[name], lambda text: verdicts(text) or counts(text))


def test_rivals_answer_and_rulings_are_given_in_these_records():
    """Check of the test above."""
    assert sum(OF_RIVALS.values()) * len(PARTS) >= 2_000
    texts = [partida(seed, OBSERVED).text for seed in range(40)]
    assert sum("resuelve" in text for text in texts) > 5
    assert sum(text.count("canta") > 1 for text in texts) > 5


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


ANNUL = 'resuelve anula-linea linea 8 "no las llevaba"\n'


@pytest.mark.parametrize("cante", ["canta A1 copas", "canta A1 copas vistas", "canta A1 ?"])
@pytest.mark.parametrize("is_late", [False, True], ids=["before the cante", "after it"])
def test_a_pair_is_sung_again_when_a_ruling_annuls_the_20_without_a_suit(cante, is_late):
    """A cante that a ruling annuls before the count has not sung its suit (section 4)."""
    first, second = TRICKS.splitlines(keepends=True)[:2], TRICKS.splitlines(keepends=True)[2:]
    lines = [*first, *second, f"{cante}\n", ANNUL] if is_late else [*first, ANNUL, *second, cante]
    text = f"{HEADER}{ONE_PAIR}{''.join(lines)}\n"
    (deal,) = read(text).deals
    line = 13 if is_late else 14
    assert verdicts_of(deal)[line] == ("lawful", 14)
    assert asked(text).verdicts[line] == ("lawful", 14)
    assert asked(text).totals == {"A": 52, "B": 0}
