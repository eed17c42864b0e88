"""One renuncio in an otherwise lawful deal: the broken duty, and its cost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.aggregates.commands import Record
from referee.aggregates.partida import Partida, decide, fold, follow_command_of_partida
from referee.events import DealStarted, RenuncioDenounced, TableAct
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.table.state import Finding
from tests.support.records.dealt_out import TABLES, Player, opened
from tests.support.records.playing import options_of
from tests.support.records.table_text import NO_STOCK, dealt, plays
from tests.support.records.table_text import given as table_where
from tests.support.servers.wording import duty_broken

ANYWHERE = st.integers(0, 2**32)
DUTIES = {Rule.FOLLOW, Rule.BEAT, Rule.TRUMP, Rule.OVERTRUMP, Rule.UNDERTRUMP}
TRUMPING = {Rule.TRUMP, Rule.OVERTRUMP, Rule.UNDERTRUMP}
"""Of two trumps that were kept, the one that proves less may be seen first."""
CASES = {Rule.FOLLOW: "follow", Rule.BEAT: "beat"}
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: "-".join(map(str, table)))
each_record = pytest.mark.parametrize("observed", [False, True], ids=["open", "observed"])


class Breaker(Player):
    """Plays one deal, lawful but for one card; ``broken`` is the duty against which it was."""

    broken: Rule | None = None

    def _chosen(self, hand, plays, seat, trump, *, free):
        held = list(hand)
        card = super()._chosen(hand, plays, seat, trump, free=free)
        if plays and not free:
            found = duty_broken(plays, seat, card, held, (trump, self.options))
            is_planted = self.planted == (len(self.acts) + 1, seat)
            assert (found is not None) == is_planted, "the account agrees with the duties"
            self.broken = found or self.broken
        return card


def broken_deal(options: Options, seed: int, *, observed: bool) -> Breaker:
    player = Breaker(options, seed, observed=observed)
    player.breaches_left = 1
    player.deal(player.chance.choice(player.seats))
    assume(player.planted)
    return player


def recorded(options: Options, acts: list[TableAct]) -> Partida:
    state = fold([opened(options)])
    for act in acts:
        state = decide(Record(act), state).state
    return state


def duties_found(state: Partida) -> list[Finding]:
    return [found for found in state.table.findings if found.rule in DUTIES]


@each_table
@settings(max_examples=12)
@given(ANYWHERE)
def test_in_an_open_record_the_duty_is_named_at_the_line_of_the_card(table, seed):
    options = options_of(table)
    player = broken_deal(options, seed, observed=False)
    line, seat = player.planted
    state = recorded(options, player.acts[: line - 1])
    assert duties_found(state) == []
    (found,) = duties_found(recorded(options, player.acts[:line]))
    assert (found.line, found.known_at, found.seat) == (line, line, seat)
    assert found.rule is player.broken


@each_table
@settings(max_examples=12)
@given(ANYWHERE)
def test_in_an_observed_record_the_first_card_that_proves_it_does(table, seed):
    options = options_of(table)
    player = broken_deal(options, seed, observed=True)
    line, seat = player.planted
    (found,) = duties_found(recorded(options, player.acts))
    assert (found.line, found.seat) == (line, seat)
    assert found.known_at >= line
    before = recorded(options, player.acts[: found.known_at - 1])
    assert duties_found(before) == []
    assert found.rule is player.broken or {found.rule, player.broken} <= TRUMPING


@each_table
@each_record
@settings(max_examples=5)
@given(ANYWHERE)
def test_denounced_in_time_it_loses_the_partida_and_later_it_does_not(table, observed, seed):
    options = options_of(table)
    player = broken_deal(options, seed, observed=observed)
    _, seat = player.planted
    accuser = next(other for other in player.seats if other[0] != seat[0])
    said = RenuncioDenounced(accuser, seat)
    state = recorded(options, player.acts)
    in_time = decide(Record(said), state).state
    assert CASES.get(player.broken, "trump") in options.renuncio_cases
    assert (
        follow_command_of_partida(in_time).how,
        follow_command_of_partida(in_time).winner == seat[0],
    ) == (
        "renuncio",
        False,
    )
    if follow_command_of_partida(state).how == "undecided":
        late = recorded(options, [*player.acts, DealStarted(player.account.takers[0][-1]), said])
        assert follow_command_of_partida(late).how == "undecided"
        assert Rule.DENOUNCED_LATE in {found.rule for found in late.table.findings}


@each_table
@each_record
@settings(max_examples=5)
@given(ANYWHERE)
def test_an_accusation_that_nothing_supports_wins_nothing(table, observed, seed):
    options = options_of(table)
    player = broken_deal(options, seed, observed=observed)
    _, guilty = player.planted
    seat = next(other for other in player.seats if other != guilty)
    accuser = next(other for other in player.seats if other[0] != seat[0])
    state = recorded(options, player.acts)
    after = decide(Record(RenuncioDenounced(accuser, seat)), state).state
    assert follow_command_of_partida(after) == follow_command_of_partida(state)
    assert Rule.ACCUSATION_UNFOUNDED in {found.rule for found in after.table.findings}


def test_a_card_of_the_suit_led_seen_after_a_trump_names_the_earlier_duty():
    """Which it is matters where only one of them is a renuncio at the table."""
    options = replace(NO_STOCK, renuncio_cases=("follow", "beat"))
    scene = table_where(options, dealt(), plays("A1 AC, B1 5E, A2 4C, B2 5C, A1 6O, B1 3O"))
    scene.tell(RenuncioDenounced("A1", "B1")).finds_only(Rule.TRUMP).undecided()
    scene.tell(plays("A2 7O, B2 4O, B1 2C"))
    scene.finds(Rule.FOLLOW, line=4, known_at=8).finds_only(Rule.FOLLOW).then("A", "renuncio")
