"""Slips of the recorder: whether one of them would explain what looks like a renuncio.

A slip of a card is one of four: two seats exchanged within a trick, a card taken for another beside
it on the pad, a card entered that was not laid, a card left out. It explains a breach if the
corrected record has no breach at that act, no new breach elsewhere, and nobody newly out of turn.
A draw noted one act late may explain a cante. Law: section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Literal, NamedTuple, TypeAlias

from referee.rules.cards import (
    ABOVE,
    BEATS,
    BIT,
    PLACES,
    SUITS,
    Card,
    Mask,
    Suit,
    index_of_winning_card,
)
from referee.rules.duties import bounds_by_highest_cards, law_of_duties
from referee.rules.profile.options import Options

PAIRED = 4
SlipKind: TypeAlias = Literal[
    "seats_swapped", "card_mistaken", "entered_twice", "left_out", "draw_late"
]


class LaidCard(NamedTuple):
    """A card laid by a seat, which is its place in order of play."""

    seat: int
    card: Card
    line: int


LaidCards: TypeAlias = tuple[LaidCard, ...]


class Slip(NamedTuple):
    """A possible recording error: its lines, and the cards as they should be.

    ``seats_swapped``: the two lines; ``card_mistaken``: one line, or two whose cards were taken for
    each other; ``entered_twice``: the line too many; ``left_out``: the line before which the card
    was laid; ``draw_late``: a cante, and the line after it of a draw that happened before.
    """

    kind: SlipKind
    lines: tuple[int, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RecordedTricks:
    """The tricks of a deal as recorded, the last one perhaps open.

    Duties hold from the trick ``arrastre`` on, counted from 0. ``leader`` is due to lead the first
    trick. ``left`` are the cards known to be left in each hand, ``may`` those that a seat can have
    had by all that is known otherwise than from the cards it laid, ``known`` those that it had by
    that, and ``sizes`` how many it was given in all. ``barred`` are for each play the cards that
    its seat showed after it, or certainly lacked.
    """

    tricks: tuple[LaidCards, ...]
    seats: int
    arrastre: int
    leader: int
    trump: Suit
    options: Options
    deck: Mask
    left: tuple[Mask, ...]
    may: tuple[Mask, ...]
    known: tuple[Mask, ...]
    sizes: tuple[int, ...]
    barred: Mapping[int, Mask]

    @property
    def cards_seen(self) -> Mask:
        """Cards laid, and those known to be left."""
        found = sum(BIT[lay.card] for trick in self.tricks for lay in trick)
        for cards in self.left:
            found |= cards
        return found


def breach_lines(course: RecordedTricks) -> set[int]:
    """Lines of plays that are proved breaches by a later or a remaining card of the same hand.

    If every card was seen, these are all the renuncios.
    """
    order, trump = course.options.sota_caballo, course.trump
    against, beside = bounds_by_highest_cards(law_of_duties(course.options), trump)
    beats, above = BEATS[order][trump], ABOVE[order]
    sides = 2 if course.seats == PAIRED else course.seats
    hands, found = list(course.left), set()
    for trick in reversed(course.tricks[course.arrastre :]):
        high = best = winner = -1
        for seat, card, line in trick:
            bit = BIT[card]
            hand = hands[seat] = hands[seat] | bit
            if best < 0:
                high, best, winner = card, card, seat
                continue
            bounds = (against if (winner - seat) % sides else beside)[high][best]
            assert bounds is not None, (high, best)
            led, when, keep, last = bounds
            scope = hand & led or hand
            if not (scope & keep if scope & when else scope & last or scope) & bit:
                found.add(line)
            if above[high] & bit:
                high = card
            if beats[best] & bit:
                best, winner = card, seat
    return found


def lines_out_of_turn(course: RecordedTricks) -> set[int]:
    """Lines of the cards that were not laid by the seat whose turn it was."""
    due, found = course.leader, set()
    for trick in course.tricks:
        for step, (seat, _, line) in enumerate(trick):
            if seat != (due + step) % course.seats:
                found.add(line)
        best = index_of_winning_card(
            [lay.card for lay in trick], course.trump, course.options.sota_caballo
        )
        due = trick[best].seat
    return found


def slip_that_explains_breach(course: RecordedTricks, line: int, proof: int) -> Slip | None:
    """One slip of the recorder that would explain the breach of a line; None if none would.

    ``proof`` is the line of the play that proved it, 0 if it was no play. A breach that only the
    count of the cards left proves has no line here.
    """
    before, astray = breach_lines(course), lines_out_of_turn(course)
    if line not in before:
        return None
    near = _corrections_near(course, {line, proof})
    for slip, other in chain(near, _corrections_from_hand(course, line)):
        after = breach_lines(other)
        if line not in after and after < before and lines_out_of_turn(other) <= astray:
            return slip
    return None


def may_slip_explain_turn(course: RecordedTricks, line: int) -> bool:
    """Whether one slip, in that trick or the one before, would explain a card out of turn."""
    before, astray = breach_lines(course), lines_out_of_turn(course)
    at = next(n for n, trick in enumerate(course.tricks) if any(p.line == line for p in trick))
    near = {line, course.tricks[max(at - 1, 0)][0].line}
    for other in (
        *_records_with_exchanged_seats(course, at),
        *(other for _, other in _corrections_near(course, near)),
    ):
        after = lines_out_of_turn(other)
        if line not in after and after < astray and breach_lines(other) <= before:
            return True
    return False


def _records_with_exchanged_seats(course: RecordedTricks, at: int) -> Iterator[RecordedTricks]:
    """Variants of a record in which two cards of a trick change their seats, in the order noted."""
    trick = course.tricks[at]
    for one, two in combinations(trick, 2):
        seats = {one: two.seat, two: one.seat}
        lays = tuple(lay._replace(seat=seats.get(lay, lay.seat)) for lay in trick)
        other = replace(course, tricks=(*course.tricks[:at], lays, *course.tricks[at + 1 :]))
        if _can_be_of_hands(course, lays) and _fits_hands(other):
            yield other


def neighbour_cards_on_pad(card: Card, deck: Mask) -> Mask:
    """Cards beside, above and below a card on the pad: suits in rows, each by rank from the dos up.

    >>> from referee.rules.cards import CARD, DECK_40, tokens_in
    >>> [tokens_in(neighbour_cards_on_pad(CARD[one], DECK_40)) for one in ("7O", "AC")]
    [['6O', 'CO', '7C'], ['AO', '3C', 'AE']]
    """
    suit, found = card // PLACES, 0
    row = [suit * PLACES + place for place in range(PLACES) if deck & BIT[suit * PLACES + place]]
    at = row.index(card)
    for other in row[max(at - 1, 0) : at] + row[at + 1 : at + 2]:
        found |= BIT[other]
    for other in (card - PLACES, card + PLACES):
        if 0 <= other < PLACES * len(SUITS):
            found |= BIT[other] & deck
    return found


def slips_near(course: RecordedTricks, lines: set[int]) -> Iterator[Slip]:
    """Every slip that could have happened in the tricks of these lines, likeliest first."""
    for slip, _ in _corrections_near(course, lines):
        yield slip


def _corrections_near(
    course: RecordedTricks, lines: set[int]
) -> Iterator[tuple[Slip, RecordedTricks]]:
    """Possible slips near these lines, each with the record corrected."""
    near = [n for n, trick in enumerate(course.tricks) if any(lay.line in lines for lay in trick)]
    for number in near:
        for one, other in combinations(course.tricks[number], 2):
            cards = (other.card, one.card)
            exchanged = _replace_cards_or_none(course, {one.line: other.card, other.line: one.card})
            if exchanged is not None:
                yield Slip("seats_swapped", (one.line, other.line), cards), exchanged
    for number in near:
        for lay in course.tricks[number]:
            yield from _card_corrections(course, lay)
    if lines_out_of_turn(course):
        yield from _corrections_of_number_of_cards(course, near)


def _card_corrections(
    course: RecordedTricks, lay: LaidCard
) -> Iterator[tuple[Slip, RecordedTricks]]:
    """Slips in which a neighbour on the pad was noted, each with the corrected record."""
    where = {other.card: other for trick in course.tricks for other in trick}
    own = course.left[lay.seat] & ~course.barred.get(lay.line, 0)
    left = course.cards_seen & ~sum(BIT[card] for card in where) & ~own
    beside = neighbour_cards_on_pad(lay.card, course.deck) & ~left
    while beside:
        bit = beside & -beside
        beside ^= bit
        card = bit.bit_length() - 1
        other = where.get(card)
        changes = {lay.line: card} if other is None else {lay.line: card, other.line: lay.card}
        corrected = _replace_cards_or_none(
            course if other else _record_with_other_card_left(course, lay, bit), changes
        )
        if corrected is not None:
            yield Slip("card_mistaken", tuple(changes), tuple(changes.values())), corrected


def _corrections_from_hand(
    course: RecordedTricks, line: int
) -> Iterator[tuple[Slip, RecordedTricks]]:
    """Slips in which a card of a seat was noted for one that it then had in hand."""
    flat = [lay for trick in course.tricks for lay in trick]
    own = next(lay for lay in flat if lay.line == line)
    kept = course.left[own.seat]
    for lay in flat[flat.index(own) + 1 :]:
        kept |= BIT[lay.card] if lay.seat == own.seat else 0
    for lay in flat:
        if lay.seat == own.seat and neighbour_cards_on_pad(lay.card, course.deck) & kept:
            yield from _card_corrections(course, lay)


def _record_with_other_card_left(
    course: RecordedTricks, lay: LaidCard, bit: Mask
) -> RecordedTricks:
    """The record in which a seat no longer has this card left, but has the one it laid."""
    left = list(course.left)
    left[lay.seat] = left[lay.seat] & ~bit | BIT[lay.card] & course.known[lay.seat]
    return replace(course, left=tuple(left))


def _replace_cards_or_none(
    course: RecordedTricks, changes: Mapping[int, Card]
) -> RecordedTricks | None:
    """The record with other cards at some lines; None if the hands cannot have been so."""
    tricks = []
    for trick in course.tricks:
        if any(lay.line in changes for lay in trick):
            trick = tuple(lay._replace(card=changes.get(lay.line, lay.card)) for lay in trick)  # noqa: PLW2901 - the trick put right
            if not _can_be_of_hands(course, trick):
                return None
        tricks.append(trick)
    other = replace(course, tricks=tuple(tricks))
    return other if _fits_hands(other) else None


def _fits_hands(course: RecordedTricks) -> bool:
    """Whether no seat had more cards, by those that it laid and those known, than it was given."""
    hands = list(course.known)
    for trick in course.tricks:
        for seat, card, _ in trick:
            hands[seat] |= BIT[card]
    return all(hand.bit_count() <= size for hand, size in zip(hands, course.sizes, strict=True))


def _can_be_of_hands(course: RecordedTricks, lays: Iterable[LaidCard]) -> bool:
    return all(
        course.may[lay.seat] & ~course.barred.get(lay.line, 0) & BIT[lay.card] for lay in lays
    )


def _corrections_of_number_of_cards(
    course: RecordedTricks, near: list[int]
) -> Iterator[tuple[Slip, RecordedTricks]]:
    """Slips in which a card was entered twice or left out, each with the corrected record."""
    flat = [lay for trick in course.tricks for lay in trick]
    focus = [lay for number in near for lay in course.tricks[number]]
    unseen = course.deck & ~course.cards_seen
    for lay in focus:
        at = flat.index(lay)
        without = _record_with_plays(course, flat[:at] + flat[at + 1 :])
        yield Slip("entered_twice", (lay.line,), (lay.card,)), without
        left = unseen
        while left:
            bit = left & -left
            left ^= bit
            card = bit.bit_length() - 1
            missing = LaidCard((lay.seat - 1) % course.seats, card, 0)
            corrected = _record_with_plays(course, [*flat[:at], missing, *flat[at:]])
            if _can_be_of_hands(course, [missing]) and _fits_hands(corrected):
                yield Slip("left_out", (lay.line,), (card,)), corrected


def _record_with_plays(course: RecordedTricks, flat: list[LaidCard]) -> RecordedTricks:
    size = course.seats
    tricks = tuple(tuple(flat[at : at + size]) for at in range(0, len(flat), size))
    return replace(course, tricks=tricks)
