"""Evidence of random records: it never fails, and agrees with breaches the table proved."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Record
from referee.rules.articles import Rule
from referee.rules.evidence.sights import NOBODY
from referee.table.counts import assess_claim
from referee.table.verdicts import evidence_of, judge_acts
from tests.support.records.playing import crowd_of
from tests.support.servers.long_runs import RUNS

DUTIES = [Rule.FOLLOW, Rule.BEAT, Rule.TRUMP, Rule.OVERTRUMP, Rule.UNDERTRUMP]


@settings(max_examples=20 * RUNS, deadline=None)
@given(st.integers(0, 2**32))
def test_evidence_never_fails_and_holds_every_breach_that_a_card_proved(seed):
    crowd = crowd_of(seed)
    for _ in range(90):
        crowd.tries(Record(crowd.act()))
    table = crowd.table
    for deal in table.all_deals:
        evidence = evidence_of(deal)
        wrong = {at: v.charge.rule for at, v in evidence.verdicts.items() if v.charge is not None}
        for breach in deal.breaches:
            assert evidence.broken or breach.line in wrong, breach
            at_least = DUTIES.index(breach.rule)  # evidence may know of an earlier duty broken
            assert evidence.broken or DUTIES.index(wrong[breach.line]) <= at_least, breach
        assert evidence.broken >= NOBODY
        for known in evidence.knowledge():
            assert known.certain & ~known.possible == 0
            assert known.possible & ~deal.deck == 0
    rows = judge_acts(table, crowd.state.standing_acts)
    assert len({row.line for row in rows}) == len(rows)
    assess_claim(table)
