"""Hands as they are known at random lines, by the oracle and by the program."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, hands_differ
from tests.oracle.habits import FACTS, Habits
from tests.support.records.asked import hands_asked
from tests.support.servers.long_runs import RUNS

SEEN = ("hand", "show", "void", "all", "now")
RECORDED = {
    "all draws noted": Habits(kinds=FACTS, facts=0.1, draws_noted=(1.0,), draws_seen=0.3, cut=1.0),
    "no draws noted": Habits(kinds=SEEN, facts=0.06, draws_noted=(0.0,), cantes=0.2, cut=1.0),
    "swaps": Habits(kinds=FACTS, facts=0.05, swaps=0.3, draws_noted=(1.0,), cut=1.0),
    "one gap": Habits(kinds=SEEN, facts=0.4, cantes=0.4, draws_noted=(0.3,), told_in="first"),
    "the gap of the pinta": Habits(
        kinds=SEEN, facts=0.4, cantes=0.4, draws_noted=(0.0, 0.3), told_in="last"
    ),
}
EACH = 25


@pytest.mark.parametrize("name", RECORDED)
def test_hands_are_known_alike(name):
    assert_alike(range(EACH * RUNS), RECORDED[name], hands_differ(hands_asked))
