"""Input of the analysis of slips: recorded tricks of a deal, and what was seen of each hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules.cards import BIT, Mask
from referee.rules.evidence.sights import (
    Dealt,
    Drew,
    Held,
    Lacked,
    Played,
    Recalled,
    Resized,
    Sight,
    Swapped,
    Turned,
    WasDealt,
)
from referee.rules.evidence.slips import LaidCard, LaidCards, RecordedTricks
from referee.rules.seats import Seat
from referee.table.state import Deal, Line, Play, Table


def tricks_for_slip_analysis(
    table: Table, deal: Deal, until: int | None = None
) -> RecordedTricks | None:
    """Recorded tricks of a deal for the analysis of slips; None if trump or some cards are unknown.

    None if there are none, or one without cards stands between them. ``until``: place of the last
    line that was recorded by then.
    """
    closed, leader = _tricks_and_first_leader(deal)
    if deal.trump < 0 or not all(closed):
        return None
    place = {line: at for at, line in enumerate(table.lines)}
    last = len(table.lines) if until is None else until
    sights = [sight for sight in deal.sights if place.get(sight.line, 0) <= last]
    tricks: tuple[LaidCards, ...] = tuple(
        tuple(
            LaidCard(deal.place_of_seat(play.seat), play.card, play.line)
            for play in plays
            if place[play.line] <= last
        )
        for plays in (*closed, deal.laid)
    )
    known, sizes = _cards_known_besides_plays(deal, sights), _numbers_of_cards_given(deal, sights)
    return RecordedTricks(
        tuple(filter(None, tricks)),
        len(deal.seats),
        _first_trick_with_duties(sights, tricks),
        deal.place_of_seat(leader),
        deal.trump,
        table.options,
        deal.deck,
        deal.held if until is None else _cards_left_in_hands(known, sights),
        _possible_cards_of_seats(deal, known, sizes),
        known,
        sizes,
        _impossible_cards_by_line(deal, sights),
    )


def _tricks_and_first_leader(deal: Deal) -> tuple[list[tuple[Play, ...]], Seat]:
    """Closed tricks from the first to the last with cards, and the seat due to lead the first."""
    numbers = [number for number, trick in enumerate(deal.tricks) if trick.plays]
    first = numbers[0] if numbers else len(deal.tricks)
    last = len(deal.tricks) if deal.laid or not numbers else numbers[-1] + 1
    leader = deal.tricks[first - 1].taker if first else deal.seats_from_mano[0]
    return [trick.plays for trick in deal.tricks[first:last]], leader


def _cards_left_in_hands(known: Sequence[Mask], sights: Iterable[Sight]) -> tuple[Mask, ...]:
    """Cards known to be left in each hand."""
    gone = 0
    for sight in sights:
        match sight:
            case Played(_, _, card, _):
                gone |= BIT[card]
            case Swapped(_, _, gave, took, _):
                gone = gone & ~BIT[took] | BIT[gave]
            case Drew(_, _, card) | Recalled(_, _, card) if card >= 0:
                gone &= ~BIT[card]
            case _:
                pass
    return tuple(cards & ~gone for cards in known)


def _impossible_cards_by_line(deal: Deal, sights: Sequence[Sight]) -> dict[Line, Mask]:
    """For each play the cards that its seat cannot have laid: shown or drawn later, or lacked."""
    shown = _cards_shown_later_by_play(deal, sights)
    return {
        line: cards | shown[line] for line, cards in _cards_lacked_at_plays(deal, sights).items()
    }


def _cards_lacked_at_plays(deal: Deal, sights: Sequence[Sight]) -> dict[Line, Mask]:
    """For each play the cards that its seat certainly lacked; a draw may have brought any."""
    whole = {one.seat: one.cards for one in sights if isinstance(one, WasDealt) and one.whole}
    found = dict[Line, Mask]()
    lacked = [deal.deck & ~whole.get(seat, deal.deck) for seat in range(len(deal.seats))]
    for sight in sights:
        match sight:
            case Lacked(_, seat, cards):
                lacked[seat] |= cards
            case Drew(_, seat, _) | Recalled(_, seat, _) | Swapped(_, seat, _, _, _):
                lacked[seat] = 0
            case Played(line, seat, _, _):
                found[line] = lacked[seat]
            case _:
                pass
    return found


def _cards_shown_later_by_play(deal: Deal, sights: Sequence[Sight]) -> dict[Line, Mask]:
    """For each play the cards that its seat showed or drew after it."""
    shown, found = [0] * len(deal.seats), dict[Line, Mask]()
    for sight in reversed(sights):
        match sight:
            case Held(_, seat, cards, _, _):
                shown[seat] |= cards
            case Drew(_, seat, card) | Recalled(_, seat, card) if card >= 0:
                shown[seat] |= BIT[card]
            case Swapped(_, seat, gave, took, _):
                shown[seat] |= BIT[gave] | BIT[took]
            case Played(line, seat, _, _):
                found[line] = shown[seat]
            case _:
                pass
    return found


def _cards_known_besides_plays(deal: Deal, sights: Iterable[Sight]) -> tuple[Mask, ...]:
    """For each seat the cards that it had by what was seen besides those it laid."""
    known = [0] * len(deal.seats)
    for sight in sights:
        if not isinstance(sight, Played):
            known = [
                cards | cards_shown_by_sight(sight, place) for place, cards in enumerate(known)
            ]
    return tuple(known)


def _numbers_of_cards_given(deal: Deal, sights: Iterable[Sight]) -> tuple[int, ...]:
    """How many cards each seat was given in all: dealt, drawn, and taken by a swap of the seven."""
    many = [0] * len(deal.seats)
    for sight in sights:
        match sight:
            case Dealt(_, _, sizes, _):
                many = list(sizes)
            case Drew(_, seat, _) | Swapped(_, seat, _, _, _):
                many[seat] += 1
            case Resized(_, seat, more):
                many[seat] += more
            case _:
                pass
    return tuple(many)


def _possible_cards_of_seats(
    deal: Deal, known: Sequence[Mask], sizes: Sequence[int]
) -> tuple[Mask, ...]:
    """For each seat the cards that it may have had: those known, and perhaps those of nobody."""
    lying, found = BIT[deal.pinta] if deal.lies else 0, list[Mask]()
    for place, (cards, size) in enumerate(zip(known, sizes, strict=True)):
        others = lying
        for other in (*known[:place], *known[place + 1 :]):
            others |= other
        found.append(cards if cards.bit_count() >= size else cards | deal.deck & ~others)
    return tuple(found)


def _first_trick_with_duties(sights: Iterable[Sight], tricks: tuple[LaidCards, ...]) -> int:
    """Number of the first trick in which the duties hold, from 0: that without a stock."""
    stock, free = 0, set()
    for sight in sights:
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


def cards_shown_by_sight(sight: Sight, place: int) -> Mask:
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
