"""False cantes of rivals: proved false before or after, shown, annulled, in every order."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, counts_differ, verdicts_differ
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

SHOWN = ("hand", "show", "now")
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
    "cards shown": Habits(**{**vars(OBSERVED), "kinds": SHOWN, "facts": 0.03}),
    "hidden twenties": Habits(
        **{**vars(OBSERVED), "cantes": 0.3, "hidden": 0.7, "rules": 0.15, "sings_again": True}
    ),
    "whole deals": Habits(**{**vars(OBSERVED), "cut": 0.0, "rivals": 0.1, "rules": 0.04}),
}
EACH = 40


@pytest.mark.parametrize("name", RIVALS)
def test_of_false_cantes_of_rivals_verdicts_and_points_are_alike(name):
    """What counts, who won, and what each cante is: all three are asked of each record."""
    for difference in (verdicts_differ(asked), counts_differ(asked)):
        assert_alike(range(EACH * RUNS), RIVALS[name], difference)


def test_rivals_answer_and_rulings_are_given_in_these_records():
    """Check of the test above."""
    texts = [partida(seed, OBSERVED).text for seed in range(40)]
    assert sum("resuelve" in text for text in texts) > 5
    assert sum(text.count("canta") > 1 for text in texts) > 5
