"""Evidence of whole observed deals: deductions are true, and every renuncio is found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.evidence.verdicts import Evidence
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import options_of
from tests.support.records.true_hands import are_possible, followed
from tests.support.servers.long_runs import RUNS

each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))


@each_table
@settings(max_examples=14 * RUNS, deadline=None)
@given(seed=st.integers(0, 2**32), noted=st.booleans())
def test_deduced_is_true_and_true_is_possible_at_every_line(table, seed, noted):
    seen, truth = followed(options_of(table), seed, noted=noted)
    evidence, number, all_seen = Evidence(), 0, {}
    lawful = truth.lawful | truth.pairs
    for line, deal, sights, hands in seen:
        if deal.number != number:
            evidence, number = Evidence(), deal.number
        evidence.see_all(sights)
        assert not evidence.broken, line
        assert not hands or are_possible(evidence.knowledge(), hands), line
        for at, verdict in evidence.verdicts.items():
            word = "lawful" if lawful[at] else "unlawful"
            assert verdict.answer in ("open", word), (at, line, verdict)
        all_seen |= {(number, at): verdict for at, verdict in evidence.verdicts.items()}
        if deal.is_played_out:
            plays = {at: v.answer for at, v in evidence.verdicts.items() if at in truth.lawful}
            assert "open" not in plays.values()
            assert evidence.verdicts == Evidence().see_all(deal.sights).verdicts
    assert len(all_seen) == len(lawful)
