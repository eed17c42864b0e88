"""Tables by rotation: who met least meets, drawn the same again from what is on the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.aggregates import session
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.session import Session, draw_by_fewest_meetings, draw_by_seed
from referee.aggregates.session_tables import count_meetings, tables_by_fewest_meetings
from referee.errors import Refused
from referee.events import (
    DrawnTable,
    PairCame,
    PlayerCame,
    PlayerLeft,
    SessionAct,
    SessionOpened,
    TablesDrawn,
    TablesOpened,
    TablesTakenBack,
)
from referee.rules.articles import Rule
from referee.rules.profile.profile import profile

FOUR = SessionOpened("2026-11-21", freeze_profile(profile("club"), 4))
LETTERS = "abcdefghijkl"


def after(state: Session, *acts: SessionAct) -> Session:
    for act in acts:
        for event in session.decide(act, state):
            state = session.evolve(state, event)
    return state


def evening(persons: Iterable[str]) -> Session:
    return after(session.INITIAL, FOUR, *map(PlayerCame, persons))


def play(state: Session, drawn: TablesDrawn) -> Session:
    return after(state, drawn, TablesOpened(tuple(str(one.number) for one in drawn.tables)))


def squares(met: Counter[tuple[str, str]]) -> int:
    return sum(times**2 for times in met.values())


def test_in_seven_rounds_of_twelve_nobody_has_a_partner_twice() -> None:
    state = evening(LETTERS)
    for number in range(7):
        state = play(state, draw_by_fewest_meetings(state, f"seed {number}"))
    met = count_meetings(state.tables_by_round)
    assert set(met.partners.values()) == {1}
    assert max(met.opponents.values()) == 2


def test_the_first_round_is_that_of_the_seed_and_a_draw_that_did_not_play_counts_for_nothing() -> (
    None
):
    state = evening(LETTERS)
    first = draw_by_fewest_meetings(state, "Calamocha")
    assert first.tables == draw_by_seed(state, "Calamocha").tables
    again = draw_by_fewest_meetings(after(state, first), "Calamocha")
    back = draw_by_fewest_meetings(after(play(state, first), TablesTakenBack()), "Calamocha")
    assert back == again
    assert again.tables == draw_by_seed(after(state, first), "Calamocha").tables


def test_tables_put_by_hand_count_as_met() -> None:
    by_hand = TablesDrawn("hand", (DrawnTable(7, (("a", "b"), ("c", "d"))),))
    state = play(evening("abcd"), by_hand)
    for number in range(20):
        sides = draw_by_fewest_meetings(state, f"seed {number}").tables[0].sides
        assert not {frozenset("ab"), frozenset("cd")} & set(map(frozenset, sides))


def test_a_rotation_that_does_not_follow_from_the_evening_is_refused() -> None:
    state = play(evening(LETTERS), draw_by_seed(evening(LETTERS), "first"))
    honest = draw_by_fewest_meetings(state, "Calamocha")
    assert after(state, honest).unopened_draw == honest
    merely_drawn = draw_by_seed(state, "Calamocha").tables
    assert merely_drawn != honest.tables
    with pytest.raises(Refused) as caught:
        after(state, TablesDrawn("rotation", merely_drawn, "Calamocha"))
    assert caught.value.rule == Rule.TABLES_OTHERWISE


def test_pairs_stay_together_and_meet_another_pair_each_time() -> None:
    pairs = [PairCame(f"pair {one}", (one, f"{one}2")) for one in "abcdef"]
    opened = SessionOpened("2026-11-21", FOUR.profile, of="pairs")
    state = after(session.INITIAL, opened, *pairs)
    for number in range(3):
        state = play(state, draw_by_fewest_meetings(state, f"seed {number}"))
    met = count_meetings(state.tables_by_round)
    assert met.partners["a", "a2"] == 3
    assert set(met.opponents.values()) == {1}


def test_at_tables_of_two_and_of_three_there_are_only_opponents() -> None:
    for players in (2, 3):
        rounds: list[tuple[DrawnTable, ...]] = []
        for number in range(3):
            drawn = tables_by_fewest_meetings(
                "Calamocha", f"{number} ", "abcdefghi", (), rounds, players
            )
            assert {len(table.sides) for table in drawn} == {players}
            rounds.append(drawn)
        met = count_meetings(rounds)
        assert not met.partners
        assert set(met.opponents.values()) == {1}


def test_a_draw_of_before_is_repeated_by_every_later_program() -> None:
    state = evening("abcdefgh")
    for number in range(4):
        state = play(state, draw_by_fewest_meetings(state, f"seed {number}"))
    assert [
        " ".join("".join(side) for table in tables for side in table.sides)
        for tables in state.tables_by_round
    ] == ["cb df ag he", "cd gh fb ea", "gd af ch be", "hb fg ec ad"]


@settings(max_examples=60)
@given(
    st.integers(4, 16),
    st.integers(1, 5),
    st.lists(st.tuples(st.integers(0, 15), st.integers(0, 2)), max_size=5),
    st.booleans(),
    st.text("xyz", max_size=3),
)
def test_tables_are_full_nobody_sits_twice_and_no_round_is_less_even_than_that_of_its_seed(
    many: int, rounds: int, changes: list[tuple[int, int]], have_asked: bool, seed: str
) -> None:
    state = evening(f"{n:02}" for n in range(many))
    for number in range(rounds):
        if number < len(changes):
            place, arrivals = changes[number]
            state = after(state, *(PlayerCame(f"{number} {n}") for n in range(arrivals)))
            if len(state.present) > 4:
                state = after(state, PlayerLeft(state.present[place % len(state.present)]))
        together = [state.present[:2]] if have_asked else []
        rested = {one: state.sit_out_counts.get(one, 0) for one in state.present}
        drawn, lot = (
            draw(state, seed, together, rested) for draw in (draw_by_fewest_meetings, draw_by_seed)
        )
        seated = [one for table in drawn.tables for side in table.sides for one in side]
        assert all([len(side) for side in table.sides] == [2, 2] for table in drawn.tables)
        assert len(seated) == len(set(seated)) == len(state.present) // 4 * 4
        assert {one for t in lot.tables for side in t.sides for one in side} == set(seated)
        after_both = [count_meetings([*state.tables_by_round, one.tables]) for one in (drawn, lot)]
        evenness = [(squares(one.partners), squares(one.opponents)) for one in after_both]
        assert evenness[0] <= evenness[1]
        state = play(state, drawn)
