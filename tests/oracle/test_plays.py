"""Cards laid, judged by the oracle and by the program."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.oracle.comparing import assert_alike, verdicts_differ
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.oracle.reading import read
from tests.oracle.verdicts import verdicts_listed, verdicts_of
from tests.oracle.worlds import worlds_of
from tests.support.records.asked import asked
from tests.support.servers.long_runs import RUNS

SEEN = ("hand", "show", "void", "all", "now")
RECORDED = {
    "observed": Habits(kinds=(), hands_at_deal=0.0, draws_noted=(0.0, 1.0), changes=0.8),
    "draws partly noted": Habits(kinds=()),
    "cards shown": Habits(kinds=SEEN, draws_noted=(0.0, 1.0)),
    "draws seen": Habits(kinds=SEEN, facts=0.03, draws_noted=(1.0,), draws_seen=0.6),
}
EACH = {"observed": 180, "draws partly noted": 150, "cards shown": 110, "draws seen": 110}
batches = pytest.mark.parametrize("batch", range(RUNS))


@batches
@pytest.mark.parametrize("name", RECORDED)
def test_plays_are_judged_alike(name, batch):
    many = EACH[name]
    seeds = range(batch * many, (batch + 1) * many)
    assert_alike(seeds, RECORDED[name], verdicts_differ(asked))


MOST_WORLDS = 2000
SMALL = Habits(
    draws_noted=(1.0,), draws_seen=1.0, cantes=0.2, facts=0.02, cut=0.0, hands_at_deal=0.3
)


@batches
def test_matching_says_what_all_worlds_say_one_by_one(batch):
    """Endings of few unseen cards: every world is listed, and its whole hands are judged."""
    listed = 0
    for seed in range(batch * 120, (batch + 1) * 120):
        written = partida(seed, SMALL)
        written.lines = written.lines[: len(written.lines) - seed % 10]
        (deal,) = read(written.text).deals
        worlds = worlds_of(deal)
        many = sum(1 for one in worlds for _ in islice(one.listed(), MOST_WORLDS))
        if many < MOST_WORLDS:
            listed += 1
            answers = {line: answer for line, (answer, _) in verdicts_of(deal).items()}
            assert answers == verdicts_listed(deal), written.text
    assert listed > 40
