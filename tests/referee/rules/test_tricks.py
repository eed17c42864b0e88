from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.law import naive
from referee.rules.articles import Rule
from referee.rules.cards import (
    ABOVE,
    BEATS,
    BIT,
    CARD,
    CARDS,
    SUITS,
    TOKENS,
    _cards_that_beat_each_card,
    index_of_winning_card,
    tokens_in,
)
from referee.rules.profile.options import Options

ORDERS = ("sota_over_caballo", "caballo_over_sota")


@pytest.mark.rule(Rule.TRICK_TAKER)
@pytest.mark.parametrize(
    "cards, trump, order, winner",
    [
        ("AO", "O", "sota_over_caballo", "AO"),
        ("2O 3O AO RO", "C", "sota_over_caballo", "AO"),
        ("2O AC AE AB", "C", "sota_over_caballo", "AC"),
        ("2O AE AB AO", "C", "sota_over_caballo", "AO"),
        ("2O AE AB 4E", "C", "sota_over_caballo", "2O"),
        ("AO 2C 4C 3O", "C", "sota_over_caballo", "4C"),
        ("SO CO", "B", "sota_over_caballo", "SO"),
        ("SO CO", "B", "caballo_over_sota", "CO"),
        ("CO SO", "O", "caballo_over_sota", "CO"),
        ("7O 8O 9O CO", "E", "sota_over_caballo", "CO"),
        ("9O 8O 7O 6O", "E", "sota_over_caballo", "9O"),
    ],
)
def test_the_highest_trump_takes_the_trick_else_the_highest_of_the_suit_led(
    cards, trump, order, winner
):
    tokens = cards.split()
    at = index_of_winning_card([CARD[token] for token in tokens], SUITS.index(trump), order)
    assert tokens[at] == winner


@pytest.mark.rule(Rule.TRICK_TAKER)
@given(
    st.lists(st.sampled_from(CARDS), min_size=1, max_size=4, unique=True),
    st.sampled_from(range(4)),
    st.sampled_from(ORDERS),
)
def test_the_winner_is_the_one_the_wording_of_the_law_finds(cards, trump, order):
    trick = [naive.Play(str(at), naive.Card(*TOKENS[card])) for at, card in enumerate(cards)]
    expected = naive.winner(trick, SUITS[trump], Options(sota_caballo=order))
    assert index_of_winning_card(cards, trump, order) == int(expected.seat)


@given(st.sampled_from(CARDS), st.sampled_from(range(4)), st.sampled_from(ORDERS))
def test_a_card_is_beaten_by_exactly_those_that_would_take_the_trick_from_it(card, trump, order):
    beaten_by = [
        c for c in CARDS if c != card and index_of_winning_card([card, c], trump, order) == 1
    ]
    assert BEATS[order][trump][card] == sum(BIT[c] for c in beaten_by)


@pytest.mark.parametrize(
    "card, trump, order, beaten_by",
    [
        ("3O", "O", "sota_over_caballo", "AO"),
        ("AO", "O", "sota_over_caballo", ""),
        ("RC", "O", "caballo_over_sota", "2O 4O 5O 6O 7O 8O 9O CO SO RO 3O AO 3C AC"),
        ("SE", "B", "caballo_over_sota", "CE RE 3E AE 2B 4B 5B 6B 7B 8B 9B CB SB RB 3B AB"),
        ("SE", "E", "caballo_over_sota", "CE RE 3E AE"),
    ],
)
def test_what_beats_a_card_is_its_betters_and_every_trump_if_it_is_none(
    card, trump, order, beaten_by
):
    found = _cards_that_beat_each_card(ABOVE[order], SUITS.index(trump))
    assert tokens_in(found[CARD[card]]) == beaten_by.split()
    assert found == BEATS[order][SUITS.index(trump)]
