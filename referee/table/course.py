"""The tricks of a deal as the analysis of slips takes them, and what else was seen of each hand."""

from __future__ import annotations

from referee.rules.cards import BIT, Mask
from referee.rules.evidence.sights import (
    Dealt,
    Drew,
    Held,
    Played,
    Recalled,
    Resized,
    Sight,
    Swapped,
    Turned,
    WasDealt,
)
from referee.rules.evidence.slips import LaidCard, LaidCards, RecordedTricks
from referee.table.state import Deal, Table


def course_of(table: Table, deal: Deal) -> RecordedTricks | None:
    """The tricks of a deal as the analysis of slips takes them; None if a trick has no cards."""
    closed = [trick.plays for trick in deal.tricks]
    if deal.trump < 0 or not all(closed):
        return None
    laid = [*closed, deal.laid] if deal.laid else closed
    tricks: tuple[LaidCards, ...] = tuple(
        tuple(LaidCard(deal.place(play.seat), play.card, play.line) for play in plays)
        for plays in laid
    )
    return RecordedTricks(
        tricks,
        len(deal.seats),
        _first_with_duties(deal, tricks),
        deal.place(deal.order[0]),
        deal.trump,
        table.options,
        deal.deck,
        deal.held,
        _may_have_had(deal),
    )


def _may_have_had(deal: Deal) -> tuple[Mask, ...]:
    """For each seat the cards that it can have had, by what was seen besides the cards it laid."""
    known, many = [0] * len(deal.seats), [0] * len(deal.seats)
    for sight in deal.sights:
        match sight:
            case Dealt(_, _, sizes, _):
                many = list(sizes)
            case Drew(_, seat, _) | Swapped(_, seat, _, _, _):
                many[seat] += 1
            case Resized(_, seat, more):
                many[seat] += more
            case _:
                pass
        if not isinstance(sight, Played):
            known = [cards | cards_shown_by(sight, place) for place, cards in enumerate(known)]
    lying = BIT[deal.pinta] if deal.lies else 0
    found = []
    for place, cards in enumerate(known):
        others = 0
        for other in known[:place] + known[place + 1 :]:
            others |= other
        is_whole = cards.bit_count() >= many[place]
        found.append(cards if is_whole else cards | deal.deck & ~others & ~lying)
    return tuple(found)


def _first_with_duties(deal: Deal, tricks: tuple[LaidCards, ...]) -> int:
    """Number of the first trick in which the duties hold, from 0: that without a stock."""
    stock, free = 0, set()
    for sight in deal.sights:
        match sight:
            case Dealt():
                stock = sight.stock
            case Drew():
                stock -= 1
            case Resized(_, _, more):
                stock -= more if stock else 0
            case Played() if stock > 0:
                free.add(sight.line)
            case _:
                pass
    return sum(any(lay.line in free for lay in trick) for trick in tricks)


def cards_shown_by(sight: Sight, place: int) -> Mask:
    """Cards that a sight shows to be, or to have been, in the hand of a seat."""
    match sight:
        case Played(_, seat, card, _) | Drew(_, seat, card) | Recalled(_, seat, card) if (
            seat == place and card >= 0
        ):
            return BIT[card]
        case Turned(_, card, seat) if seat == place:
            return BIT[card]
        case Held(_, seat, cards, _, _) | WasDealt(_, seat, cards, _) if seat == place:
            return cards
        case Swapped(_, seat, gave, took, _) if seat == place:
            return BIT[gave] | BIT[took]
        case _:
            return 0
