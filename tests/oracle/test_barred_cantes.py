"""A cante out of its conditions is unlawful at its own line, and counts nothing."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, counts_differ, verdicts_differ
from tests.oracle.habits import Habits
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

SEEN = ("hand", "show", "void", "all", "now")
RECORDED = {
    "observed": Habits(kinds=(), cantes=0.3, hidden=0.15, draws_noted=(0.0,), changes=0.5),
    "cards shown": Habits(kinds=SEEN, cantes=0.3, draws_noted=(0.0,), facts=0.05),
    "swaps": Habits(kinds=(), cantes=0.3, swaps=0.3, draws_noted=(0.0,), changes=0.6),
    "sung again": Habits(kinds=(), cantes=0.4, draws_noted=(0.0,), sings_again=True, changes=0.5),
}
EACH = {"observed": 50, "cards shown": 25, "swaps": 25, "sung again": 50}
COUNTED = {
    "observed": Habits(
        kinds=(), deals=3, claims=0.04, cut=0.2, cantes=0.3, draws_noted=(0.0,), hands_at_deal=0.1
    ),
    "cards shown": Habits(
        kinds=SEEN, facts=0.03, deals=3, claims=0.04, cut=0.2, cantes=0.3, draws_noted=(0.0,)
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_cantes_are_judged_alike(name):
    assert_alike(range(EACH[name] * RUNS), RECORDED[name], verdicts_differ(asked))


@pytest.mark.parametrize("name", COUNTED)
def test_points_claims_and_winners_are_alike(name):
    assert_alike(range(20 * RUNS), COUNTED[name], counts_differ(asked))
