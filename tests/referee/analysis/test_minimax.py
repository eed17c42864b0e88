"""The engine against minimax over the law, card by card."""

from __future__ import annotations

import random

import pytest

from referee.analysis.engine import Aim, Engine, write_question_on_sheet
from referee.analysis.position import KnownPosition
from referee.rules.cards import DECKS, cards_in, mask_of
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.profile import profiles
from referee.rules.seats import SEATS
from tests.referee.analysis.freeze import frozen, numbers
from tests.support.analysis.endings import BLOCK, digest, ending, tables
from tests.support.analysis.marks import NEEDS_ENGINE

pytestmark = NEEDS_ENGINE
FRESH = range(20_000, 20_050)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_endings_never_seen_before_are_priced_as_minimax_prices_them(engine: Engine) -> None:
    for number in FRESH:
        one = ending(number)
        assert one.by(engine) == one.by_trying(), number


def test_ten_thousand_endings_are_priced_as_minimax_priced_them(engine: Engine) -> None:
    blocks = frozen()
    assert len(blocks) * BLOCK >= 10_000
    wrong = [
        block
        for block, (tried, _) in blocks.items()
        if digest([ending(number).by(engine) for number in numbers(block)]) != tried
    ]
    assert wrong == []


def test_the_endings_are_of_every_profile_and_table_and_of_all_kinds() -> None:
    endings = [ending(number) for number in range(2_000)]
    asked = {(one.known.options, one.aim) for one in endings}
    assert asked == {(options, aim) for options in tables() for aim in Aim}
    of_profiles = {
        p.options(t.players, t.deck) for p in profiles() for t in p.options_of_every_table()
    }
    assert of_profiles <= {one.known.options for one in endings}
    kinds = {
        "inside": sum(bool(one.known.laid) for one in endings),
        "stock": sum(bool(one.known.stock) for one in endings),
        "swap": sum(bool(one.known.swap) for one in endings),
        "gap": sum(one.known.sung_now is not None for one in endings),
        "four": sum(max(h.bit_count() for h in one.known.hands) > 3 for one in endings),
        "alone": sum(one.known.options.players == 3 for one in endings),
    }
    assert min(kinds.values()) > 50, kinds


def test_the_lawful_cards_are_those_of_the_law(engine: Engine) -> None:
    compared = 0
    for number in range(12_000):
        r = random.Random(f"lawful {number}")
        options = tables()[number % len(tables())]
        seats = SEATS[options.players]
        deck = cards_in(DECKS[options.deck])
        r.shuffle(deck)
        size, laid = r.randint(1, 10), r.randrange(len(seats))
        leader, trump = r.randrange(len(seats)), r.randrange(4)
        hands = [0] * len(seats)
        for place in range(len(seats)):
            has_laid = (place - leader) % len(seats) < laid
            hands[place] = mask_of(deck.pop() for _ in range(size - has_laid))
        known = KnownPosition(
            options, trump, seats[leader], tuple(hands), tuple(deck.pop() for _ in range(laid))
        )
        duty = position_before_play(known.plays_of_open_trick, known.seat_to_play, trump, options)
        held = known.hand_of_seat(known.seat_to_play)
        write_question_on_sheet(engine.sheet, known, known.side_to_play, Aim.LEAD)
        engine.sheet.most_nodes = 0  # the duties are told before the search begins
        engine.call_export("prices")
        assert engine.sheet.lawful == (held if duty is None else lawful_plays(duty, held)), known
        compared += duty is not None
    assert compared > 6_000
