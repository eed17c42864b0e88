"""Swiss rounds with a view to those left: no dead end, a rematch only when nothing else is left."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks.club.swiss_ends import METHODS, RandomSwiss, random_swiss, repeats
from referee.aggregates.tournament.formats.outlook import (
    next_round_leaving_later_rounds,
    rematches_of_round,
)
from referee.aggregates.tournament.formats.swiss import next_swiss_round
from referee.aggregates.tournament.history import Entrant, History, PlayedPairing, Round
from referee.aggregates.tournament.settlement import ways_to_settle_correction
from referee.errors import Refused
from referee.events.tournament import CorrectionSettled, ResultTold, RoundDrawn
from tests.referee.tournament.swiss_field import field
from tests.support.records.tournament_play import Play
from tests.support.servers.long_runs import RUNS

AHEAD = RoundDrawn(0, method="ahead")


def all_pairings(one: Round) -> list[frozenset[str]]:
    """The pairings of a round; a bye is one with nobody."""
    found = [frozenset(two) for two in one.pairings]
    return [*found, frozenset({one.bye, ""})] if one.bye else found


def fewest_repeats(left: tuple[str, ...], before: set[frozenset[str]]) -> int:
    """The fewest repeats of any way to pair them, by trying them all."""
    if not left:
        return 0
    first, *others = left
    return min(
        (frozenset({first, one}) in before)
        + fewest_repeats(tuple(pair for pair in others if pair != one), before)
        for one in others
    )


@pytest.mark.parametrize("part", range(3 * RUNS))
def test_no_history_comes_to_a_dead_end(part: int) -> None:
    """300 tournaments of 4 to 40 pairs, with absences, withdrawals and late entries."""
    for number in range(part * 100, part * 100 + 100):
        history = random_swiss(number, next_round_leaving_later_rounds).play()
        for at, one in enumerate(history.rounds, 1):
            named = [pair for two in all_pairings(one) for pair in two]
            assert len(named) == len(set(named)), (number, at)
            there = {entrant.pair for entrant in history.entrants if entrant.is_in_round(at)}
            assert set(named) - {""} <= there, (number, at)


@pytest.mark.parametrize("pairs", range(4, 15))
def test_whoever_is_there_to_the_end_meets_nobody_twice(pairs: int) -> None:
    """As many rounds as there are opponents; nobody stays away."""
    rounds = pairs - 1 + pairs % 2
    for number in range(4 * RUNS):
        chance = random.Random(number)
        play = RandomSwiss(
            chance, next_round_leaving_later_rounds, pairs=pairs, rounds=rounds, is_calm=True
        )
        assert repeats(play.play()) == 0, number


def test_six_pairs_over_five_rounds_were_stuck_when_each_round_was_paired_by_itself() -> None:
    stuck = {"round": 0, "ahead": 0}
    for method in stuck:
        for number in range(100):
            play = RandomSwiss(
                random.Random(number), METHODS[method], pairs=6, rounds=5, is_calm=True
            )
            try:
                play.play()
            except Refused:
                stuck[method] += 1
    assert stuck["round"] > 20
    assert stuck["ahead"] == 0


def test_as_few_repeat_as_there_can_be() -> None:
    """Compared with every way to pair the round, when there are few enough."""
    repeated = 0
    for number in range(150 * RUNS):
        chance = random.Random(number)
        play = RandomSwiss(
            chance,
            next_round_leaving_later_rounds,
            pairs=chance.randint(4, 8),
            rounds=8,
            is_calm=number % 2 == 0,
        )
        history = play.play()
        for at, one in enumerate(history.rounds):
            before = {two for each in history.rounds[:at] for two in all_pairings(each)}
            there = tuple(pair for two in all_pairings(one) for pair in two)
            found = len(rematches_of_round(history.rounds, at + 1))
            assert found == fewest_repeats(there, before), (number, at)
            repeated += found
    assert repeated


def test_a_round_that_leaves_all_others_is_the_one_by_the_rules() -> None:
    history = History(field(12))
    for number in range(1, 5):
        drawn = next_round_leaving_later_rounds(history, frozenset(), 5 - number)
        assert drawn == next_swiss_round(history)
        met = tuple(PlayedPairing(number, two, two[0]) for two in drawn.pairings)
        history = History(history.entrants, (*history.rounds, drawn), (*history.met, *met))


def test_the_rematch_of_those_who_met_longest_ago_comes_first() -> None:
    history = History(field(4))
    for number in range(1, 5):
        drawn = next_round_leaving_later_rounds(history, frozenset(), 4 - number)
        met = tuple(PlayedPairing(number, two, "") for two in drawn.pairings)
        history = History(history.entrants, (*history.rounds, drawn), (*history.met, *met))
    first, *_, last = history.rounds
    assert {frozenset(two) for two in last.pairings} == {frozenset(two) for two in first.pairings}
    assert len(rematches_of_round(history.rounds, 4)) == 2


def test_of_three_who_all_rested_the_one_who_rested_first_rests_again() -> None:
    history = History(field(3))
    for number in range(1, 5):
        drawn = next_round_leaving_later_rounds(history, frozenset(), 4 - number)
        met = tuple(PlayedPairing(number, two, "") for two in drawn.pairings)
        history = History(history.entrants, (*history.rounds, drawn), (*history.met, *met))
    assert history.rounds[3].bye == history.rounds[0].bye
    assert {two[1] for two in rematches_of_round(history.rounds, 4)} >= {""}


def test_one_pair_alone_is_refused() -> None:
    with pytest.raises(Refused) as error:
        next_round_leaving_later_rounds(History((Entrant("P1"),)), frozenset(), 2)
    assert error.value.rule == "pairs-number"


def test_the_log_says_how_a_round_was_paired_and_one_of_before_says_nothing() -> None:
    golden = Path("tests/golden/events/RoundDrawn.1.json").read_text(encoding="utf-8")
    assert "method" not in json.loads(golden)[0]["state"]
    play = Play("swiss", 6, rounds=5)
    play.draw()
    assert play.do(RoundDrawn(0)).method == "round"
    play.play_open()
    assert play.do(AHEAD).method == "ahead"
    play = Play("round_robin", 4)
    play.draw()
    assert play.do(AHEAD).method == "round"


def test_a_round_that_is_drawn_again_leaves_the_rounds_that_are_left() -> None:
    """Six pairs over five rounds; the first round is corrected after the second was drawn."""
    for seed in range(12):
        chance = random.Random(seed)
        play = Play("swiss", 6, rounds=5)
        play.draw()
        for _ in range(2):
            play.do(AHEAD)
            play.play_open(lambda one: chance.choice(one.pairs))  # noqa: B023 - used at once
        wrong = chance.choice([one for one in play.state.meetings.values() if one.round == 1])
        other = next(pair for pair in wrong.pairs if pair != wrong.counts.winner)
        play.do(ResultTold(wrong.id, other))
        choice = ways_to_settle_correction(play.state, wrong.id)[2]
        done = play.do(CorrectionSettled(wrong.id, "re_pair", method="ahead"))
        assert (done.pairings, done.method) == (choice.act.pairings, "ahead")
        while len(play.state.rounds) < 5 or play.open():
            play.play_open(lambda one: chance.choice(one.pairs))  # noqa: B023 - used at once
            if len(play.state.rounds) < 5:
                play.do(AHEAD)
        met = [frozenset(two) for one in play.state.rounds for two in one.pairings]
        assert len(met) == len(set(met)) == 15
