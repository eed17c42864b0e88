"""Standings: criteria in order, each applied among equals only, each separation with its reason."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.aggregates.tournament.formats.groups import round_robin
from referee.aggregates.tournament.formats.standings import standings
from referee.aggregates.tournament.formats.swiss import next_swiss_round
from referee.aggregates.tournament.history import Entrant, History, PlayedPairing, Round
from referee.errors import Refused
from referee.events.tournament import USUAL
from tests.referee.tournament.swiss_field import field, played, tournaments


def league(results: str, pairs: str = "A B C D") -> History:
    """Everybody against everybody; ``A-B 2:1`` is the partidas, and nobody else has met."""
    order = tuple(pairs.split())
    rounds = round_robin(order)
    number = {frozenset(p): n for n, one in enumerate(rounds, 1) for p in one.pairings}
    met = []
    for result in filter(None, map(str.strip, results.split(","))):
        names, score = result.split()
        first, second = names.split("-")
        mine, other = map(int, score.split(":"))
        winner = first if mine > other else second if other > mine else ""
        at = number[frozenset((first, second))]
        met.append(PlayedPairing(at, (first, second), winner, (0, 0), (mine, other)))
    return History(tuple(map(Entrant, order)), rounds, tuple(met))


def lines(history: History, *more) -> list[str]:
    return [f"{row.place} {row.pair} {row.by}" for row in standings(history, *more)]


def items(history: History, pair: str, *more) -> dict[str, int]:
    row = next(row for row in standings(history, *more) if row.pair == pair)
    return {item.criterion: item.value for item in row.items}


def test_the_winner_of_the_meeting_is_above_a_pair_with_as_many_points():
    history = league("A-B 3:0, A-C 0:1, A-D 3:0, B-C 3:0, B-D 3:0, C-D 0:3")
    assert lines(history) == ["1 A first", "2 B direct", "3 D points", "4 C direct"]
    assert items(history, "A") == {"points": 4, "direct": 2}
    assert items(history, "B") == {"points": 4, "direct": 0}


def test_three_in_a_ring_are_separated_by_what_comes_next():
    history = league("A-B 3:2, B-C 3:0, C-A 3:2, A-D 3:0, B-D 3:0, C-D 3:0")
    assert lines(history) == ["1 B first", "2 A partidas", "3 C partidas", "4 D points"]
    assert items(history, "A") == {"points": 4, "direct": 2, "cotos": 0, "partidas": 3}
    assert items(history, "D") == {"points": 0}


def test_direct_encounters_do_not_tell_unless_all_have_met():
    history = league("A-B 3:0, C-D 3:1")
    assert lines(history) == ["1 A first", "2 C partidas", "3 D points", "4 B partidas"]
    assert "direct" not in items(history, "A")


def test_what_nothing_separates_shares_a_place_until_the_lot_is_drawn():
    history = league("")
    assert lines(history) == ["1 A first", "1 B level", "1 C level", "1 D level"]
    drawn = lines(history, USUAL, "the seed on the wall")
    assert [line.split()[0] for line in drawn] == ["1", "2", "3", "4"]
    assert [line.split()[2] for line in drawn] == ["first", "lot", "lot", "lot"]
    assert drawn == lines(history, USUAL, "the seed on the wall")
    orders = {tuple(lines(history, USUAL, f"seed {n}")) for n in range(40)}
    assert len(orders) > 5


def test_buchholz_and_sonneborn_berger_by_hand():
    rounds = (
        Round((("P1", "P2"), ("P3", "P4")), "P5"),
        Round((("P1", "P3"), ("P2", "P5")), "P4"),
    )
    met = (
        PlayedPairing(1, ("P1", "P2"), "P1"),
        PlayedPairing(1, ("P3", "P4"), ""),
        PlayedPairing(2, ("P1", "P3"), "P3"),
        PlayedPairing(2, ("P2", "P5"), "P2"),
    )
    history = History(field(5), rounds, met)
    points = {"P1": 2, "P2": 2, "P3": 3, "P4": 3, "P5": 2}
    for pair, buchholz, berger in [
        ("P1", 2 + 3, 2 * 2),
        ("P2", 2 + 2, 2 * 2),
        ("P3", 3 + 2, 3 + 2 * 2),
        ("P4", 3 + 3, 3),
        ("P5", 2 + 2, 0),
    ]:
        assert items(history, pair, ["points", "buchholz"]) == {
            "points": points[pair],
            "buchholz": buchholz,
        }
        found = items(history, pair, ["points", "sonneborn_berger"])
        assert found["sonneborn_berger"] == berger


def test_an_opponent_not_yet_met_does_not_weigh_in_a_table():
    """16 pairs, the second round drawn: whoever meets the pair that had won by mistake keeps it."""
    first = played(History(field(16)))
    drawn = replace(first, rounds=(*first.rounds, next_swiss_round(first)))
    before = {row.pair: row.place for row in standings(first, USUAL, "seed")}
    assert {row.pair: row.place for row in standings(drawn, USUAL, "seed")} == before
    wrong = drawn.met[0]
    assert wrong.pairs == ("P1", "P9")
    corrected = replace(drawn, met=(replace(wrong, winner="P9"), *drawn.met[1:]))
    after = {row.pair: row.place for row in standings(corrected, USUAL, "seed")}
    assert {pair for pair in after if after[pair] <= 8} == {f"P{n}" for n in range(2, 10)}
    others = before.keys() - {"P1", "P9"}
    assert all(abs(after[pair] - before[pair]) <= 1 for pair in others)
    next_of_p1 = next(two for two in drawn.rounds[1].pairings if "P1" in two)
    (opponent,) = set(next_of_p1) - {"P1"}
    assert items(corrected, opponent) == {**items(corrected, "P9"), "points": 2, "buchholz": 2}


@given(tournaments())
@settings(deadline=None)
def test_a_round_that_is_drawn_and_not_played_leaves_the_table_as_it_is(history):
    closed = {met.round_and_pairs for met in history.met}
    wanted = {(n, frozenset(p)) for n, one in enumerate(history.rounds, 1) for p in one.pairings}
    assume(closed == wanted and len(history.pairs_in_next_round()) % 2 == 0)
    assume(len(history.pairs_in_next_round()) == len(history.pairs))
    try:
        drawn = replace(history, rounds=(*history.rounds, next_swiss_round(history)))
    except Refused:
        assume(False)
    places = [[(row.place, row.pair) for row in standings(one)] for one in (history, drawn)]
    assert places[0] == places[1]


@pytest.mark.parametrize("criterion", ["cotos", "partidas"])
def test_differences_of_cotos_and_partidas(criterion):
    met = (PlayedPairing(1, ("P1", "P2"), "P1", (2, 1), (7, 9)),)
    history = History(field(2), (Round((("P1", "P2"),)),), met)
    found = {pair: items(history, pair, [criterion])[criterion] for pair in ("P1", "P2")}
    assert found == ({"P1": 1, "P2": -1} if criterion == "cotos" else {"P1": -2, "P2": 2})


@given(tournaments(), st.permutations(USUAL[1:]), st.sampled_from(["", "seed"]))
@settings(deadline=None)
def test_each_row_is_below_the_one_before_by_what_it_says(history, others, seed):
    rows = standings(history, ("points", *others), seed)
    assert sorted(row.pair for row in rows) == sorted(history.pairs)
    for above, below in itertools.pairwise(rows):
        if below.by == "level":
            assert above.place == below.place
            assert above.items == below.items
            continue
        assert below.place == rows.index(below) + 1
        both = zip(above.items, below.items, strict=False)
        higher, lower = next((one, two) for one, two in both if one != two)
        assert higher.criterion == lower.criterion == below.by
        assert higher.value > lower.value
    for row in rows:
        assert row.items[0].value == sum(item.points for item in row.points)


@given(tournaments(), st.data())
@settings(deadline=None)
def test_results_corrected_give_the_table_of_results_right_at_once(history, data):
    """For any first reports, and any order of corrections."""
    wrong = tuple(
        replace(met, winner=data.draw(st.sampled_from([*met.pairs, ""]))) for met in history.met
    )
    corrected = {met.round_and_pairs: met for met in wrong}
    for met in data.draw(st.permutations(history.met)):
        corrected[met.round_and_pairs] = met
    again = replace(history, met=tuple(corrected.values()))
    assert standings(again, USUAL, "seed") == standings(history, USUAL, "seed")
