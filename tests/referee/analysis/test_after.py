"""Best play card after card: by the law, and what is made on the way is the value at its beginning."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.analysis.engine import WITHOUT_END, Aim, Engine, write_question_on_sheet
from referee.analysis.position import KnownPosition
from referee.analysis.questions import position_after_card_or_none, position_value_or_none
from referee.rules.cards import (
    CANTE_PAIR,
    CARD,
    DECKS,
    Card,
    cards_in,
    index_of_winning_card,
    mask_of,
    mask_of_tokens,
    points_of,
)
from referee.rules.counts import CANTE_OF_ANOTHER, CANTE_OF_TRUMP
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, Seat, Side, order_from, side_of
from tests.support.analysis.endings import ending
from tests.support.analysis.marks import NEEDS_ENGINE

pytestmark = NEEDS_ENGINE
SAMPLES = 600


def arrastres() -> list[KnownPosition]:
    """Endings of every profile and table without a stock, when nobody sings any more."""
    found = (ending(number).known for number in range(SAMPLES))
    return [known.position_without_cante_or_swap() for known in found if not known.stock]


def best_card(known: KnownPosition, side: Side, engine: Engine) -> Card:
    """The card that the seat to play lays for a side, or against it."""
    write_question_on_sheet(engine.sheet, known, side, Aim.LEAD)
    engine.sheet.most_nodes = WITHOUT_END
    assert engine.call_export_or_none("prices") is not None
    choose = max if known.side_to_play == side else min
    return choose(cards_in(engine.sheet.lawful), key=lambda card: engine.sheet.price[card])


def taken(known: KnownPosition, card: Card) -> tuple[Seat, int]:
    """Who takes the trick that a card closes, and its points."""
    cards = [*known.laid, card]
    order = order_from(known.leader, len(cards))
    taker = order[index_of_winning_card(cards, known.trump, known.options.sota_caballo)]
    is_last = not sum(known.hands) & ~mask_of([card])
    return taker, points_of(mask_of(cards)) + is_last * known.options.last_trick_points


def songs(known: KnownPosition, then: KnownPosition | None) -> list[tuple[Seat, int]]:
    """Who has sung which suit between two positions."""
    if then is None:
        return []
    held = list(zip(SEATS[then.options.players], then.hands, strict=True))
    return [
        (seat, suit)
        for suit in then.sung - known.sung
        for seat, hand in held
        if hand & CANTE_PAIR[suit] == CANTE_PAIR[suit]
    ]


def check_songs(then: KnownPosition, sung: list[tuple[Seat, int]]) -> None:
    """Whoever sang was allowed to, and nobody sang who held nothing."""
    options = then.options
    assert not sung or options.cante_in_arrastre
    for seat, count in Counter(seat for seat, _ in sung).items():
        has_won = side_of(seat) in then.winners and options.cante_needs_trick == "any_trick"
        assert has_won or side_of(seat) == side_of(then.leader)
        assert count <= options.cantes_per_player
    for count in Counter(side_of(seat) for seat, _ in sung).values():
        assert not options.cantes_per_side or count <= options.cantes_per_side


def made(known: KnownPosition, side: Side, engine: Engine) -> int:
    """Twice what a side makes card after card: its points, half of its cantes less half of theirs."""
    twice, now = 0, known
    while True:
        card = best_card(now, side, engine)
        then = position_after_card_or_none(now, card, side)
        if len(now.laid) + 1 == now.options.players:
            taker, points = taken(now, card)
            twice += 2 * points * (side_of(taker) == side)
            assert then is None or (then.leader == taker and side_of(taker) in then.winners)
        sung = songs(now, then)
        for seat, suit in sung:
            worth = CANTE_OF_TRUMP if suit == known.trump else CANTE_OF_ANOTHER
            twice += worth if side_of(seat) == side else -worth
        if then is None:
            return twice
        assert len(then.sung - now.sung) == len(sung)
        check_songs(then, sung)
        now = then


def test_what_is_made_on_the_way_is_the_value_at_the_beginning() -> None:
    engine = Engine()
    for known in arrastres():
        found = position_value_or_none(known)
        assert found is not None
        assert made(known, known.side_to_play, engine) == 2 * found, known


def with_two_pairs(number: int) -> KnownPosition:
    """A1 is to lay the as of trump on a trick, and has two cantes, of which it may sing one."""
    r = random.Random(f"two pairs {number}")
    own = mask_of_tokens("AO RO SO RC SC".split())
    rest = cards_in(DECKS[40] & ~own)
    r.shuffle(rest)
    others = (mask_of(rest[place * 4 : place * 4 + 4]) for place in range(3))
    return KnownPosition(Options(), 0, "B1", (own, *others), tuple(rest[12:15]))


def test_where_a_limit_leaves_one_out_what_keeps_the_value_is_sung() -> None:
    engine, sung_first = Engine(), set()
    for known in map(with_two_pairs, range(200)):
        then = position_after_card_or_none(known, CARD["AO"])
        (suit,) = [suit for seat, suit in songs(known, then) if seat == "A1"]
        sung_first.add(suit)
        found = position_value_or_none(known)
        assert found is not None
        assert made(known, "A", engine) == 2 * found
    assert sung_first == {0, 1}


@pytest.mark.parametrize("number", range(0, 40, 5))
def test_a_card_within_a_trick_is_laid_on_it(number: int) -> None:
    known = arrastres()[number]
    card = cards_in(known.hand_of_seat(known.seat_to_play))[0]
    then = position_after_card_or_none(known, card)
    if len(known.laid) + 1 < known.options.players:
        assert then is not None
        assert then.laid == (*known.laid, card)
        assert (then.leader, then.sung) == (known.leader, known.sung)
