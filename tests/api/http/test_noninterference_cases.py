"""A case about a running partida does not change the public answers."""

from __future__ import annotations

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from projections.board import projection as board
from projections.views import view_as
from referee.aggregates.commands import Record
from referee.events import TableAct
from tests.api.http.test_noninterference import TABLES, Screen, one_deal, running_deal, seen
from tests.support.records.case_text import (
    appealed,
    closed,
    opened,
    ruled,
    ruling,
    settled,
    witness,
)
from tests.support.records.playing import options_of
from tests.support.servers.long_runs import RUNS
from tests.support.servers.one_log import ENCUENTRO, META

HIDDEN = ("none", "warning", "points")


def quarrelled(folder, table, acts: list[TableAct], over: list[TableAct], chance) -> list[bytes]:
    """What the public saw of a deal while a case went from its opening to its end."""
    screen = Screen(folder, *table)
    screen.do(*map(Record, over))
    effect, other = (chance.choice(HIDDEN) for _ in range(2))
    steps = [
        witness(text="t"),
        ruled(effect=effect, side="A", points=chance.randint(-9, 9)),
        appealed("B"),
        settled(word=ruling(other, side="B", points=3)),
        closed(),
    ]
    places = sorted(chance.sample(range(2, len(acts)), len(steps) + 1))
    for place, act in enumerate(acts):
        if place == places[0]:
            case = opened("A", lines=(1,), suspends=chance.random() < 0.5)
            screen.referee.cases.open(ENCUENTRO, case, META)
            screen.look()
        elif place in places:
            step = steps[places.index(place) - 1]
            screen.referee.cases.record(ENCUENTRO, 1, step, META)
            screen.look()
        screen.do(Record(act))
    screen.close()
    return screen.answers


@settings(max_examples=6 * RUNS)
@given(st.integers(0, 2**32))
def test_a_case_while_the_partida_runs_shows_nothing(tmp_path_factory, seed):
    folder, chance = tmp_path_factory.mktemp("case"), random.Random(seed)
    table = TABLES[seed % len(TABLES)]
    over, running = running_deal(options_of(table), seed)
    assume(len(running) > 8)  # a place for each step of the case
    plain = seen(folder / "plain", table, [Record(act) for act in running], over)
    assert quarrelled(folder / "case", table, running, over, chance) == plain


class LeakingEncuentro(board.PublicEncuentroData, frozen=True, kw_only=True):
    """The public view of an encuentro with the number of its cases."""

    cases: int


class LeakingTable(board.PublicTableData, frozen=True, kw_only=True):
    """The same with its partida."""

    cases: int


def test_a_view_that_tells_of_cases_is_caught(tmp_path, monkeypatch):
    """Check of the test above: a view that shows cases makes it fail."""
    table = ("club", 4, 40)
    acts = one_deal(options_of(table), 5)[:-1]
    honest = board.public_encuentro

    def leaking(encuentro, state):
        return view_as(LeakingEncuentro, honest(encuentro, state), cases=len(state.result.cases))

    monkeypatch.setattr(board, "public_encuentro", leaking)
    monkeypatch.setattr(board, "PublicEncuentroData", LeakingEncuentro)
    monkeypatch.setattr(board, "PublicTableData", LeakingTable)
    plain = seen(tmp_path / "plain", table, [Record(act) for act in acts])
    assert quarrelled(tmp_path / "case", table, acts, [], random.Random(1)) != plain
