"""Hands entered in part: the named cards are held, and naming fewer proves nothing."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, counts_differ, verdicts_differ
from tests.oracle.habits import FACTS, Habits
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

RECORDED = {
    "named in part": Habits(kinds=("part",), facts=0.1, draws_noted=(0.0, 1.0), hands_at_deal=0.1),
    "cards shown": Habits(kinds=FACTS, facts=0.08, draws_noted=(0.0, 1.0), hands_at_deal=0.1),
    "cantes": Habits(kinds=("part", "now"), facts=0.08, draws_noted=(0.0,), cantes=0.3),
    "swaps": Habits(kinds=("part", "now"), facts=0.08, draws_noted=(0.0,), swaps=0.3, changes=0.6),
}
EACH = {"named in part": 60, "cards shown": 35, "cantes": 25, "swaps": 25}
COUNTED = Habits(
    kinds=("part",), facts=0.05, deals=3, claims=0.04, cut=0.2, draws_noted=(0.0,), cantes=0.3
)


@pytest.mark.parametrize("name", RECORDED)
def test_acts_are_judged_alike(name):
    assert_alike(range(EACH[name] * RUNS), RECORDED[name], verdicts_differ(asked))


def test_points_claims_and_winners_are_alike():
    assert_alike(range(20 * RUNS), COUNTED, counts_differ(asked))
