"""Knock-out, consolation, round robin, groups: who can meet whom, and when."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.aggregates.tournament.field import (
    bracket_ranks,
    bracket_size,
    first_ties,
    snake_groups,
)
from referee.aggregates.tournament.formats.groups import order_from_groups, round_robin
from referee.aggregates.tournament.formats.knock_out import (
    KnockOut,
    champion,
    playable_ties,
    ties_of_knock_out,
)
from referee.errors import Refused
from tests.support.servers.long_runs import RUNS

sizes = st.one_of(st.integers(2, 40), st.sampled_from([64, 100, 511, 512]))


def names(number: int) -> tuple[str, ...]:
    return tuple(f"P{n}" for n in range(1, number + 1))


def played_out(knock_out: KnockOut, choose):
    """Ties until nothing is left to play, each won by who is chosen; and what was won."""
    won = {}
    while waiting := list(playable_ties(ties_of_knock_out(knock_out, won))):
        for tie in waiting:
            won[tie.id] = choose(tie)
    return ties_of_knock_out(knock_out, won), won


@given(sizes, st.booleans(), st.booleans(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=20 * RUNS)
def test_a_knock_out_has_one_winner_who_lost_no_tie(number, consolation, third, chance):
    knock_out = KnockOut(names(number), consolation, third)
    ties, won = played_out(knock_out, lambda tie: chance.choice(tie.pairs))
    lost = [tie.loser for tie in ties if tie.id[0] == "main" and tie.id in won]
    winner = champion(ties)
    assert sorted([*lost, winner]) == sorted(knock_out.order)
    assert all(tie.winner is not None for tie in ties)


@given(sizes)
def test_byes_fall_to_the_best_and_only_in_the_first_round(number):
    order = names(number)
    byes = [one[0] for one in first_ties(order) if one[1] == ""]
    assert sorted(byes) == sorted(order[: bracket_size(number) - number])


@given(sizes)
@settings(deadline=None)
def test_the_best_meet_as_late_as_can_be(number):
    """If the better always wins, the best two meet in the final, the best four in the semifinals."""
    order = names(number)
    ties, _ = played_out(KnockOut(order), lambda tie: min(tie.pairs, key=order.index))
    final = ties[-1].id[1]
    for tie in ties:
        left = 2 ** (final - tie.id[1] + 1)
        assert all(pair in order[:left] for pair in tie.pairs if pair)
    at = bracket_ranks(bracket_size(number))
    half = len(at) // 2
    assert (at.index(0) < half) != (at.index(1) < half)


@given(sizes, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=20 * RUNS)
def test_the_consolation_has_the_pairs_that_lost_their_first_tie(number, chance):
    ties, won = played_out(KnockOut(names(number), True), lambda tie: chance.choice(tie.pairs))
    first_lost, seen = set(), set()
    for tie in ties:
        if tie.id[0] == "main" and tie.id in won:
            if tie.loser not in seen:
                first_lost.add(tie.loser)
            seen.update(tie.pairs)
    came = {pair for tie in ties if tie.id[0] == "consolation" for pair in tie.pairs} - {""}
    assert came == (first_lost if number > 2 else set())
    met_first = {frozenset(t.pairs) for t in ties if t.id[:2] == ("main", 1) and all(t.pairs)}
    met_again = {frozenset(t.pairs) for t in ties if t.id[:2] == ("consolation", 1)}
    assert not met_first & met_again


def test_the_third_place_is_between_those_who_lost_a_semifinal():
    ties, _ = played_out(KnockOut(names(4), has_third_place=True), lambda tie: tie.pairs[0])
    assert {tie.id: tie.pairs for tie in ties} == {
        ("main", 1, 0): ("P1", "P4"),
        ("main", 1, 1): ("P2", "P3"),
        ("main", 2, 0): ("P1", "P2"),
        ("third", 1, 0): ("P4", "P3"),
    }
    assert (champion(ties), champion(ties, "third")) == ("P1", "P4")


def test_a_tie_that_cannot_have_been_won_is_refused():
    six = KnockOut(names(6))
    for won, code in [
        ({("main", 1, 0): "P1"}, "tie-not-played"),
        ({("main", 2, 0): "P1"}, "tie-not-played"),
        ({("main", 1, 1): "P1"}, "winner-unknown"),
        ({("main", 9, 0): "P1"}, "tie-unknown"),
        ({("third", 1, 0): "P1"}, "tie-unknown"),
    ]:
        with pytest.raises(Refused) as error:
            ties_of_knock_out(six, won)
        assert error.value.rule == code
    assert champion(ties_of_knock_out(six, {})) is None


@given(sizes)
@settings(deadline=None, max_examples=13 * RUNS)
def test_in_a_round_robin_each_meets_each_other_exactly_once(number):
    order = names(number)
    rounds = round_robin(order)
    met = [frozenset(pairing) for one in rounds for pairing in one.pairings]
    assert len(met) == len(set(met)) == number * (number - 1) // 2
    assert len(rounds) == number - 1 + number % 2
    for one in rounds:
        named = [pair for pairing in one.pairings for pair in pairing]
        assert sorted([*named, one.bye] if number % 2 else named) == sorted(order)
    rested = [one.bye for one in rounds if one.bye]
    assert sorted(rested) == (sorted(order) if number % 2 else [])


@given(st.integers(2, 32), st.data())
def test_groups_by_the_snake_are_as_even_as_can_be(groups, data):
    order = names(data.draw(st.integers(2 * groups, 512)))
    found = snake_groups(order, groups)
    assert sorted(pair for group in found for pair in group) == sorted(order)
    assert {len(group) for group in found} <= {len(order) // groups, -(-len(order) // groups)}
    seeded = order[:groups]
    assert [group[0] for group in found] == list(seeded)


@given(st.integers(2, 32), st.integers(1, 4))
@settings(deadline=None, max_examples=50 * RUNS)
def test_two_of_a_group_do_not_meet_at_once(groups, qualifying):
    qualified = [[f"{number}.{place}" for place in range(qualifying)] for number in range(groups)]
    order = order_from_groups(qualified)
    assert sorted(order) == sorted(pair for group in qualified for pair in group)
    assert list(order[:groups]) == [group[0] for group in qualified]
    for one, other in first_ties(order):
        assert one.split(".")[0] != other.split(".")[0]
    if qualifying == 2:
        half = bracket_size(len(order)) // 2
        places = [pair for tie in first_ties(order) for pair in tie]
        for group in qualified:
            first, second = (places.index(pair) < half for pair in group)
            assert first != second


def test_four_groups_cross_firsts_with_seconds():
    order = order_from_groups([["A1", "A2"], ["B1", "B2"], ["C1", "C2"], ["D1", "D2"]])
    assert first_ties(order) == (("A1", "C2"), ("D1", "B2"), ("B1", "D2"), ("C1", "A2"))


def test_groups_that_cannot_be_crossed_are_refused():
    with pytest.raises(Refused) as error:
        order_from_groups([["A1"], []])
    assert error.value.rule == "groups-number"
    with pytest.raises(Refused) as error:
        order_from_groups([["A1", "A2"], ["B1"], ["C1"]])
    assert error.value.rule == "groups-cannot-be-crossed"
