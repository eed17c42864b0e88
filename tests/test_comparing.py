"""One record under two profiles: who wins by which option."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.table.comparing import NotComparable, compared
from tests.table_text import CLUB, dealt
from tests.table_text import given as table_where


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
