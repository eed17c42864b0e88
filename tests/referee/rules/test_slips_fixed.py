"""Slips on fixed deals and examples: fast enough to run for each mutant."""

from __future__ import annotations

import random
from functools import cache

import pytest

from referee.rules.cards import CARD, DECKS, SUITS, TOKENS, cards_in, mask_of_tokens
from referee.rules.evidence.slips import (
    LaidCard,
    RecordedTricks,
    breach_lines,
    lines_out_of_turn,
    neighbour_cards_on_pad,
    slip_that_explains_breach,
)
from referee.rules.profile.options import Options, deck_mask
from referee.rules.seats import SEATS
from tests.support.records.dealt_out import TABLES, taker_of
from tests.support.records.playing import options_of
from tests.support.servers.wording import duty_broken

DEALS = [(table, seed) for seed, table in enumerate(TABLES * 4)]


@cache
def played(table: tuple[str, int, int], seed: int) -> tuple[RecordedTricks, set[int], set[int]]:
    """A random deal, with the lines of its renuncios and of the cards out of turn."""
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
    noted = [[LaidCard(seats.index(s), CARD[c], next(lines)) for s, c in laid] for laid in tricks]
    left = tuple(mask_of_tokens(hands[seat]) for seat in seats)
    barred = {lay.line: left[lay.seat] for laid in noted for lay in laid}
    deck, order, suit = deck_mask(options), tuple(map(tuple, noted)), SUITS.index(trump)
    may, many = (deck,) * len(seats), len(seats)
    sizes = tuple(len(tricks) + cards.bit_count() for cards in left)
    course = RecordedTricks(
        order, many, arrastre, leader, suit, options, deck, left, may, left, sizes, barred
    )
    return course, against, astray


def test_breaches_are_those_of_the_wording_of_the_law():
    for one in DEALS:
        course, against, _ = played(*one)
        assert breach_lines(course) == against, one


def test_out_of_turn_is_who_was_not_due():
    for one in DEALS:
        course, _, astray = played(*one)
        assert lines_out_of_turn(course) == astray, one
    assert any(played(*one)[2] for one in DEALS)


@pytest.mark.parametrize(
    "card, deck, beside",
    [
        ("7O", 40, "6O CO 7C"),
        ("7O", 48, "6O 8O 7C"),
        ("2O", 40, "4O 2C"),
        ("AO", 40, "3O AC"),
        ("4O", 40, "2O 5O 4C"),
        ("2C", 40, "2O 4C 2E"),
        ("AB", 40, "AE 3B"),
        ("2B", 48, "2E 4B"),
        ("8E", 48, "8C 7E 9E 8B"),
    ],
)
def test_neighbours_are_beside_above_and_below_on_the_pad(card, deck, beside):
    assert neighbour_cards_on_pad(CARD[card], DECKS[deck]) == mask_of_tokens(beside.split())


def lawful_deal(chance: random.Random, options: Options) -> tuple[list[LaidCard], list[list[str]]]:
    """Cards of a deal with trump oros laid by their duties from the first trick, and the hands."""
    seats = SEATS[options.players]
    deck = [TOKENS[card] for card in cards_in(deck_mask(options))]
    chance.shuffle(deck)
    dealt = [deck[at * 6 : at * 6 + 6] for at in range(len(seats))]
    hands, due, flat = [list(hand) for hand in dealt], 0, []
    for _ in range(5):
        laid: list[tuple[str, str]] = []
        for step in range(len(seats)):
            at = (due + step) % len(seats)
            law = ("O", options)
            may = [
                c
                for c in hands[at]
                if not laid or not duty_broken(laid, seats[at], c, hands[at], law)
            ]
            card = chance.choice(may)
            hands[at].remove(card)
            laid.append((seats[at], card))
            flat.append(LaidCard(at, CARD[card], len(flat) + 1))
        due = seats.index(taker_of(laid, "O", options))
    return flat, dealt


def slipped(chance: random.Random, flat: list[LaidCard], kind: str, deck: int) -> list[LaidCard]:
    """The cards as they were entered, with one slip."""
    at, laid = chance.randrange(len(flat) - 6), list(flat)
    one, other = flat[at], flat[at + chance.randrange(1, 6)]
    beside = cards_in(neighbour_cards_on_pad(one.card, deck))
    if kind == "mistaken":
        card = chance.choice(beside)
        laid = [
            lay._replace(card={one.card: card, card: one.card}.get(lay.card, lay.card))
            for lay in laid
        ]
    elif kind == "exchanged":
        cards = {one.card: other.card, other.card: one.card}
        laid = [lay._replace(card=cards.get(lay.card, lay.card)) for lay in laid]
    elif kind == "twice":
        unseen = [c for c in cards_in(deck) if all(c != lay.card for lay in flat)]
        laid.insert(at, LaidCard(one.seat, chance.choice(unseen), 0))
    else:
        del laid[at]
    return [lay._replace(line=line) for line, lay in enumerate(laid, 1)]


@cache
def entered(kind: str, seed: int) -> RecordedTricks:
    """A deal with one slip of the recorder, cards of some hands known."""
    chance, options = random.Random(seed), options_of(TABLES[seed % len(TABLES)])
    many, deck = options.players, deck_mask(options)
    flat, hands = lawful_deal(chance, options)
    laid = slipped(chance, flat, kind, deck)
    own = [mask_of_tokens(chance.sample(hand, chance.choice([0, 0, 3]))) for hand in hands]
    may = [deck & ~(sum(own) - own[at]) for at in range(many)]
    seen = {lay.card for lay in laid}
    left = [mask_of_tokens(c for c in hand if CARD[c] not in seen) for hand in hands]
    left = [cards if chance.random() < 0.5 else 0 for cards in left]
    tricks = tuple(tuple(laid[at : at + many]) for at in range(0, len(laid), many))
    known, barred = tuple(left), {lay.line: left[lay.seat] for lay in laid}
    sizes = (len(hands[0]),) * many
    return RecordedTricks(
        tricks, many, 0, 0, 0, options, deck, known, tuple(may), known, sizes, barred
    )


def explained(one: RecordedTricks, line: int) -> str:
    """``seats_swapped 2 3: 4C 6E`` for the breach of a line, proved by the next card of its seat."""
    flat = [lay for trick in one.tricks for lay in trick]
    own = next(lay for lay in flat if lay.line == line)
    proof = next((lay.line for lay in flat if lay.seat == own.seat and lay.line > line), 0)
    slip = slip_that_explains_breach(one, line, proof)
    if slip is None:
        return "none"
    lines, cards = map(str, slip.lines), (TOKENS[card] for card in slip.cards)
    return f"{slip.kind} {' '.join(lines)}: {' '.join(cards)}"


# That a slip explains its breach is asserted in test_inserted_slips.py; here no answer may change unseen.
SLIPS = [
    ("mistaken", 1, 2, "card_mistaken 2: 7B"),
    ("mistaken", 2, 11, "seats_swapped 15 16: RE 4C"),
    ("mistaken", 5, 10, "none"),
    ("mistaken", 6, 20, "none"),
    ("mistaken", 7, 2, "card_mistaken 1: CE"),
    ("mistaken", 8, 4, "card_mistaken 4: AO"),
    ("mistaken", 14, 2, "none"),
    ("mistaken", 16, 14, "seats_swapped 14 16: CE AB"),
    ("mistaken", 33, 3, "seats_swapped 1 2: AC 3C"),
    ("exchanged", 1, 2, "seats_swapped 1 2: AO RB"),
    ("exchanged", 2, 11, "card_mistaken 16 18: RC RE"),
    ("exchanged", 3, 3, "none"),
    ("exchanged", 4, 2, "none"),
    ("exchanged", 5, 10, "seats_swapped 10 11: 2B AC"),
    ("exchanged", 6, 7, "seats_swapped 7 8: 6O 3B"),
    ("exchanged", 7, 2, "none"),
    ("exchanged", 8, 4, "card_mistaken 3: 5E"),
    ("exchanged", 13, 2, "card_mistaken 1: CE"),
    ("twice", 0, 2, "entered_twice 2: AC"),
    ("twice", 1, 2, "card_mistaken 3: 7E"),
    ("twice", 2, 11, "entered_twice 11: 5B"),
    ("twice", 3, 8, "card_mistaken 7: CC"),
    ("twice", 4, 2, "entered_twice 1: 2E"),
    ("twice", 5, 14, "seats_swapped 13 15: 7C 3B"),
    ("twice", 6, 14, "entered_twice 13: CO"),
    ("twice", 10, 2, "entered_twice 1: CC"),
    ("twice", 11, 18, "none"),
    ("twice", 12, 11, "none"),
    ("twice", 19, 10, "seats_swapped 9 12: 4O 5B"),
    ("twice", 22, 6, "none"),
    ("left out", 0, 4, "left_out 2: 2E"),
    ("left out", 1, 2, "entered_twice 1: RB"),
    ("left out", 2, 16, "left_out 13: 2E"),
    ("left out", 4, 2, "entered_twice 1: 5B"),
    ("left out", 5, 12, "seats_swapped 10 12: AC 2B"),
    ("left out", 7, 2, "entered_twice 1: CC"),
    ("left out", 8, 4, "none"),
    ("left out", 9, 10, "seats_swapped 13 15: CC 6O"),
    ("left out", 10, 6, "none"),
    ("left out", 11, 16, "seats_swapped 14 16: RB SO"),
    ("left out", 13, 2, "card_mistaken 1: CE"),
    ("left out", 15, 4, "card_mistaken 3: 7C"),
    ("left out", 16, 12, "card_mistaken 12: 7C"),
    ("left out", 34, 8, "none"),
    ("left out", 36, 2, "none"),
]


@pytest.mark.parametrize("kind, seed, line, slip", SLIPS)
def test_the_slip_that_would_explain_a_breach(kind, seed, line, slip):
    one = entered(kind, seed)
    assert line in breach_lines(one)
    assert explained(one, line) == slip


def test_nothing_explains_what_is_no_breach():
    one = entered("twice", 0)
    assert slip_that_explains_breach(one, 1, 0) is None
