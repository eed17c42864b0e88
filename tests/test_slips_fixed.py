"""Slips by fixed deals and examples: quick enough to be run on each mutant."""

from __future__ import annotations

import random
from functools import cache

import pytest

from referee.rules.cards import CARD, DECKS, SUITS, TOKENS, cards_in, mask_of_tokens
from referee.rules.deck import deck_mask
from referee.rules.seats import SEATS
from referee.rules.slips import Course, Lay, breaches, neighbours, out_of_turn
from tests.dealt_out import TABLES, taker_of
from tests.playing import options_of
from tests.wording import duty_broken

DEALS = [(table, seed) for seed, table in enumerate(TABLES + TABLES)]


@cache
def played(table: tuple[str, int, int], seed: int) -> tuple[Course, set[int], set[int]]:
    """A deal laid by chance, with the lines of its renuncios and of the cards out of turn."""
    chance, options = random.Random(seed), options_of(table)
    seats = SEATS[options.players]
    cards = [TOKENS[card] for card in cards_in(deck_mask(options))]
    chance.shuffle(cards)
    trump, many = chance.choice(SUITS), chance.randrange(3, 7)
    hands = {seat: cards[at * many : (at + 1) * many] for at, seat in enumerate(seats)}
    arrastre, leader = chance.randrange(3), chance.randrange(len(seats))
    due, line, tricks, against, astray = leader, 0, [], set(), set()
    for number in range(many - chance.randrange(2)):
        laid = []
        first = due if chance.random() < 0.7 else chance.randrange(len(seats))
        for step in range(len(seats)):
            line += 1
            seat = seats[(first + step) % len(seats)]
            if first != due:
                astray.add(line)
            card = chance.choice(hands[seat])
            law = (trump, options)
            if laid and number >= arrastre and duty_broken(laid, seat, card, hands[seat], law):
                against.add(line)
            hands[seat].remove(card)
            laid.append((seat, card))
        due = seats.index(taker_of(laid, trump, options))
        tricks.append(laid)
    lines = iter(range(1, line + 1))
    course = Course(
        tuple(tuple(Lay(seats.index(s), CARD[c], next(lines)) for s, c in laid) for laid in tricks),
        len(seats),
        arrastre,
        leader,
        SUITS.index(trump),
        options,
        deck_mask(options),
        tuple(mask_of_tokens(hands[seat]) for seat in seats),
        (deck_mask(options),) * len(seats),
    )
    return course, against, astray


def test_breaches_are_those_of_the_wording_of_the_law():
    for one in DEALS:
        course, against, _ = played(*one)
        assert breaches(course) == against, one


def test_out_of_turn_is_who_was_not_due():
    for one in DEALS:
        course, _, astray = played(*one)
        assert out_of_turn(course) == astray, one
    assert any(played(*one)[2] for one in DEALS)


@pytest.mark.parametrize(
    "card, deck, beside",
    [
        ("7O", 40, "6O CO 7C"),
        ("7O", 48, "6O 8O 7C"),
        ("2O", 40, "4O 2C"),
        ("AO", 40, "3O AC"),
        ("2C", 40, "2O 4C 2E"),
        ("AB", 40, "AE 3B"),
        ("2B", 48, "2E 4B"),
        ("8E", 48, "8C 7E 9E 8B"),
    ],
)
def test_neighbours_are_beside_above_and_below_on_the_pad(card, deck, beside):
    assert neighbours(CARD[card], DECKS[deck]) == mask_of_tokens(beside.split())
