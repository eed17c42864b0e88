"""Swaps, and what they tell of the hands, judged by the oracle and by the program."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, verdicts_differ
from tests.oracle.habits import Habits
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

SEEN = ("hand", "show", "void", "all", "now")
RECORDED = {
    "observed": Habits(kinds=(), swaps=0.3, changes=0.6, draws_noted=(0.0, 1.0)),
    "cards shown": Habits(
        kinds=SEEN, swaps=0.3, changes=0.6, draws_noted=(0.0,), facts=0.05, hands_at_deal=0.1
    ),
    "cantes": Habits(kinds=(), swaps=0.3, cantes=0.3, changes=0.6, draws_noted=(0.0,)),
}
EACH = {"observed": 50, "cards shown": 30, "cantes": 40}
batches = pytest.mark.parametrize("batch", range(RUNS))


@batches
@pytest.mark.parametrize("name", RECORDED)
def test_swaps_are_judged_alike(name, batch):
    many = EACH[name]
    seeds = range(batch * many, (batch + 1) * many)
    assert_alike(seeds, RECORDED[name], verdicts_differ(asked))
