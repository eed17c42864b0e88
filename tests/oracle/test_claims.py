"""Totals, claims and winners, counted by the oracle and by the program."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, counts_differ
from tests.oracle.habits import Habits
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

RECORDED = {
    "without cantes": Habits(
        kinds=(), deals=3, claims=0.04, cut=0.2, draws_noted=(0.0,), hands_at_deal=0.1
    ),
    "with true cantes": Habits(
        kinds=(),
        deals=3,
        claims=0.04,
        cut=0.2,
        draws_noted=(0.0,),
        hands_at_deal=0.1,
        cantes=0.3,
        sings_falsely=False,
        changes=0.5,
    ),
}
EACH = {"without cantes": 60, "with true cantes": 60}
batches = pytest.mark.parametrize("batch", range(RUNS))


@batches
@pytest.mark.parametrize("name", RECORDED)
def test_points_claims_and_winners_are_alike(name, batch):
    many = EACH[name]
    seeds = range(batch * many, (batch + 1) * many)
    assert_alike(seeds, RECORDED[name], counts_differ(asked))
