"""Breaches that only the count proves: one slip of the recorder may explain them too."""

from __future__ import annotations

import pytest

from referee.events import CardsShown, HandEntered
from referee.rules.cards import CARD, DECK_40, mask_of_tokens, tokens_in
from referee.rules.evidence.slips import Slip
from referee.table.judged import judged
from tests.support.records.table_text import NO_STOCK, dealt, plays
from tests.support.records.table_text import given as table_where

VOID = [CardsShown(seat, (), ("C",)) for seat in ("A1", "A2", "B2")]
HANDS = {
    "A1": "AC 2C 2E 4E 5E AO 3O RO SO CO".split(),
    "A2": "3C RC 4C 7E SE 7O 6O 5O RB 2O".split(),
    "B2": "SC CC 7C CE RE 3E AE AB 3B 4O".split(),
}
OTHERS = mask_of_tokens(token for hand in HANDS.values() for token in hand)
B1 = tokens_in(DECK_40 & ~OTHERS)
KNOWN = [HandEntered(seat, tuple(hand), "dealt") for seat, hand in HANDS.items()]


def row_of(scene, line):
    (row,) = [row for row in judged(scene.table, scene.state.acts) if row.line == line]
    return row


def test_two_seats_exchanged_or_a_neighbour_on_the_pad_explain_it():
    scene = table_where(NO_STOCK, *dealt(), *plays("A1 2C, B1 6E, A2 4C, B2 7C"), *VOID)
    row = row_of(scene, 4)
    assert (row.answer, row.by_count) == ("unlawful", True)
    assert row.slip is not None
    assert set(row.slip.lines) <= {3, 4, 5, 6}


def test_where_the_seats_cannot_be_exchanged_only_the_neighbour_is_left():
    """The others had hands of which every card is known; B1 alone can have had the 6C."""
    assert {"5C", "6C", "6E", "6B"} <= set(B1)
    scene = table_where(NO_STOCK, *dealt(), *KNOWN, *plays("A1 2C, B1 6E, A2 3C, B2 7C"))
    row = row_of(scene, 7)
    assert (row.answer, row.by_count) == ("unlawful", True)
    assert row.slip == Slip("card_mistaken", (7,), (CARD["6C"],))


@pytest.mark.parametrize("laid", ["6B", "4B"])
def test_where_no_neighbour_would_have_been_lawful_there_is_no_slip(laid):
    scene = table_where(NO_STOCK, *dealt(), *KNOWN, *plays(f"A1 2C, B1 {laid}, A2 3C, B2 7C"))
    row = row_of(scene, 7)
    assert (row.answer, row.by_count, row.slip) == ("unlawful", True, None)


@pytest.mark.parametrize(
    ("recorded", "slip"),
    [
        ("A1 2C, B1 6B, B2 7C, A2 3C", None),
        ("A1 2C, B1 5B, B1 4B, A2 3C", None),
    ],
)
def test_a_card_too_many_or_too_few_is_thought_of(recorded, slip):
    scene = table_where(NO_STOCK, *dealt(), *KNOWN, *plays(recorded))
    row = row_of(scene, 7)
    assert (row.answer, row.by_count, row.slip) == ("unlawful", True, slip)
