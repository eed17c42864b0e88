"""What a seat imagines: its own cards and the course stay, and the rest may be anywhere it can."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.library import Deal, Partida, Seat, profiles
from tests.support.servers.long_runs import RUNS

TABLES = [
    (one, players, deck) for one in profiles() for players in one.players for deck in one.decks
]


@pytest.mark.parametrize("rules, players, deck", TABLES, ids=lambda one: getattr(one, "id", one))
@given(st.integers(0, 1 << 32))
@settings(max_examples=3 * RUNS)
def test_what_is_imagined_could_have_been_played_so(rules, players, deck, seed):
    partida, chance = Partida(rules, players=players, deck=deck), random.Random(seed)
    partida.push(Deal.random(seed, partida.options))
    while seat := partida.whose_turn:
        for one in partida.seats:
            while possible := partida.announcements(one):
                partida.push(possible[0])
        world = partida.imagine(seat, chance)
        assert world.findings == ()
        assert (world.hand(seat), world.lawful) == (partida.hand(seat), partida.lawful)
        assert (world.trick, world.tricks) == (partida.trick, partida.tricks)
        assert (world.score, world.stock, world.pinta) == (
            *(partida.score, partida.stock, partida.pinta),
        )
        partida.push(chance.choice(list(partida.lawful)))


def test_the_cards_of_others_are_laid_anew_and_the_true_ones_are_not_favoured():
    partida, chance = Partida(), random.Random(1)
    partida.push(Deal.random(7))
    held = partida.hand(Seat.B1)
    same = [len(partida.imagine(Seat.A1, chance).hand(Seat.B1) & held) for _ in range(300)]
    assert 0.8 < sum(same) / 300 < 1.4  # 6 cards of 33, so 36/33 of them on average


def test_a_suit_that_a_seat_did_not_follow_is_never_given_to_it():
    partida, chance = Partida(), random.Random(3)
    partida.push(Deal.random(3))
    while partida.stock:
        partida.push(chance.choice(list(partida.lawful)))
    checked = 0
    while seat := partida.whose_turn:
        trick = partida.trick
        if trick.led and not any(card.suit is trick.led for card in partida.hand(seat)):
            void, led = seat, trick.led
            partida.push(next(iter(partida.lawful)))
            for other in partida.seats:
                if other is not void:
                    world = partida.imagine(other, chance)
                    assert not [card for card in world.hand(void) if card.suit is led]
                    checked += 1
        else:
            partida.push(next(iter(partida.lawful)))
    assert checked > 10


def test_it_begins_where_it_was_imagined():
    partida = Partida()
    with pytest.raises(ValueError, match="nothing is dealt"):
        partida.imagine(Seat.A1, random.Random(1))
    partida.push("reparto B2\npinta 4O\ncartas A1 AO")
    with pytest.raises(ValueError, match="not every card of the deal is known"):
        partida.imagine(Seat.A1, random.Random(1))
    partida.pop()
    partida.push(Deal.random(7))
    world = partida.imagine(Seat.A1, random.Random(1))
    assert world.pushed == ()
    with pytest.raises(IndexError):
        world.pop()
    assert Partida.from_record(world.record()) == world
