"""Who first has the points they need, by trying every lawful card: the law, and no idea besides."""

from __future__ import annotations

from dataclasses import replace

from referee.analysis.position import KnownPosition
from referee.rules.cards import BIT, POINTS, Card, cards_in, index_of_winning_card
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.seats import SEATS, Side, side_of


def lawful_cards(known: KnownPosition) -> list[Card]:
    """Cards that break no duty, in arrastre."""
    held = known.hand_of_seat(known.seat_to_play)
    duty = position_before_play(
        known.plays_of_open_trick, known.seat_to_play, known.trump, known.options
    )
    return cards_in(held if duty is None else lawful_plays(duty, held))


def wins(known: KnownPosition, side: Side, need: int, rival: int) -> bool:
    """Whether a side makes ``need`` points from here, before the other makes ``rival`` (0: ever).

    Nobody sings.
    """
    outcomes = (wins_after(known, card, side, need, rival) for card in lawful_cards(known))
    return any(outcomes) if known.side_to_play == side else all(outcomes)


def wins_after(known: KnownPosition, card: Card, side: Side, need: int, rival: int) -> bool:
    """The same after a card of the seat to play."""
    seats = SEATS[known.options.players]
    held = dict(zip(seats, known.hands, strict=True))
    held[known.seat_to_play] &= ~BIT[card]
    hands, laid = tuple(held.values()), (*known.laid, card)
    if len(laid) < len(seats):
        return wins(replace(known, hands=hands, laid=laid), side, need, rival)
    plays = (*known.plays_of_open_trick, (known.seat_to_play, card))
    taker = plays[index_of_winning_card(list(laid), known.trump, known.options.sota_caballo)][0]
    gain = sum(POINTS[one] for one in laid)
    gain += 0 if any(hands) else known.options.last_trick_points
    if side_of(taker) == side:
        need -= gain
    elif rival:
        rival -= gain
        if rival <= 0:
            return False
    if need <= 0 or not any(hands):
        return need <= 0
    return wins(replace(known, hands=hands, laid=(), leader=taker), side, need, rival)
