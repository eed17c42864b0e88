"""Refused is only what cannot be true in any way: records in which some cards are mistaken."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import assert_alike, wrongly_refused
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

RECORDED = {
    "cards drawn": Habits(
        kinds=("hand", "now", "show"),
        facts=0.1,
        lies=0.2,
        draws_noted=(0.0, 1.0),
        draws_seen=0.5,
        cut=0.0,
    ),
    "cards shown": Habits(
        kinds=("now", "show", "void", "all"),
        facts=0.15,
        lies=0.1,
        draws_noted=(0.0,),
        cantes=0.2,
        swaps=0.2,
        cut=0.0,
    ),
}
EACH = 75


@pytest.mark.parametrize("batch", range(RUNS))
@pytest.mark.parametrize("name", RECORDED)
def test_what_can_be_true_is_not_refused(name, batch):
    seeds = range(batch * EACH, (batch + 1) * EACH)
    assert_alike(seeds, RECORDED[name], wrongly_refused(asked))
    assert any(asked(partida(seed, RECORDED[name]).text).refused for seed in seeds)
