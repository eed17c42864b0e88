"""Cantes, judged by the oracle and by the program."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, verdicts_differ
from tests.oracle.habits import Habits
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

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
