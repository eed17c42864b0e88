"""What is known of every hand after the last line of a record (section 6).

A draw that nobody noted counts only if it must have happened.
"""

from __future__ import annotations

from tests.oracle.reading import Deal
from tests.oracle.worlds import Worlds, worlds_of

Hand = tuple[int, tuple[str, ...], tuple[str, ...]]
"""Number of cards, those certainly among them, and those that may be."""


def hands_of(deal: Deal) -> dict[str, Hand]:
    """The hand of each seat as far as the record tells it."""
    now = deal.acts[-1].line
    worlds = worlds_of(deal)
    assert worlds, "the record contradicts itself"
    for seat in deal.rules.seats:
        waiting = tuple(one for one in worlds if one.times.get((seat, _gap(deal)), 0) > now)
        worlds = waiting or worlds
    return {seat: _hand(deal, worlds, seat, now) for seat in deal.rules.seats}


def _gap(deal: Deal) -> int:
    """Number of the trick closed last."""
    return len(deal.takers)


def _hand(deal: Deal, worlds: tuple[Worlds, ...], seat: str, last: int) -> Hand:
    now, deck = last + 1, (*worlds[0].known.cards, deal.pinta)
    may = {card for card in deck if any(one.may_hold(seat, (card,), now) for one in worlds)}
    lacked = {card for card in may if any(one.may_lack(seat, (card,), now) for one in worlds)}
    assert worlds[0].is_possible
    size = len(worlds[0].hand(worlds[0].found, seat, now))
    return size, tuple(sorted(may - lacked)), tuple(sorted(may))
