"""Swiss rounds: nobody meets twice, a bye at most once and low, floats few and not twice in a row."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.aggregates.tournament.formats.matching import Matching
from referee.aggregates.tournament.formats.swiss import next_swiss_round, pairing_facts_of
from referee.aggregates.tournament.history import (
    Entrant,
    History,
    PlayedPairing,
    Round,
    check_history,
    point_items_of,
    sum_points,
)
from referee.errors import Refused
from referee.events.tournament import RoundPoints
from tests.referee.tournament.swiss_field import field, played, tournaments
from tests.support.servers.long_runs import RUNS


def pairings(drawn: Round) -> list[str]:
    return [" ".join(pairing) for pairing in drawn.pairings]


def test_the_first_round_meets_by_halves():
    assert pairings(next_swiss_round(History(field(8)))) == ["P1 P5", "P2 P6", "P3 P7", "P4 P8"]


def test_winners_meet_winners():
    second = next_swiss_round(played(History(field(8))))
    assert pairings(second) == ["P1 P3", "P2 P4", "P5 P7", "P6 P8"]


def test_the_lowest_has_the_bye_and_never_again():
    history = History(field(5))
    byes = []
    for _ in range(3):
        history = played(history)
        byes.append(history.rounds[-1].bye)
    assert byes[0] == "P5"
    assert len(set(byes)) == 3


def test_who_floated_does_not_float_again_if_another_can():
    """Six pairs: three winners, so one floats in the second round; another in the third."""
    history = played(played(History(field(6))))
    floated = pairing_facts_of(history).floated
    assert len(floated) == 1
    third = played(history, winners=" ".join(history.pairs))
    assert not floated & pairing_facts_of(third).floated


def test_a_late_pair_comes_in_with_the_points_that_the_organiser_gives():
    history = played(History(field(8), scoring=RoundPoints(late=1)))
    late = replace(history, entrants=(*history.entrants, Entrant("P9", since=2)))
    assert [(i.reason, i.points) for i in point_items_of(late)["P9"]] == [("late", 1)]
    second = next_swiss_round(late)
    assert "P9" in {pair for pairing in second.pairings for pair in pairing}
    assert second.bye == "P8"


def test_absent_and_withdrawn_pairs_are_not_paired():
    history = played(History(field(8)))
    gone = replace(history, entrants=(Entrant("P1", until=1), *history.entrants[1:]))
    second = played(gone, absent=frozenset({"P2"}))
    named = {pair for pairing in second.rounds[1].pairings for pair in pairing}
    assert named == {"P3", "P4", "P5", "P6", "P7", "P8"}
    assert [item.reason for item in point_items_of(second)["P2"]] == ["won", "absent"]
    assert [item.reason for item in point_items_of(second)["P1"]] == ["won"]


def test_when_all_have_met_it_says_that_no_round_is_left():
    history = played(History(field(2)))
    with pytest.raises(Refused) as error:
        next_swiss_round(history)
    assert (error.value.rule, error.value.facts) == ("no-round-left", {"pairs": 2, "rounds": 1})
    history = History(field(3))
    for _ in range(3):
        history = played(history)
    with pytest.raises(Refused) as error:
        next_swiss_round(history)
    assert error.value.rule == "no-bye-left"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rounds": (Round((("P1", "P9"),)),)}, "pair-unknown"),
        ({"rounds": (Round((("P1", "P2"),), "P1"),)}, "pair-twice"),
        ({"met": (PlayedPairing(2, ("P1", "P5"), "P1"),)}, "not-paired"),
        ({"met": (PlayedPairing(1, ("P1", "P5"), "P2"),)}, "winner-unknown"),
        (
            {"met": (PlayedPairing(1, ("P1", "P5"), "P1"), PlayedPairing(1, ("P5", "P1"), "P1"))},
            "not-paired",
        ),
    ],
)
def test_a_history_that_cannot_be_says_why(change, code):
    history = played(History(field(8)))
    check_history(history)
    with pytest.raises(Refused) as error:
        check_history(replace(history, **change))
    assert error.value.rule == code


# --- invariants -----------------------------------------------------------------


@given(tournaments())
@settings(deadline=None)
def test_nobody_meets_twice_and_nobody_has_two_byes(history):
    check_history(history)
    met = [frozenset(pairing) for one in history.rounds for pairing in one.pairings]
    assert len(met) == len(set(met))
    byes = [one.bye for one in history.rounds if one.bye]
    assert len(byes) == len(set(byes))
    for number, one in enumerate(history.rounds, 1):
        named = {pair for pairing in one.pairings for pair in pairing} | {one.bye} - {""}
        there = {e.pair for e in history.entrants if e.is_in_round(number)}
        assert named <= there


@given(tournaments())
@settings(deadline=None)
def test_the_same_history_gives_the_same_round(history):
    again = History(history.entrants, history.rounds, tuple(reversed(history.met)))
    try:
        first = next_swiss_round(history)
    except Refused as wrong:
        with pytest.raises(Refused) as error:
            next_swiss_round(replace(history))
        assert error.value.rule == wrong.rule
        return
    assert next_swiss_round(history) == first
    assert next_swiss_round(replace(again, scoring=history.scoring)) == first


def floats(found, points, level: int) -> int:
    """How many leave the group of this level, and those above, downwards."""
    return sum(1 for one in found if max(map(points.get, one)) >= level > min(map(points.get, one)))


def matchings(pairs, met):
    """Every way to pair all of them."""
    if not pairs:
        yield ()
        return
    first, *others = pairs
    for other in others:
        if other not in met[first]:
            rest = [pair for pair in others if pair != other]
            for found in matchings(rest, met):
                yield ((first, other), *found)


@given(tournaments(most=9))
@settings(deadline=None)
def test_no_group_lets_more_go_than_it_must(history):
    """Compared with every possible round that is the same above the group."""
    known, present = pairing_facts_of(history), history.pairs_in_next_round()
    try:
        drawn = next_swiss_round(history)
    except Refused as wrong:
        if wrong.rule == "no-round-left":
            assert not any(matchings(present, known.met))
        return
    playing = [pair for pairing in drawn.pairings for pair in pairing]
    every = [set(map(frozenset, found)) for found in matchings(playing, known.met)]
    for level in sorted({known.points[pair] for pair in playing}, reverse=True):
        above = {frozenset(p) for p in drawn.pairings if min(map(known.points.get, p)) > level}
        fewest = min(floats(found, known.points, level) for found in every if above <= found)
        assert floats(drawn.pairings, known.points, level) == fewest
    for pair in present:
        if drawn.bye and known.points[pair] < known.points[drawn.bye]:
            rest = [other for other in present if other != pair]
            assert pair in known.had_bye or not any(matchings(rest, known.met))


@given(st.integers(1, 11), st.data())
@settings(deadline=None, max_examples=100 * RUNS)
def test_a_matching_is_as_large_as_any(number, data):
    pairs = [str(n) for n in range(number)]
    links = [(a, b) for a in range(number) for b in range(a)]
    barred = data.draw(st.sets(st.sampled_from(links))) if links else set()
    met = {
        str(a): {str(b) for b in range(number) if {(a, b), (b, a)} & barred} for a in range(number)
    }

    @cache
    def most(left: int) -> int:
        if not left:
            return 0
        first = (left & -left).bit_length() - 1
        rest = left & (left - 1)
        found = most(rest)
        for other in range(number):
            if rest >> other & 1 and str(other) not in met[str(first)]:
                found = max(found, 1 + most(rest & ~(1 << other)))
        return found

    everybody = (1 << number) - 1
    matching = Matching(pairs, met)
    assert matching.alone_count == number - 2 * most(everybody)
    if not matching.alone_count:
        for other in range(1, number):
            if str(other) in met["0"]:
                continue
            gone = Matching(pairs, met)
            left = everybody & ~1 & ~(1 << other)
            assert gone.try_remove_opponents("0", str(other)) == (2 * most(left) == number - 2)


def test_every_round_gives_a_pair_one_item_with_its_reason():
    history = played(played(History(field(5))), absent=frozenset({"P1"}))
    items = point_items_of(history)
    assert {pair: [(i.round, i.reason) for i in found] for pair, found in items.items()} == {
        "P1": [(1, "won"), (2, "absent")],
        "P2": [(1, "won"), (2, "won")],
        "P3": [(1, "lost"), (2, "won")],
        "P4": [(1, "lost"), (2, "lost")],
        "P5": [(1, "bye"), (2, "lost")],
    }
    assert [sum_points(items[pair]) for pair in history.pairs] == [2, 4, 2, 0, 2]
    assert sum_points(items["P2"], before=2) == 2
