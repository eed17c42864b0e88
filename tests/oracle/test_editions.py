"""Every published edition: the cards prove the same, cantes and points follow the law of the edition."""

from __future__ import annotations

import pytest

from tests.oracle.comparing import (
    Difference,
    assert_alike,
    counts_differ,
    hands_differ,
    verdicts_differ,
    wrongly_refused,
)
from tests.oracle.habits import FACTS, Habits
from tests.oracle.law import EDITIONS
from tests.oracle.partidas import partida
from tests.oracle.reading import read
from tests.support.records.asked import asked, hands_asked
from tests.support.servers.long_runs import IS_LONG, RUNS


def told(**habits: object) -> Habits:
    """A table of one of the six profiles as published, of an edition by chance."""
    return Habits(**{"editions": True, "changes": 0.0, "cantes": 0.3, **habits})


FIRST = told(kinds=FACTS, facts=0.4, draws_noted=(0.3, 0.6), told_in="first")
HIDDEN = told(**{**vars(FIRST), "facts": 0.3, "cantes": 0.5, "hidden": 0.5})
KNOWN = told(**{**vars(FIRST), "kinds": ("all",), "hands_at_deal": 0.9, "cantes": 0.8})
LAST = told(**{**vars(FIRST), "told_in": "last"})
IN_PART = told(kinds=("part", "now"), facts=0.3, draws_noted=(0.0, 0.5), cut=1.0)
JUDGED_IN_PART = told(kinds=("part", "now"), facts=0.08, draws_noted=(0.0, 0.5))
CLAIMED = told(kinds=("part",), facts=0.03, draws_noted=(0.0,), deals=2, claims=0.04)
MISTAKEN = told(kinds=FACTS[2:], facts=0.15, lies=0.1, draws_noted=(0.0, 0.5), swaps=0.2)
COMPARED: dict[str, tuple[int, Habits, Difference]] = {
    "the first gap": (600, FIRST, verdicts_differ(asked)),
    "hidden cantes": (552, HIDDEN, verdicts_differ(asked)),
    "cantes of known hands": (352, KNOWN, verdicts_differ(asked)),
    "points of cantes": (280, HIDDEN, counts_differ(asked)),
    "hands": (128, FIRST, hands_differ(hands_asked)),
    "hands named in part": (28, IN_PART, hands_differ(hands_asked)),
    "the gap of the pinta": (32, LAST, verdicts_differ(asked)),
    "plays after hands in part": (8, JUDGED_IN_PART, verdicts_differ(asked)),
    "claims": (8, CLAIMED, counts_differ(asked)),
    "refusals": (12, MISTAKEN, wrongly_refused(asked)),
}
"""How many histories of each kind: 2,000 in all, and 25,000 where tests run longer."""


@pytest.mark.parametrize("batch", range(RUNS))
@pytest.mark.parametrize("name", COMPARED)
def test_every_edition_is_judged_alike(name, batch):
    many, habits, difference = COMPARED[name]
    each = many * 5 // 4 if IS_LONG else many
    assert_alike(range(batch * each, (batch + 1) * each), habits, difference)


def test_every_edition_is_in_the_records():
    """Check of the test above."""
    assert sum(many for many, _, _ in COMPARED.values()) == 2_000
    for _, habits, _ in COMPARED.values():
        found = {read(partida(seed, habits).text).rules.edition for seed in range(12)}
        assert found == set(EDITIONS)
