"""Duties of play in arrastre: which cards may be laid, and which duty each other card breaks.

The caller knows whether the duties apply (the stock is empty). A ``Position`` holds the duties that
an open trick gives to the next seat; it does not depend on the hand of that seat.
``docs/law/duties.md`` shows how the six situations become masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from referee.rules.articles import Rule
from referee.rules.cards import (
    ABOVE,
    BIT,
    CARDS,
    SUIT_MASK,
    SUIT_OF,
    Card,
    Mask,
    Suit,
    index_of_winning_card,
)
from referee.rules.profile.options import Options, RenuncioCase
from referee.rules.seats import Seat, side_of

_CASES: dict[Rule, RenuncioCase] = {
    Rule.FOLLOW: "follow",
    Rule.BEAT: "beat",
    Rule.TRUMP: "trump",
    Rule.OVERTRUMP: "trump",
    Rule.UNDERTRUMP: "trump",
}
COMMON = "duties_from"
"""Option under whose article a rulebook states the duties that all rulebooks share."""


class Law(NamedTuple):
    """The options on which the duties depend, and no other: a key of caches."""

    order: str
    beat_partner: bool
    trump_partner: bool
    beat_after_trumped: bool
    overtrump: bool
    undertrump: str


class Duty(NamedTuple):
    """One duty: whoever holds a card of ``when`` must lay one of ``keep``.

    ``when`` is part of ``keep``. ``option`` is the option on which the duty rests.
    """

    rule: Rule
    when: Mask
    keep: Mask
    option: str


class Charge(NamedTuple):
    """A duty that a play breaks if one of ``cards`` was held besides the card laid."""

    rule: Rule
    cards: Mask
    option: str


Bounds: TypeAlias = tuple[Mask, Mask, Mask, Mask]
"""A position as four masks, led, when, keep, last: what ``lawful`` needs, no reasons.

A named tuple takes a quarter longer (docs/developing/performance.md).
"""
BoundsTable: TypeAlias = list[list[Bounds | None]]


@dataclass(frozen=True, slots=True)
class Position:
    """Duties that an open trick gives: the suit led, duties with that suit in hand, and without it.

    ``follow`` binds only who holds a card of ``led``, ``void`` only who holds none. Of each chain
    the duties are met in order, each within what the one before left.
    """

    led: Mask
    follow: tuple[Duty, ...]
    void: tuple[Duty, ...]
    bounds: Bounds


def position_before_play(
    plays: Sequence[tuple[Seat, Card]], seat: Seat, trump: Suit, options: Options
) -> Position | None:
    """Position of a seat before it lays a card on the plays of an open trick; None when it leads.

    >>> from referee.rules.cards import CARD, OROS, mask_of_tokens, tokens_in
    >>> position = position_before_play([("B2", CARD["RC"])], "A1", OROS, Options())
    >>> tokens_in(lawful_plays(position, mask_of_tokens(["AO", "2E"])))
    ['AO']
    """
    if not plays:
        return None
    cards = [card for _, card in plays]
    best = index_of_winning_card(cards, trump, options.sota_caballo)
    above = ABOVE[options.sota_caballo]
    high = cards[0]
    for card in cards[1:]:
        if above[high] & BIT[card]:
            high = card
    is_partner = side_of(plays[best][0]) == side_of(seat)
    return position_by_highest_cards(
        law_of_duties(options), trump, (high, cards[best]), is_partner=is_partner
    )


def law_of_duties(options: Options) -> Law:
    """The options on which the duties depend."""
    return Law(
        options.sota_caballo,
        options.beat_partner,
        options.trump_partner,
        options.beat_after_trumped,
        options.overtrump,
        options.undertrump,
    )


@lru_cache(maxsize=1 << 14)
def position_by_highest_cards(
    law: Law, trump: Suit, cards: tuple[Card, Card], *, is_partner: bool
) -> Position:
    """Position when ``cards`` are the highest of the suit led and the card that wins.

    ``is_partner``: the winning card lies before the seat's own side. Cached: otherwise an act
    takes a tenth more processor time in the store (docs/developing/performance.md).
    """
    led = SUIT_MASK[SUIT_OF[cards[0]]]
    follow = _duties_with_suit(law, trump, cards, is_partner=is_partner)
    void = (
        ()
        if SUIT_OF[cards[0]] == trump
        else _duties_when_void(law, trump, cards[1], is_partner=is_partner)
    )
    first = follow + void[:1]
    when = sum(duty.when for duty in first)
    keep = sum(duty.keep for duty in first)
    last = sum(duty.keep for duty in void[1:])
    return Position(led, follow, void, (led, when, keep, last))


def _duties_with_suit(
    law: Law, trump: Suit, cards: tuple[Card, Card], *, is_partner: bool
) -> tuple[Duty, ...]:
    """Duties, besides following suit, of a seat that holds the suit led."""
    high, best = cards
    higher = ABOVE[law.order][high]
    is_trumped = SUIT_OF[best] == trump != SUIT_OF[high]
    if (is_partner and not law.beat_partner) or (is_trumped and not law.beat_after_trumped):
        return ()
    if is_trumped:
        return (Duty(Rule.BEAT, higher, higher, "beat_after_trumped"),)
    return (Duty(Rule.BEAT, higher, higher, "beat_partner" if is_partner else COMMON),)


def _duties_when_void(law: Law, trump: Suit, best: Card, *, is_partner: bool) -> tuple[Duty, ...]:
    """Duties of a seat that has no card of the suit led, if trump was not led."""
    trumps = SUIT_MASK[trump]
    if is_partner:
        return (Duty(Rule.TRUMP, trumps, trumps, "trump_partner"),) if law.trump_partner else ()
    if SUIT_OF[best] != trump:
        return (Duty(Rule.TRUMP, trumps, trumps, COMMON),)
    higher = ABOVE[law.order][best]
    if law.overtrump:
        over = Duty(Rule.OVERTRUMP, higher, higher, "overtrump")
    else:
        over = Duty(Rule.TRUMP, higher, trumps, "overtrump")
    if law.undertrump == "forced":
        return (over, Duty(Rule.UNDERTRUMP, trumps, trumps, "undertrump"))
    return (over,)


@lru_cache(maxsize=64)
def bounds_by_highest_cards(law: Law, trump: Suit) -> tuple[BoundsTable, BoundsTable]:
    """Bounds of every position, for loops over many deals: against an opponent, and a partner.

    ``table[high][best]`` as in ``position_by_highest_cards``; None where the one cannot be led and
    the other win.
    """
    against: list[list[Bounds | None]] = [[None] * len(CARDS) for _ in CARDS]
    beside: list[list[Bounds | None]] = [[None] * len(CARDS) for _ in CARDS]
    for high, best in product(CARDS, CARDS):
        if high == best or SUIT_OF[high] != SUIT_OF[best] == trump:
            cards = (high, best)
            against[high][best] = position_by_highest_cards(
                law, trump, cards, is_partner=False
            ).bounds
            beside[high][best] = position_by_highest_cards(
                law, trump, cards, is_partner=True
            ).bounds
    return against, beside


def lawful_plays(position: Position, hand: Mask) -> Mask:
    """Cards of the hand that break no duty; empty only if the hand is empty."""
    led, when, keep, last = position.bounds
    scope = hand & led or hand
    return scope & keep if scope & when else scope & last or scope


def narrowing_duty(position: Position, hand: Mask) -> Duty | None:
    """The last duty that narrowed the choice of this hand; None if every card may be laid."""
    scope, found = hand, None
    for duty in _duties_of_hand(position, hand):
        kept = scope & duty.keep
        if scope & duty.when and kept != scope:
            scope, found = kept, duty
    return found


def rule_of_narrowing_duty(position: Position, hand: Mask) -> Rule | None:
    """Rule of the last duty that narrowed the choice; None if every card may be laid."""
    duty = narrowing_duty(position, hand)
    return duty.rule if duty else None


def first_broken_rule(position: Position, hand: Mask, card: Card) -> Rule | None:
    """The duty that a card of this hand would break, the first if several; None if it is lawful."""
    scope = hand
    for duty in _duties_of_hand(position, hand):
        if scope & duty.when:
            if not duty.keep & BIT[card]:
                return duty.rule
            scope &= duty.keep
    return None


def charges_against_card(position: Position, card: Card) -> tuple[Charge, ...]:
    """Charges that laying ``card`` may raise, whatever the hand; the first of them was broken."""
    is_following = bool(position.led & BIT[card])
    found = [] if is_following else [Charge(Rule.FOLLOW, position.led, COMMON)]
    chain = position.follow if is_following else position.void
    found += [Charge(d.rule, d.when, d.option) for d in chain if not d.keep & BIT[card]]
    return tuple(found)


def rule_proved_broken(position: Position, card: Card, held: Card) -> Rule:
    """Rule of the duty that laying ``card`` broke, as the card ``held`` proves."""
    rule = first_broken_rule(position, BIT[card] | BIT[held], card)
    assert rule is not None
    return rule


def renuncio_case_of_rule(rule: Rule) -> RenuncioCase:
    """Case of renuncio of a breach of this duty, as in the option ``renuncio_cases``.

    >>> renuncio_case_of_rule(Rule.OVERTRUMP)
    'trump'
    """
    return _CASES[rule]


def _duties_of_hand(position: Position, hand: Mask) -> tuple[Duty, ...]:
    """Duties that bind this hand, in order."""
    if hand & position.led:
        return (Duty(Rule.FOLLOW, position.led, position.led, COMMON), *position.follow)
    return position.void
