"""Two renuncios in a partida, denounced and confirmed in every order, under both values of ``renuncio_costs``."""

from __future__ import annotations

import pytest

from tests.oracle.accused import accused
from tests.oracle.comparing import assert_alike, renuncios_differ
from tests.oracle.habits import Habits
from tests.oracle.reading import read
from tests.oracle.renuncios import Accusations
from tests.support.records.asked import asked
from tests.support.servers.long_runs import PARTS

PLAYED_ON = Habits(
    breaches=0.5,
    kinds=("show", "now", "hand"),
    facts=0.05,
    draws_noted=(0.0,),
    draws_seen=0.0,
    hands_at_deal=0.05,
    accuses=0.1,
    cut=0.9,
)
KINDS = {
    "denounced while play goes on": PLAYED_ON,
    "spoken of when play is over": Habits(**{**vars(PLAYED_ON), "accuses": 0.01}),
    "hands and voids shown": Habits(
        **{**vars(PLAYED_ON), "kinds": ("show", "void", "all"), "accuses": 0.02}
    ),
    "after a stock": Habits(**{**vars(PLAYED_ON), "stock": 1.0, "accuses": 0.03}),
}
EACH = {
    "denounced while play goes on": 80,
    "spoken of when play is over": 80,
    "hands and voids shown": 80,
    "after a stock": 10,
}
"""How many histories of each kind are in a part."""


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", KINDS)
def test_whose_act_loses_and_what_the_arbiter_is_asked_are_alike(name, part):
    many = EACH[name]
    seeds = range(part * many, (part + 1) * many)
    assert_alike(seeds, KINDS[name], renuncios_differ(asked), accused)


def test_two_proved_renuncios_and_both_values_are_in_the_records():
    """Check of the test above."""
    assert sum(EACH.values()) * len(PARTS) >= 2_000
    records = [read(accused(seed, PLAYED_ON).text) for seed in range(40)]
    said = [Accusations(record) for record in records]
    costs = {one.rules.renuncio_costs for one in said if one.lost_by()}
    assert costs == {"when_denounced", "when_proved"}
    assert sum(len({one.act.line for _, one in found.costly()}) > 1 for found in said) > 3
    assert sum(bool(one.asked()) for one in said) > 3
