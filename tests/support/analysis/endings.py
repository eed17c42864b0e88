"""Random endings, each known by its number: of every profile and table, and of options besides."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256

from referee.analysis.engine import Aim, Engine, write_question_on_sheet
from referee.analysis.position import KnownPosition
from referee.rules.cards import BIT, DECKS, Card, Mask, cards_in, mask_of
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.profile.options import Options, card_for_swap
from referee.rules.profile.profile import profiles
from referee.rules.seats import SEATS, SIDES, Seat, Side, order_from, side_of
from tests.support.analysis.minimax import Minimax

BLOCK = 100
"""Endings whose answers have one digest."""
LONG_EVERY = 100
"""Of so many endings one has a trick more."""


@dataclass(frozen=True)
class Ending:
    """A question: what ``side`` makes of a position if ``friends`` play for it."""

    known: KnownPosition
    side: Side
    aim: Aim
    friends: frozenset[Seat]

    def by_trying(self) -> tuple[int, ...]:
        """Value, and the price of each card held, by minimax."""
        tree = Minimax(self.known, self.side, self.aim, self.friends)
        held = cards_in(self.known.hand_of_seat(self.known.seat_to_play))
        return (tree.value(), *(tree.price(card) for card in held))

    def by(self, engine: Engine) -> tuple[int, ...]:
        """The same by the engine."""
        return self.with_nodes(engine)[:-2]

    def with_nodes(self, engine: Engine) -> tuple[int, ...]:
        """Value, prices, and the nodes that the value and the prices took."""
        write_question_on_sheet(engine.sheet, self.known, self.side, self.aim, self.friends)
        engine.sheet.most_nodes = 1_000_000
        value, value_nodes = engine.call_export("value"), engine.sheet.nodes
        engine.call_export("prices")
        held = cards_in(self.known.hand_of_seat(self.known.seat_to_play))
        prices = (engine.sheet.price[card] for card in held)
        return (value, *prices, value_nodes, engine.sheet.nodes)


@cache
def tables() -> tuple[Options, ...]:
    """Every table of every profile, and tables with each option of play the other way."""
    found = [p.options(t.players, t.deck) for p in profiles() for t in p.options_of_every_table()]
    club = next(iter(found))
    two = replace(club, players=2)
    hard = replace(club, beat_partner=True, trump_partner=True, beat_after_trumped=True)
    return (
        *found,
        replace(hard, overtrump=False, undertrump="forced", deck=48),
        replace(hard, sota_caballo="caballo_over_sota", undertrump="forced", cantes_per_player=3),
        replace(club, overtrump=False, cantes_per_player=2, cantes_per_side=1),
        replace(club, trump_partner=True, cantes_per_player=2, cantes_per_side=0),
        replace(club, cante_needs_trick="any_trick", cantes_per_side=1),
        replace(club, cante_window="before_draw", last_trick_points=20),
        replace(two, cante_needs_trick="any_trick", cantes_per_player=2),
        replace(two, cante_window="before_rival_card", cantes_per_player=1),
        replace(two, cante_window="before_draw", cante_before_swap=True),
        replace(club, players=3, cante_needs_trick="any_trick", deck=48),
    )


def ending(number: int) -> Ending:
    """The ending of this number: always the same."""
    r = random.Random(f"ending {number}")
    options = tables()[number % len(tables())]
    seats = SEATS[options.players]
    rounds = r.choice((0, 0, 1)) if options.has_stock else 0
    most = {2: 4, 3: 3, 4: 3}[options.players]
    tricks = most - rounds * (options.players > 2) + (number % LONG_EVERY == 0 and not rounds)
    cards = _shuffled(r, options, (tricks + rounds) * len(seats))
    if rounds and options.swap:
        given = card_for_swap(options, cards[-1] // 12)
        if given not in cards:
            cards[r.randrange(len(seats))] = given
    hands = [mask_of(cards[i :: len(seats)][:tricks]) for i in range(len(seats))]
    stock = tuple(cards[tricks * len(seats) :])
    known = KnownPosition(
        options,
        stock[-1] // 12 if stock else r.randrange(4),
        r.choice(seats),
        tuple(hands),
        stock=stock,
        sung=frozenset(s for s in range(4) if r.random() < 0.15),
        winners=frozenset(s for s in SIDES[len(seats)] if r.random() < 0.6),
    )
    known = _with_gap(r, known)
    if r.random() < 0.5:
        known = _inside_a_trick(r, known)
    return _asked(r, known)


def _shuffled(r: random.Random, options: Options, count: int) -> list[Card]:
    """Some cards of the deck, the figures and the high ones more often: there has to be something."""
    deck = cards_in(DECKS[options.deck])
    r.shuffle(deck)
    deck.sort(key=lambda card: card % 12 not in {7, 8, 9, 11} and r.random() < 0.8)
    cards = deck[:count]
    r.shuffle(cards)
    return cards


def _with_gap(r: random.Random, known: KnownPosition) -> KnownPosition:
    """What the last trick still allows: cantes in half of the endings, a swap where it can be."""
    seats = SEATS[known.options.players]
    if r.random() < 0.5:
        sung_now = tuple(
            int(side_of(s) == side_of(known.leader) and r.random() < 0.2) for s in seats
        )
        known = replace(known, sung_now=sung_now)
    if known.stock and known.options.swap:
        given = card_for_swap(known.options, known.trump)
        holder = next((s for s in seats if known.hand_of_seat(s) & BIT[given]), None)
        if holder:
            known = replace(known, swap=(holder, given))
    return known


def _inside_a_trick(r: random.Random, known: KnownPosition) -> KnownPosition:
    """The same some lawful cards later."""
    hands: list[Mask] = list(known.hands)
    seats, laid = SEATS[known.options.players], known.laid
    for seat in order_from(known.leader, len(seats))[: r.randrange(1, len(seats))]:
        place = seats.index(seat)
        plays = tuple(zip(order_from(known.leader, len(seats)), laid, strict=False))
        duty = position_before_play(plays, seat, known.trump, known.options)
        may = hands[place] if duty is None or known.stock else lawful_plays(duty, hands[place])
        card = r.choice(cards_in(may))
        hands[place] &= ~BIT[card]
        laid = (*laid, card)
    closed = (
        known.position_without_cante_or_swap()
        if known.options.cante_window != "before_rival_card"
        else known
    )
    return replace(closed, hands=tuple(hands), laid=laid, swap=None)


def _asked(r: random.Random, known: KnownPosition) -> Ending:
    """What is asked: mostly points, else tricks with some friends only, or points of one's own."""
    seats = SEATS[known.options.players]
    side = r.choice(SIDES[len(seats)])
    ours = frozenset(seat for seat in seats if side_of(seat) == side)
    kind = r.random()
    if kind < 0.7:
        return Ending(
            known,
            known.side_to_play,
            Aim.LEAD,
            frozenset(s for s in seats if side_of(s) == known.side_to_play),
        )
    if kind < 0.85:
        return Ending(known, side, Aim.POINTS, ours)
    friends = frozenset(seat for seat in seats if seat in ours and r.random() < 0.5)
    return Ending(known, side, Aim.TRICKS, friends)


def digest(answers: list[tuple[int, ...]]) -> str:
    """Sixteen letters for the answers of a block."""
    return sha256(repr(answers).encode()).hexdigest()[:16]
