"""Draws that were noted happened where they stand; others anywhere in their gap."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, verdicts_differ
from tests.oracle.habits import Habits
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

SEEN = ("show", "void", "all", "now")
RECORDED = {
    "cantes, all draws noted": Habits(kinds=SEEN, facts=0.06, cantes=0.3, draws_noted=(1.0,)),
    "cantes, some draws noted": Habits(kinds=(), cantes=0.3, draws_noted=(0.5,)),
    "cards shown, some draws noted": Habits(kinds=SEEN, facts=0.1, draws_noted=(0.5,)),
    "some draws noted": Habits(kinds=(), draws_noted=(0.5,)),
    "whole hands of singers": Habits(
        kinds=("all", "void"), facts=0.4, cantes=0.7, draws_noted=(0.0, 0.5), told_in="first"
    ),
    "where the pinta goes": Habits(
        kinds=SEEN, facts=0.4, cantes=0.5, draws_noted=(0.3, 0.6), told_in="last"
    ),
}
EACH = 45


@pytest.mark.parametrize("name", RECORDED)
def test_acts_are_judged_alike(name):
    assert_alike(range(EACH * RUNS), RECORDED[name], verdicts_differ(asked))
