"""The deal: who deals, the pinta, hands and stock of an open record, deals gone wrong."""

from __future__ import annotations

from msgspec.structs import replace

from referee import events as ev
from referee.rules.articles import Rule
from referee.rules.cards import BIT, CARD, SUIT_MASK, SUIT_OF, SUITS, Mask, mask_of, mask_of_tokens
from referee.rules.evidence.sights import (
    NOBODY,
    UNSEEN,
    Dealt,
    Drew,
    Held,
    Lacked,
    Recalled,
    Resized,
    Returned,
    Sight,
    Stacked,
    Turned,
    Waited,
    WasDealt,
)
from referee.rules.profile.options import Options, deck_mask
from referee.rules.seats import Seat, next_seat, order_from, seat_to_the_left_of
from referee.table.draws import deal_after_own_draw_if_proved, may_have_drawn_unseen
from referee.table.knowledge import add_known_cards, exclude_from_others
from referee.table.state import Deal, Line, Table, add_finding, deal_with_sights, tuple_with_item

REDEALS_ALLOWED = 1


def table_after_deal_start(table: Table, line: Line, act: ev.DealStarted) -> Table:
    """The table after a new deal begins; the deal before it is added to those that count."""
    options = table.options
    if table.dealer_due and act.dealer != table.dealer_due:
        table = add_finding(table, line, Rule.WRONG_DEALER, act.dealer, due=table.dealer_due)
    deck = deck_mask(options, act.removed) if act.removed else deck_mask(options)
    if act.cut is not None and min(act.cut, deck.bit_count() - act.cut) < options.cut_min:
        table = add_finding(table, line, Rule.CUT_TOO_SMALL, act.dealer, cut=str(act.cut))
    due = seat_to_the_left_of(act.dealer, options.players, options.direction)
    if act.cutter not in ("", due):
        table = add_finding(table, line, Rule.WRONG_CUTTER, act.cutter, due=due)
    if act.packets not in ("", options.deal_packets):
        table = add_finding(
            table, line, Rule.WRONG_PACKETS, act.dealer, packets=options.deal_packets
        )
    deals = table.all_deals
    nobody = (0,) * options.players
    deal = Deal(
        number=len(deals) + 1,
        line=line,
        dealer=act.dealer,
        seats=table.seats,
        deck=deck,
        sizes=(options.hand_size,) * options.players,
        held=nobody,
        absent=nobody,
        stock=options.stock_size,
    )
    deal = deal_with_sights(deal, Dealt(line, deck, deal.sizes, deal.stock))
    misdeals = table.misdeals if table.deal is None else 0
    return replace(
        table,
        deals=deals,
        deal=deal,
        dealer_due="",
        ruled_dealer="",
        claim=None,
        misdeals=misdeals,
    )


def table_after_misdeal(table: Table, line: Line, act: ev.Misdealt) -> Table:
    """The table after a misdeal: the same dealer deals again, the second time the next one."""
    deal = table.deal
    assert deal is not None
    hands = " ".join(f"{seat} {cards}" for seat, cards in act.hands.items())
    table = add_finding(table, line, Rule.MISDEAL, deal.dealer, hands=hands)
    if act.hands == dict.fromkeys(deal.seats, table.options.hand_size):
        table = add_finding(table, line, Rule.MISDEAL_UNFOUNDED, deal.dealer)
    passes = table.options.misdeal == "redeal_then_pass" and table.misdeals >= REDEALS_ALLOWED
    due = next_seat(deal.dealer, table.players) if passes else deal.dealer
    misdeals = 0 if passes else table.misdeals + 1
    return replace(remove_deal(table, due), misdeals=misdeals)


def remove_deal(table: Table, due: str) -> Table:
    """The table without its running deal; this seat is due to deal."""
    endings = tuple(ending for ending in table.endings if not ending.of_deal)
    return replace(table, deal=None, dealer_due=due, claim=None, endings=endings, misdeals=0)


def table_after_wrong_hand_size(table: Table, line: Line, act: ev.WrongDealFound) -> Table:
    """The table after a seat was found with a wrong number of cards; play continues."""
    deal = table.deal
    assert deal is not None
    table = add_finding(table, line, Rule.WRONG_DEAL, act.seat, cards=str(act.cards))
    more = act.cards - deal.sizes[deal.place_of_seat(act.seat)]
    return replace(table, deal=_resize_hand(deal, line, act.seat, more, table.options))


def _resize_hand(deal: Deal, line: Line, seat: str, more: int, options: Options) -> Deal:
    place, before = deal.place_of_seat(seat), deal.stock
    deal = deal_with_sights(deal, Resized(line, place, more))
    size = max(deal.sizes[place] + more, 0)
    stock = max(before - more, 0) if before else 0
    deal = replace(deal, sizes=tuple_with_item(deal.sizes, place, size), stock=stock)
    deal = replace(deal, otherwise=None, gap=replace(deal.gap, to_draw=deal.gap.to_draw[:stock]))
    if before and not stock and deal.lies:
        return _assume_pinta_drawn(deal, line, options)
    if more < 0 and not before and deal.supposed:
        return _put_pinta_back(deal, line, -more)
    return deal


def _assume_pinta_drawn(deal: Deal, line: Line, options: Options) -> Deal:
    """The deal if an extra card was dealt: the draw before took the pinta, unless it was seen."""
    drew = next((s for s in reversed(deal.sights) if isinstance(s, Drew)), None)
    if drew is None or drew.card != UNSEEN:
        return replace(deal, stock=1)
    deal = replace(deal, lies=False, supposed=deal.seats[drew.seat])
    deal = deal_with_sights(deal, Recalled(line, drew.seat, deal.pinta))
    return add_known_cards(deal, deal.supposed, BIT[deal.pinta], line, options)


def _put_pinta_back(deal: Deal, line: Line, stock: int) -> Deal:
    """The deal if a card fewer was dealt: the pinta, which nobody saw drawn, still lies there.

    The plays since then owe no duty: where cards are drawn, duties begin with the last draw.
    """
    place, bit = deal.place_of_seat(deal.supposed), BIT[deal.pinta]
    at = max(n for n, sight in enumerate(deal.sights) if isinstance(sight, Drew))
    if deal.played & bit or any(
        _is_sight_of_cards(sight, place, bit) for sight in deal.sights[at + 1 :]
    ):
        return deal
    since = max((sight.line for sight in deal.sights[: at + 1]), default=0)
    to_draw = deal.gap.to_draw
    if deal.tricks and not deal.laid and not deal.gap.drew:
        to_draw = order_from(deal.leader, len(deal.seats))[:stock]
    return replace(
        deal_with_sights(deal, Returned(line, place, deal.pinta, since)),
        stock=stock,
        lies=True,
        supposed="",
        held=tuple_with_item(deal.held, place, deal.held[place] & ~bit),
        gap=replace(deal.gap, to_draw=to_draw),
        suspects=(),
        breaches=(),
    )


def _is_sight_of_cards(sight: Sight, place: int, cards: Mask) -> bool:
    return isinstance(sight, Held) and sight.seat == place and bool(sight.cards & cards)


def table_after_pinta(table: Table, line: Line, act: ev.PintaTurned) -> Table:
    """The table after the pinta is turned: under the stock, or as the dealer's last card."""
    deal = table.deal
    assert deal is not None
    card = CARD[act.card]
    options = table.options
    deal = replace(
        deal,
        trump=SUIT_OF[card],
        pinta=card,
        lies=options.pinta_from != "dealers_last_card",
        stock_cards=tuple(other for other in deal.stock_cards if other != card),
    )
    if deal.lies:
        return replace(table, deal=deal_with_sights(deal, Turned(line, card, NOBODY)))
    deal = add_known_cards(deal, deal.dealer, BIT[card], line, options)
    return replace(
        table, deal=deal_with_sights(deal, Turned(line, card, deal.place_of_seat(deal.dealer)))
    )


def table_after_hand(table: Table, line: Line, act: ev.HandEntered) -> Table:
    """The table after cards of a hand are entered, as it was dealt or as it is now.

    A hand may be entered in part: fewer cards than were dealt prove nothing about the others.
    """
    deal = table.deal
    assert deal is not None
    cards = mask_of_tokens(act.cards)
    if act.moment == "dealt":
        many = _number_of_known_cards(deal, act.seat, cards)
        more = many - deal.sizes[deal.place_of_seat(act.seat)]
        if more > 0 and not deal.tricks and not deal.laid:
            table = add_finding(table, line, Rule.WRONG_DEAL, act.seat, cards=str(many))
            deal = _resize_hand(deal, line, act.seat, more, table.options)
        whole = len(act.cards) >= table.options.hand_size
        deal = deal_with_sights(deal, WasDealt(line, deal.place_of_seat(act.seat), cards, whole))
        for card in deal.swapped_away:
            cards &= ~BIT[card]
        cards &= ~deal.played
        if deal.is_entered:  # any of them may have been laid in a trick that was not recorded
            return replace(
                table, deal=exclude_from_others(deal, deal.place_of_seat(act.seat), cards)
            )
        # a card shown that was not dealt was drawn
        deal = deal_after_own_draw_if_proved(deal, act.seat, cards)
    else:
        deal = deal_after_own_draw_if_proved(deal, act.seat, cards)
        unseen = act.seat in deal.gap.to_draw
        more = len(act.cards) - deal.sizes[deal.place_of_seat(act.seat)] - unseen
        if more > 0:
            table = add_finding(table, line, Rule.WRONG_DEAL, act.seat, cards=str(len(act.cards)))
            deal = _resize_hand(deal, line, act.seat, more, table.options)
        drawing = may_have_drawn_unseen(deal, act.seat)
        held = Held(line, deal.place_of_seat(act.seat), cards, drawing, is_secret=True)
        deal = deal_with_sights(deal, held)
    return replace(table, deal=add_known_cards(deal, act.seat, cards, line, table.options))


def _number_of_known_cards(deal: Deal, seat: Seat, cards: Mask) -> int:
    """How many cards of a hand are known, with these: a hand may be entered part by part."""
    kept = cards & ~mask_of(deal.swapped_away)
    return max(cards.bit_count(), (deal.held[deal.place_of_seat(seat)] | kept).bit_count())


def table_after_stock(table: Table, line: Line, act: ev.StockEntered) -> Table:
    """The table after the order of the stock is entered; a wrong number gives a finding."""
    deal = table.deal
    assert deal is not None
    cards = tuple(CARD[token] for token in act.cards)
    expected = max(deal.stock - (deal.lies or deal.trump < 0), 0)
    if len(cards) != expected:
        table = add_finding(table, line, Rule.WRONG_DEAL, "", cards=str(len(cards)))
    deal = deal_with_sights(deal, Stacked(line, mask_of(cards)))
    return replace(table, deal=replace(deal, stock_cards=cards))


def table_after_show(table: Table, line: Line, act: ev.CardsShown) -> Table:
    """The table after a seat shows cards, the lack of a suit, or its whole hand."""
    deal = table.deal
    assert deal is not None
    if not (act.cards or act.void or act.whole):
        return table  # nothing was shown that says where a card is
    place = deal.place_of_seat(act.seat)
    cards = mask_of_tokens(act.cards)
    deal = deal_after_own_draw_if_proved(deal, act.seat, cards)
    absent = sum(SUIT_MASK[SUITS.index(suit)] for suit in set(act.void) if suit)
    if act.whole:
        absent |= deal.deck & ~(cards | deal.held[place])
    if act.whole and act.seat in deal.gap.to_draw:
        held = Held(line, place, cards)
        deal = deal_with_sights(deal, Waited(line, place), held, Lacked(line, place, absent))
    else:
        held = Held(line, place, cards, may_have_drawn_unseen(deal, act.seat))
        deal = deal_with_sights(deal, held, Lacked(line, place, absent))
    deal = add_known_cards(deal, act.seat, cards, line, table.options)
    absents = tuple_with_item(deal.absent, place, deal.absent[place] | absent)
    return replace(table, deal=replace(deal, absent=absents))
