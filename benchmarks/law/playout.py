"""A complete deal on masks, to measure the inner loop of the law.

It plays what ``benchmarks.law.naive`` plays: four seats, 40 cards, cantes at once, the siete for
any pinta, last trick; every card that is laid is checked against the hand and the duties.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import ABOVE, BEATS, BIT, CANTE_PAIR, POINTS, SIETE, SUIT_OF, Card, mask_of
from referee.rules.duties import bounds_by_highest_cards, law_of_duties
from referee.rules.profile.options import Options


def playout(deck: Sequence[Card], choices: Sequence[int], options: Options) -> tuple[int, int]:
    """Points of A and of B when each play is a choice (0…2³²-1) among the lawful cards."""
    order = options.sota_caballo
    hands = [mask_of(deck[at : at + 6]) for at in (0, 6, 12, 18)]
    stock = [*deck[25:], deck[24]]
    trump = SUIT_OF[deck[24]]
    beats, above = BEATS[order][trump], ABOVE[order]
    against, beside = bounds_by_highest_cards(law_of_duties(options), trump)
    score = [0, 0]
    sung = lead = high = best = taker = points = 0
    for number in range(10):
        for step in range(4):
            seat = (lead + step) & 3
            hand = allowed = hands[seat]
            if step and number > 3:
                row = against if (taker ^ seat) & 1 else beside
                led, when, keep, last = row[high][best]
                allowed = hand & led or hand
                allowed = allowed & keep if allowed & when else allowed & last or allowed
            bit = chosen(allowed, choices[4 * number + step])
            if not bit & allowed & hand:
                raise ValueError(bit)
            hands[seat] = hand ^ bit
            card = bit.bit_length() - 1
            if not step:
                points, high, best, taker = POINTS[card], card, card, seat
                continue
            points += POINTS[card]
            if above[high] & bit:
                high = card
            if beats[best] & bit:
                best, taker = card, seat
        lead = taker
        score[lead & 1] += points
        sung = sing(hands, lead & 1, sung, score, trump)
        if number < 4:
            draw(hands, stock, lead, number, trump)
    score[lead & 1] += 10
    return score[0], score[1]


def chosen(allowed: int, choice: int) -> int:
    """One card of those allowed, by a number below 2³²."""
    skip = choice * allowed.bit_count() >> 32
    while skip:
        allowed &= allowed - 1
        skip -= 1
    return allowed & -allowed


def sing(hands: list[int], side: int, sung: int, score: list[int], trump: int) -> int:
    """Cantes of a side after its trick, one a seat; the suits sung so far as bits."""
    for seat in (side, side + 2):
        for suit in range(4):
            if hands[seat] & CANTE_PAIR[suit] == CANTE_PAIR[suit] and not sung >> suit & 1:
                sung |= 1 << suit
                score[side] += 40 if suit == trump else 20
                break
    return sung


def draw(hands: list[int], stock: list[Card], lead: int, number: int, trump: int) -> None:
    """The siete for the pinta, if the side has it, and a card for each seat."""
    siete = trump * 12 + SIETE
    for seat in (lead & 1, (lead & 1) + 2):
        if hands[seat] & BIT[siete]:
            hands[seat] ^= BIT[siete] | BIT[stock[-1]]
            stock[-1] = siete
            break
    for step in range(4):
        hands[(lead + step) & 3] |= BIT[stock[4 * number + step]]
