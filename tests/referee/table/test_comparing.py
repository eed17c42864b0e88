"""One record under two profiles: who wins by which option."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules.profile.profile import profile
from referee.table.comparing import NotComparable, compared, options_at
from tests.support.records.table_text import CLUB, dealt, plays
from tests.support.records.table_text import given as table_where


def test_the_option_that_alone_changes_the_winner_is_named():
    state = table_where(CLUB, *dealt("AO")).play_out().state
    other = replace(CLUB, target=10, tute=True)
    found = compared(state.start, state.acts, other)
    assert [each.option for each in found.options] == ["tute", "target"]
    assert found.outcome.winner != found.other_outcome.winner
    assert found.other_outcome.how == "first_deal"
    assert found.outcome_by == ("target",)


def test_cards_dealt_otherwise_are_not_compared():
    state = table_where(CLUB, *dealt("AO")).state
    with pytest.raises(NotComparable) as refused:
        compared(state.start, state.acts, replace(CLUB, hand_size=10, deck=48))
    assert refused.value.options == ("deck", "hand_size")


def test_a_profile_for_other_tables_judges_none_of_three():
    with pytest.raises(NotComparable) as refused:
        options_at(replace(CLUB, players=3), profile("baraja-francesa"))
    assert refused.value.options == ("players",)
    assert options_at(CLUB, profile("baraja-francesa")).players == CLUB.players


def test_an_act_that_is_judged_otherwise_names_the_option_that_does_it():
    hands = {"A1": "3C 4C", "B1": "AE 5C"}
    state = table_where(CLUB, *dealt("AO", **hands), *plays("A1 3C, B1 AE")).state
    found = compared(state.start, state.acts, replace(CLUB, duties_from="first_trick"))
    assert found.outcome == found.other_outcome
    assert found.outcome_by == ()
    assert [(one.seat, one.by) for one in found.acts] == [("B1", ("duties_from",))]
