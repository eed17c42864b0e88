"""Every possible act is stored and read back, in any order."""

from __future__ import annotations

import random
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.partida import Partida, decide, evolve, fold, follow_command_of_partida
from referee.errors import Refused
from referee.events import CanteAnnounced, CardDrawn, CardPlayed, Change, TimeCalled
from referee.log.mapper import CODEC, RecordedEvent
from referee.rules.articles import ABOUT
from referee.rules.profile.profile import profile
from referee.table.readings import table_after_acts
from tests.referee.histories.test_histories import recorded
from tests.support.records.any_record import table_acts
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.servers.long_runs import RUNS

tables = st.sampled_from(TABLES)


def options_of(table):
    name, players, deck = table
    return profile(name).options(players, deck)


def tried(state: Partida, command: PartidaCommand) -> Partida:
    """The state after a command; what is refused is impossible, and changes nothing."""
    before = state
    try:
        events = decide(command, state).events
    except Refused as refused:
        assert ABOUT[refused.rule].kind == "impossible", refused
        assert state == before
        return state
    for event in events:
        stored = RecordedEvent(UUID(int=1), 1, 1, "2026", "b", "d", "s", event)
        name, body = CODEC.encode_with_name(stored)
        assert CODEC.decode_row(UUID(int=1), 1, name, body) == stored
        state = evolve(state, event)
    assert state.table == table_after_acts(state.table_at_start, state.standing_acts)
    assert sorted(map(repr, state.stated)) == sorted(map(repr, state.table.conclusions))
    return state


@settings(max_examples=50 * RUNS)
@given(tables, st.integers(0, 2**32), st.data())
def test_the_acts_of_a_partida_in_any_order_are_recorded_or_refused(table, seed, data):
    options, chance = options_of(table), random.Random(seed)
    acts = Player(options, seed, observed=bool(seed % 2)).partida()[:70]
    head = data.draw(st.integers(0, 6))
    rest = acts[head:]
    chance.shuffle(rest)
    state = fold([opened(options)])
    for act in [*acts[:head], *rest]:
        state = tried(state, Record(act))


@settings(max_examples=67 * RUNS)
@given(tables, st.integers(0, 2**32), st.data())
def test_any_acts_among_those_of_a_partida_are_recorded_or_refused(table, seed, data):
    options = options_of(table)
    acts = Player(options, seed, observed=bool(seed % 2)).partida()
    wild = data.draw(st.lists(st.tuples(st.integers(0, len(acts)), table_acts), max_size=12))
    state = fold([opened(options)])
    for place, act in enumerate(acts[:60]):
        for at, other in wild:
            if at == place:
                state = tried(state, Record(other))
        state = tried(state, Record(act))


@settings(max_examples=27 * RUNS)
@given(tables, st.integers(0, 2**32), st.data())
def test_corrections_of_any_lines_are_recorded_or_refused(table, seed, data):
    options = options_of(table)
    acts = Player(options, seed).partida()[:45]
    state = fold([opened(options)])
    for act in acts:
        state = tried(state, Record(act))
    lines = st.integers(0, state.version + 3)
    one = st.one_of(
        st.builds(Change, lines, st.just("withdraw"), st.none()),
        st.builds(Change, lines, st.sampled_from(["replace", "insert"]), table_acts),
    )
    commands = st.one_of(st.builds(Amend, st.lists(one, max_size=3).map(tuple)), st.just(Undo()))
    for command in data.draw(st.lists(commands, max_size=6)):
        state = tried(state, command)


def mistaken(act, chance: random.Random):
    """The act with a random recording error."""
    match act:
        case CardPlayed(seat, card):
            others = [s for s in ("A1", "B1", "A2", "B2") if s != seat]
            return CardPlayed(chance.choice(others), card)
        case CardDrawn(seat, _):
            return CardDrawn(seat)
        case CanteAnnounced(seat, _):
            return CanteAnnounced(seat, "", shown=False)
        case _:
            return None


def without_lines(state: Partida):
    """A partida with lines replaced by their place among the standing acts."""
    table = state.table
    place = {entry.line: at for at, entry in enumerate(state.standing_acts)}
    findings = [(place[f.line], place[f.known_at], f.rule, f.seat, f.facts) for f in table.findings]
    items = [
        (c.deal, c.totals, [(i.side, i.reason, i.points, place[i.line]) for i in c.items])
        for c in table.conclusions
        if hasattr(c, "items")
    ]
    others = [c for c in table.conclusions if not hasattr(c, "items")]
    tricks = [[(t.taker, t.points) for t in d.tricks] for d in table.all_deals]
    return (
        [e.act for e in state.standing_acts],
        findings,
        items,
        others,
        tricks,
        follow_command_of_partida(state),
    )


@pytest.mark.parametrize("kind", ["replace", "insert", "withdraw"])
@settings(max_examples=13 * RUNS)
@given(seed=st.integers(0, 2**32))
def test_an_amended_log_equals_the_log_recorded_correctly(kind, seed):
    options, chance = options_of(("club", 4, 40)), random.Random(seed)
    acts = Player(options, seed).partida()
    at = chance.randrange(8, len(acts) - 1)
    wrong = list(acts)
    if kind == "replace":
        wrong[at] = mistaken(acts[at], chance)
        assume(wrong[at] is not None)
        change = Change(at + 1, "replace", acts[at])
    elif kind == "insert":
        wrong.pop(at)
        change = Change(at + 1, "insert", acts[at])
    else:
        wrong.insert(at, TimeCalled())
        change = Change(at + 1, "withdraw")
    right = recorded(acts, options)
    try:
        amended = recorded(wrong, options)
    except Refused:
        assume(False)
    amended = tried(amended, Amend((change,), "t1"))
    assert amended.version == len(wrong) + 1
    assert without_lines(amended) == without_lines(right)
    if kind == "replace":
        assert amended.table == right.table
        assert sorted(map(repr, amended.stated)) == sorted(map(repr, right.stated))
    undone = tried(amended, Undo())
    assert [e.act for e in undone.standing_acts] == wrong
