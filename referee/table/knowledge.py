"""Cards that become known to be in a hand, and the earlier breaches that they prove."""

from __future__ import annotations

from msgspec.structs import replace

from referee.rules.cards import BIT, Mask, cards_in
from referee.rules.duties import first_broken_rule, position_before_play, rule_proved_broken
from referee.rules.profile.options import Options
from referee.rules.seats import Seat
from referee.table.state import Breach, Deal, Line, SuspectPlay, tuple_with_item


def add_known_cards(deal: Deal, seat: Seat, cards: Mask, line: Line, options: Options) -> Deal:
    """The deal with these cards known to be in a hand, and the breaches that they prove."""
    place = deal.place_of_seat(seat)
    deal = replace(deal, held=tuple_with_item(deal.held, place, deal.held[place] | cards))
    return add_proved_breaches(deal, seat, cards, line, options)


def add_proved_breaches(deal: Deal, seat: Seat, cards: Mask, line: Line, options: Options) -> Deal:
    """The deal with the breaches that these cards of a seat prove."""
    proved = [w for w in deal.suspects if w.seat == seat and w.accusers & cards]
    if not proved:
        return deal
    since = {known.line: known.known_at for known in deal.breaches}
    suspects = [suspect for suspect in deal.suspects if suspect not in proved]
    found = []
    for suspect in proved:
        seen = suspect.accusers & cards
        found.append(_breach(suspect, seen, deal, options, since.get(suspect.line, line)))
        left = (
            0
            if seen & suspect.all_cards_of_suit_led
            else suspect.accusers & suspect.all_cards_of_suit_led
        )
        suspects += [replace(suspect, accusers=left)] if left else []
    lines = {breach.line for breach in found}
    others = (breach for breach in deal.breaches if breach.line not in lines)
    return replace(deal, suspects=tuple(suspects), breaches=(*others, *found))


def _breach(suspect: SuspectPlay, cards: Mask, deal: Deal, options: Options, line: Line) -> Breach:
    """The breach that these cards, held besides the card laid, prove at this line."""
    *before, own = suspect.plays
    position = position_before_play(
        [(p.seat, p.card) for p in before], own.seat, deal.trump, options
    )
    assert position is not None, "a leading card is never suspect"
    rule = first_broken_rule(position, cards | BIT[own.card], own.card)
    assert rule is not None, "an accuser proves a breach"
    proof = next(c for c in cards_in(cards) if rule_proved_broken(position, own.card, c) == rule)
    return Breach(suspect.line, rule, suspect.seat, suspect.trick, line, proof)


def exchange_known_cards(
    deal: Deal, seat: Seat, gave: Mask, took: Mask, line: Line, options: Options
) -> Deal:
    """The deal after a seat exchanged a card of its hand for one on the table.

    The given card was in the hand; the taken card proves nothing about earlier plays.
    """
    deal, place = add_proved_breaches(deal, seat, gave, line, options), deal.place_of_seat(seat)
    suspects = tuple(
        replace(suspect, accusers=suspect.accusers & ~took) if suspect.seat == seat else suspect
        for suspect in deal.suspects
    )
    return replace(
        deal,
        held=tuple_with_item(deal.held, place, deal.held[place] & ~gave | took),
        absent=tuple_with_item(deal.absent, place, deal.absent[place] & ~took),
        apart=deal.apart & ~gave,
        suspects=suspects,
    )


def release_known_cards(deal: Deal, places: tuple[int, ...]) -> Deal:
    """The deal once these seats laid unrecorded cards: no card is known to be left in their hands.

    The known cards of those hands now only exclude other places.
    """
    for place in places:
        deal = exclude_from_others(deal, place, deal.held[place])
    held = tuple(0 if place in places else cards for place, cards in enumerate(deal.held))
    return replace(deal, held=held)


def exclude_from_others(deal: Deal, place: int, cards: Mask) -> Deal:
    """The deal after these cards became known as those of one seat, and of no other."""
    absent = (a if other == place else a | cards for other, a in enumerate(deal.absent))
    return replace(deal, absent=tuple(absent), apart=deal.apart | cards)
