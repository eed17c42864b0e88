"""A proof holds with the lines up to the one since which it is known, and no other."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida
from referee.rules.articles import ABOUT, Rule
from referee.rules.evidence.sights import Reordered
from referee.table.readings import table_after_act
from referee.table.state import Line
from referee.table.verdicts import Judged, judge_acts
from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.support.records.asked import played_text
from tests.support.records.dealt_out import TABLES
from tests.support.records.dirty_deals import dirty_deals
from tests.support.records.playing import crowd_of, options_of
from tests.support.servers.long_runs import RUNS

SEEN = ("hand", "show", "void", "all", "now")
OF_THE_ORACLE = {
    "observed": Habits(kinds=(), hands_at_deal=0.0, draws_noted=(0.0, 1.0), changes=0.8),
    "cards shown": Habits(kinds=SEEN, draws_noted=(0.0, 1.0)),
    "cantes": Habits(kinds=SEEN, cantes=0.25, hidden=0.15, asks=0.3, facts=0.05),
    "draws out of order": Habits(early=0.5, wrong=0.1, cantes=0.1),
}


def verdicts_at(state: Partida, lines: set[Line]) -> dict[Line, dict[Line, Judged]]:
    """Verdicts by the acts up to each of these lines, in order of play."""
    table, found = state.table_at_start, {}
    for at, entry in enumerate(state.standing_acts, 1):
        table = table_after_act(table, entry.line, entry.act)
        if entry.line in lines:
            rows = judge_acts(table, state.standing_acts[:at], with_slips=False)
            found[entry.line] = {row.line: row for row in rows}
    return found


def read_otherwise(state: Partida) -> dict[Line, Line]:
    """The last line of each deal that showed draws to have been in another order, by its acts."""
    found = {}
    for deal in state.table.all_deals:
        at = [sight.line for sight in deal.sights if isinstance(sight, Reordered)]
        found |= {sight.line: at[-1] for sight in deal.sights if at}
    return found


def is_beside_a_duty(rule: Rule, before: Rule) -> bool:
    """Whether a duty seemed to be broken by an act that broke another rule."""
    return (ABOUT[before].kind, ABOUT[rule].kind) == ("duty", "finding")


def assert_proofs_hold(states: Iterable[Partida]) -> int:
    """Assert it of every act that is unlawful, or proved to be lawful; how many there were.

    Which of the duties was broken may be shown later, and holds from that line on.
    """
    many = 0
    for state in states:
        place = {entry.line: at for at, entry in enumerate(state.standing_acts)}
        rows = judge_acts(state.table, state.standing_acts, with_slips=False)
        proved = [row for row in rows if row.answer != "open" and row.proof]
        later = {row.later.line for row in proved if row.later}
        then = verdicts_at(state, later | {row.since for row in proved})
        reordered = read_otherwise(state)
        many += len(proved)
        for row in proved:
            before = then[row.since][row.line]
            assert (before.answer, before.since, before.seat) == (row.answer, row.since, row.seat)
            assert all(place[line] <= place[row.since] for line in row.proof), row
            if place[reordered.get(row.line, row.line)] > place[row.since]:
                continue  # by then the draws seemed to have been in another order
            if row.rule and before.rule and is_beside_a_duty(row.rule, before.rule):
                continue  # by then a hand seemed to have another number of cards
            if row.later is None:
                assert before == row
            else:
                assert place[row.later.line] > place[row.since], row
                assert (before.proof, before.cards) == (row.proof, row.cards)
                assert before.by_count == row.by_count
                assert then[row.later.line][row.line] == row
    return many


@pytest.mark.parametrize("name", OF_THE_ORACLE)
def test_proofs_in_partidas_of_the_oracle_cite_no_later_line(name):
    seeds = range(40 * RUNS)
    states = (played_text(partida(seed, OF_THE_ORACLE[name]).text) for seed in seeds)
    assert assert_proofs_hold(states) > 40


@settings(max_examples=10 * RUNS, deadline=None)
@given(st.integers(0, 2**32))
def test_proofs_in_random_acts_cite_no_later_line(seed):
    crowd = crowd_of(seed)
    for _ in range(90):
        crowd.tries(Record(crowd.act()))
    assert_proofs_hold([crowd.state])


@settings(max_examples=10 * RUNS, deadline=None)
@given(st.integers(0, 2**32))
def test_proofs_in_deals_with_slips_cite_no_later_line(seed):
    assert_proofs_hold([dirty_deals(options_of(TABLES[seed % len(TABLES)]), seed, 1)])
