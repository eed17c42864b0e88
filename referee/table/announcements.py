"""Conditions of announcements after a trick: the time, the trick won, the cards not held."""

from __future__ import annotations

from referee.rules.cards import BIT, Mask
from referee.rules.profile.options import SwapWindow, Window
from referee.rules.seats import Seat, Side, side_of
from referee.table.draws import after_own_draw, may_have_drawn
from referee.table.state import Deal


def window_is_open(deal: Deal, window: Window | SwapWindow, side: Side) -> bool:
    """Whether an announcement is in time: between the trick's end and the end of its window."""
    if deal.is_played_out:
        return False
    if deal.laid:
        if window == "before_next_trick_closes":
            return True
        is_before_rival_card = all(side_of(play.seat) == side for play in deal.laid)
        return window == "before_rival_card" and is_before_rival_card
    taker = deal.taker
    return window != "before_draw" or taker is None or taker not in deal.gap.drew


def has_won(deal: Deal, side: Side, which: str) -> bool:
    """Whether a side has won the trick that an announcement needs."""
    tricks = deal.tricks[-1:] if which == "last_trick" else deal.tricks
    return which == "none" or any(side_of(trick.taker) == side for trick in tricks)


def cannot_hold(deal: Deal, seat: Seat, cards: Mask) -> bool:
    """Whether a seat certainly lacks one of these cards."""
    return bool(cards & missing_cards(after_own_draw(deal, seat, cards), seat))


def missing_cards(deal: Deal, seat: Seat) -> Mask:
    """Cards that a seat certainly does not hold."""
    place = deal.place(seat)
    elsewhere = deal.played | deal.absent[place] | ~deal.deck
    for other, held in enumerate(deal.held):
        if other != place:
            elsewhere |= held
    if deal.lies and deal.pinta >= 0:
        elsewhere |= BIT[deal.pinta]
    for card in deal.stock_cards:
        elsewhere |= BIT[card]
    if deal.is_known(seat) and not may_have_drawn(deal, seat):
        elsewhere |= deal.deck & ~deal.held[place]
    return elsewhere
