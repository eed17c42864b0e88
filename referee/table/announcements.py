"""Announcements after a trick: their conditions, and the swap of the pinta."""

from __future__ import annotations

from msgspec.structs import replace

from referee.events import PintaSwapped
from referee.rules.articles import Rule
from referee.rules.cards import BIT, CARD, DOS, PLACES, POINTS, TOKENS, Card, Mask
from referee.rules.evidence.sights import Swapped
from referee.rules.profile.options import Options, SwapWindow, Window, card_for_swap
from referee.rules.seats import Seat, Side, partner_of, side_of
from referee.table.draws import deal_after_own_draw_if_proved, may_have_drawn, may_have_drawn_unseen
from referee.table.knowledge import exchange_known_cards
from referee.table.state import Deal, Line, Table, add_finding, deal_with_sights


def is_announcement_in_time(deal: Deal, window: Window | SwapWindow, side: Side) -> bool:
    """Whether an announcement is in time: between the trick's end and the end of its window."""
    if deal.is_played_out:
        return False
    if deal.laid:
        if window == "before_next_trick_closes":
            return True
        is_before_rival_card = all(side_of(play.seat) == side for play in deal.laid)
        return window == "before_rival_card" and is_before_rival_card
    taker = deal.taker_of_last_trick
    return window != "before_draw" or taker is None or taker not in deal.gap.drew


def has_won_needed_trick(deal: Deal, side: Side, which: str) -> bool:
    """Whether a side has won a trick, if an announcement needs one: the last, any, or none."""
    tricks = deal.tricks[-1:] if which == "last_trick" else deal.tricks
    return which == "none" or any(side_of(trick.taker) == side for trick in tricks)


def cannot_hold_all(deal: Deal, seat: Seat, cards: Mask) -> bool:
    """Whether a seat certainly lacks one of these cards."""
    return bool(cards & absent_cards(deal_after_own_draw_if_proved(deal, seat, cards), seat))


def absent_cards(deal: Deal, seat: Seat) -> Mask:
    """Cards that a seat certainly does not hold."""
    place = deal.place_of_seat(seat)
    elsewhere = deal.played | deal.absent[place] | ~deal.deck
    for other, held in enumerate(deal.held):
        if other != place:
            elsewhere |= held
    if deal.lies and deal.pinta >= 0:
        elsewhere |= BIT[deal.pinta]
    for card in deal.stock_cards:
        elsewhere |= BIT[card]
    if deal.is_hand_known(seat) and not may_have_drawn(deal, seat):
        elsewhere |= deal.deck & ~deal.held[place]
    return elsewhere


def table_after_pinta_swap(table: Table, line: Line, act: PintaSwapped) -> Table:
    """The table after a swap of the pinta; a barred swap gives a finding."""
    deal = table.deal
    assert deal is not None
    card = CARD[act.card] if act.card else card_for_swap(table.options, deal.trump)
    for rule in _bars_of_swap(deal, act.seat, card, table.options):
        table = add_finding(
            table, line, rule, act.seat, card=TOKENS[card], pinta=TOKENS[deal.pinta]
        )
    deal = deal_after_own_draw_if_proved(deal, act.seat, BIT[card])
    place = deal.place_of_seat(act.seat)
    sight = Swapped(line, place, card, deal.pinta, may_have_drawn_unseen(deal, act.seat))
    deal = exchange_known_cards(deal, act.seat, BIT[card], BIT[deal.pinta], line, table.options)
    deal = replace(
        deal,
        pinta=card,
        swapped_away=(*deal.swapped_away, card),
        gap=replace(deal.gap, swapped=True),
    )
    return replace(table, deal=deal_with_sights(deal, sight))


def _bars_of_swap(deal: Deal, seat: Seat, card: Card, options: Options) -> list[Rule]:
    side = side_of(seat)
    is_usual = card == card_for_swap(options, deal.trump)
    is_dos = card == deal.trump * PLACES + DOS
    takes_siete = TOKENS[deal.pinta][0] == "7"
    needs = options.swap_needs_trick
    reasons = {
        Rule.SWAP_BARRED: not options.swap or not (is_usual or is_dos),
        Rule.TWO_FOR_SEVEN_BARRED: is_dos and not (options.two_for_seven and takes_siete),
        Rule.SWAP_BY: options.swap_by == "leader" and seat != deal.leader,
        Rule.SWAP_NO_TRICK: not has_won_needed_trick(deal, side, needs)
        or _lacks_lead_for_swap(deal, side, needs),
        Rule.SWAP_LATE: not is_announcement_in_time(deal, options.swap_window, side),
        Rule.SWAP_ONLY_FOR_VALUE: options.swap_only_for_value and not POINTS[deal.pinta],
        Rule.SWAP_LAST_DRAW: options.swap_last_draw == "not_with_partner"
        and _partner_draws_pinta(deal, seat),
        Rule.SWAP_DISPROVED: cannot_hold_all(deal, seat, BIT[card]),
    }
    return [rule for rule, holds in reasons.items() if holds]


def _lacks_lead_for_swap(deal: Deal, side: Side, needs: str) -> bool:
    """Whether a side is not on lead, where a swap needs the lead instead of a trick."""
    return needs == "none" and side_of(deal.leader) != side


def _partner_draws_pinta(deal: Deal, seat: Seat) -> bool:
    waiting = deal.gap.to_draw
    if not 0 < deal.stock <= len(waiting):
        return False
    return partner_of(seat, len(deal.seats)) == waiting[deal.stock - 1]
