"""Draws from the stock: seen, implied, late or wrong."""

from __future__ import annotations

from msgspec.structs import replace

from referee.events import CardDrawn, WrongDraw
from referee.rules.articles import Rule
from referee.rules.cards import BIT, CARD, TOKENS, Card, Mask, mask_of
from referee.rules.evidence.history import evidence_from_sights
from referee.rules.evidence.sights import UNSEEN, Drew, Recalled, Reordered, Waited
from referee.rules.seats import Seat, order_from
from referee.table.knowledge import add_known_cards
from referee.table.state import (
    Deal,
    Gap,
    Line,
    Table,
    add_finding,
    deal_with_sights,
    tuple_with_item,
)

CHANGED_BY_DRAWS = (
    "held",
    "absent",
    "stock",
    "lies",
    "stock_cards",
    "sizes",
    "supposed",
    "gap",
    "sung",
    "suspects",
    "breaches",
    "sights",
)
"""Fields of a deal that a draw changes."""


def table_after_card_draw(table: Table, line: Line, act: CardDrawn) -> Table:
    """The table after a seat draws, in its order or not."""
    table, deal = _settle_reading_before_draw(table, line)
    if act.seat in deal.gap.implied:
        table = add_finding(table, line, Rule.DRAW_OUT_OF_ORDER, act.seat)
        return _apply_late_draw(table, deal, line, act)
    if act.seat not in deal.gap.to_draw:
        table = add_finding(table, line, Rule.DRAWN_TWICE, act.seat)
    else:
        table = _note_early_draws(table, deal, line, act.seat)
    if _is_pinta_draw_without_others(deal, act):
        return _apply_pinta_and_implied_draws(table, deal, line, act)
    if act.card and CARD[act.card] == deal.pinta and deal.lies and deal.stock > 1:
        table = add_finding(table, line, Rule.WRONG_DRAW, act.seat, fault="pinta_early")
    return _apply_draw(table, deal, line, act.seat, act.card)


def _is_pinta_draw_without_others(deal: Deal, act: CardDrawn) -> bool:
    """Whether this is the draw of the pinta, and those before it were not noted."""
    order, waiting = order_from(deal.leader, len(deal.seats)), deal.gap.to_draw
    return (
        deal.lies
        and act.card in ("", TOKENS[deal.pinta])
        and act.seat in waiting
        and len(waiting) == deal.stock > 1
        and act.seat == max(waiting, key=order.index)
    )


def _apply_pinta_and_implied_draws(table: Table, deal: Deal, line: Line, act: CardDrawn) -> Table:
    """The table after the pinta is drawn, with the unrecorded draws before it assumed."""
    otherwise = deal_after_draw(deal, act.seat, act.card, line)
    waiting = tuple(seat for seat in deal.gap.to_draw if seat != act.seat)
    for other in waiting:
        deal = deal_after_draw(deal, other, "")
    implied = (*deal.gap.implied, *waiting)
    deal = replace(deal, otherwise=otherwise, gap=replace(deal.gap, implied=implied))
    return _apply_draw(table, deal, line, act.seat, act.card)


def deal_in_other_reading(deal: Deal) -> Deal:
    """The deal in its other reading, in which the draw noted last was out of order.

    It took the pinta only if that was seen.
    """
    other = deal.otherwise
    assert other is not None
    changed = {name: getattr(other, name) for name in CHANGED_BY_DRAWS}
    return replace(deal, otherwise=None, **changed)


def choose_reading(before: Deal, table: Table, other: Table, line: Line) -> Table:
    """The table with both readings of its draws, or with the one that is possible."""
    assert table.deal is not None
    assert other.deal is not None
    deal, otherwise = _update_cante_evidence(table.deal), _update_cante_evidence(other.deal)
    if _is_impossible(otherwise):
        return replace(table, deal=replace(deal, otherwise=None))
    if not _is_impossible(deal):
        return replace(table, deal=replace(deal, otherwise=otherwise))
    drew = _last_noted_draw(otherwise)
    table = _adopt_other_reading(other, before, line)
    return add_finding(table, drew.line, Rule.DRAW_OUT_OF_ORDER, deal.seats[drew.seat], line)


def _update_cante_evidence(deal: Deal) -> Deal:
    return replace(deal, sung=deal.sung.evidence_from_all_sights(deal.sights))


def _is_impossible(deal: Deal) -> bool:
    """Whether no distribution of the cards agrees with this deal."""
    is_held = deal.lies and any(hand & BIT[deal.pinta] for hand in deal.held)
    return is_held or deal.sung.is_broken


def _last_noted_draw(deal: Deal) -> Drew:
    """The draw that was noted last."""
    return next(s for s in reversed(deal.sights) if isinstance(s, Drew) and s.line)


def deal_in_reading_for_draw(deal: Deal) -> Deal:
    """The deal before one more draw of its gap is noted, in its other reading if it has one."""
    return deal_in_other_reading(deal) if deal.otherwise and deal.gap.drew else deal


def _settle_reading_before_draw(table: Table, line: Line) -> tuple[Table, Deal]:
    """The table and its deal, in the reading of its draws that holds if one more is noted."""
    assert table.deal is not None
    deal = deal_in_reading_for_draw(table.deal)
    if deal is table.deal:
        return table, deal
    table = _adopt_other_reading(replace(table, deal=deal), table.deal, line)
    assert table.deal is not None
    return table, table.deal


def _adopt_other_reading(table: Table, before: Deal, line: Line) -> Table:
    """The table once the other reading of its draws holds, with the findings of that."""
    deal = table.deal
    assert deal is not None
    known = tuple(evidence_from_sights(before.sights).verdicts.items())
    since = {breach.line: breach.known_at for breach in before.breaches}
    breaches = (replace(one, known_at=since.get(one.line, line)) for one in deal.breaches)
    deal = replace(deal, breaches=tuple(breaches))
    table = replace(table, deal=deal_with_sights(deal, Reordered(line, known)))
    drew = _last_noted_draw(deal)
    if drew.card != deal.pinta:
        return table
    seat = deal.seats[drew.seat]
    return add_finding(table, drew.line, Rule.WRONG_DRAW, seat, line, fault="pinta_early")


def _note_early_draws(table: Table, deal: Deal, line: Line, seat: Seat) -> Table:
    """The table with findings on seats that were seen to draw before their turn."""
    seats, gap = order_from(deal.leader, len(deal.seats)), deal.gap
    for other, at in zip(gap.drew, gap.drawn_at, strict=True):
        is_early = at > 0 and seats.index(other) > seats.index(seat)
        rule = Rule.DRAW_OUT_OF_ORDER
        if is_early and not any(f.line == at and f.rule == rule for f in table.findings):
            table = add_finding(table, at, rule, other, line)
    return table


def _apply_late_draw(table: Table, deal: Deal, line: Line, act: CardDrawn) -> Table:
    """The table after a draw is recorded late: it was implied before, now its card is seen."""
    gap = replace(deal.gap, implied=tuple(s for s in deal.gap.implied if s != act.seat))
    deal = replace(deal, gap=gap)
    if act.card:
        card = CARD[act.card]
        lies = deal.lies and card != deal.pinta
        stock_cards = tuple(other for other in deal.stock_cards if other != card)
        deal = replace(deal, lies=lies, stock_cards=stock_cards)
        deal = deal_with_sights(deal, Recalled(line, deal.place_of_seat(act.seat), card))
        deal = add_known_cards(deal, act.seat, BIT[card], line, table.options)
    return replace(table, deal=deal)


def table_after_wrong_draw(table: Table, line: Line, act: WrongDraw) -> Table:
    """The table after a draw that the recorder reports as wrong."""
    table, deal = _settle_reading_before_draw(table, line)
    table = add_finding(table, line, Rule.WRONG_DRAW, act.seat, fault=act.fault)
    if act.fault == "none":
        gap = replace(deal.gap, to_draw=tuple(s for s in deal.gap.to_draw if s != act.seat))
        deal = deal_with_sights(deal, Waited(line, deal.place_of_seat(act.seat)))
        return replace(table, deal=replace(deal, gap=gap))
    if act.fault == "two_cards" and _may_still_draw(deal, act.seat) and deal.stock > 1:
        table = _apply_draw(table, deal, line, act.seat, "")
        assert table.deal is not None
        deal = table.deal
    is_pinta = act.fault == "pinta_early" and deal.lies
    token = TOKENS[deal.pinta] if is_pinta else act.card
    is_second = act.fault == "two_cards" and deal.stock > 0
    if act.seat in deal.gap.implied and not is_second:
        return _apply_late_draw(table, deal, line, CardDrawn(act.seat, token))
    return _apply_draw(table, deal, line, act.seat, token)


def _may_still_draw(deal: Deal, seat: Seat) -> bool:
    """Whether a seat was not yet seen to draw in a gap that has draws."""
    gap = deal.gap
    return bool(gap.to_draw or gap.drew) and seat not in gap.drew


def _apply_draw(table: Table, deal: Deal, line: Line, seat: Seat, token: str) -> Table:
    before = deal.held[deal.place_of_seat(seat)]
    deal = deal_after_draw(deal, seat, token, line)
    new = deal.held[deal.place_of_seat(seat)] & ~before
    return replace(
        table, deal=add_known_cards(deal, seat, new, line, table.options) if new else deal
    )


def deal_after_draw(deal: Deal, seat: Seat, token: str, line: Line = 0) -> Deal:
    """The deal once a seat has drawn the next card of the stock, or the card seen."""
    place = deal.place_of_seat(seat)
    card = CARD[token] if token else _top_card_or_none(deal)
    held, lies, stock_cards = deal.held, deal.lies, deal.stock_cards
    lacked = deal.absent[place] & deal.apart
    is_supposed = not token and card == deal.pinta and deal.lies
    if card is not None:
        lacked &= ~BIT[card]
        held = tuple_with_item(held, place, held[place] | BIT[card])
        lies = lies and card != deal.pinta and deal.stock > 1
        stock_cards = tuple(other for other in stock_cards if other != card)
    gap = deal.gap
    sight = Drew(line, place, UNSEEN if card is None else card)
    return replace(
        deal,
        sights=(*deal.sights, sight),
        held=held,
        absent=tuple_with_item(deal.absent, place, lacked),
        lies=lies,
        stock_cards=stock_cards,
        stock=deal.stock - 1,
        supposed=seat if is_supposed else deal.supposed,
        sizes=tuple_with_item(deal.sizes, place, deal.sizes[place] + 1),
        gap=replace(
            gap,
            to_draw=tuple(s for s in gap.to_draw if s != seat),
            drew=(*gap.drew, seat),
            drawn_at=(*gap.drawn_at, line),
        ),
    )


def _top_card_or_none(deal: Deal) -> Card | None:
    """Card on top of the stock; None if the record does not say it."""
    if deal.stock == 1 and deal.lies:
        return deal.pinta
    if deal.stock_cards and len(deal.stock_cards) == deal.stock - deal.lies:
        return deal.stock_cards[0]
    return None


def deal_after_implied_draws(deal: Deal) -> Deal:
    """The deal after everybody who had to draw has drawn, seen or not."""
    gap = deal.gap
    for seat in gap.to_draw:
        if deal.stock:
            deal = deal_after_draw(deal, seat, "")
    return replace(deal, gap=Gap(implied=(*gap.implied, *gap.to_draw), swapped=gap.swapped))


def deal_after_own_draw_if_proved(deal: Deal, seat: Seat, cards: Mask) -> Deal:
    """The deal after an unseen draw of a seat if only that explains one of the cards, or the same.

    The seats before it have drawn too if its card says so: the last one, or one of a known stock.
    """
    waiting = deal.gap.to_draw
    if seat not in waiting or not (
        cards & _cards_that_prove_draw(deal, seat) or _exceeds_hand_size(deal, seat, cards)
    ):
        return deal
    is_in_order = deal.stock_cards or _draws_pinta(deal, seat)
    first = waiting[: waiting.index(seat) + 1] if is_in_order else (seat,)
    for other in first:
        deal = deal_after_draw(deal, other, "")
    return replace(deal, gap=replace(deal.gap, implied=(*deal.gap.implied, *first)))


def _exceeds_hand_size(deal: Deal, seat: Seat, cards: Mask) -> bool:
    """Whether these and the known cards of a seat exceed its hand, while a stock is left."""
    place = deal.place_of_seat(seat)
    many = (deal.held[place] | cards).bit_count()
    return deal.stock > 0 and many > deal.sizes[place]


def _cards_that_prove_draw(deal: Deal, seat: Seat) -> Mask:
    """Cards that prove a draw: a seat that has yet to draw holds none of them."""
    if _draws_pinta(deal, seat):
        return BIT[deal.pinta]
    return mask_of(deal.stock_cards) | deal.absent[deal.place_of_seat(seat)] & ~deal.apart


def _draws_pinta(deal: Deal, seat: Seat) -> bool:
    """Whether a seat which has to draw takes the last card: the pinta."""
    return deal.lies and deal.gap.to_draw[deal.stock - 1 : deal.stock] == (seat,)


def may_have_drawn(deal: Deal, seat: Seat) -> bool:
    """Whether a draw of this gap may have happened: draws need not be recorded."""
    return seat in deal.gap.to_draw


def mask_of_own_draw(deal: Deal, seat: Seat) -> Mask:
    """Mask of the card a seat draws, or has drawn, in this gap; 0 if the record does not say."""
    if not may_have_drawn(deal, seat):
        return 0
    if _draws_pinta(deal, seat):
        return BIT[deal.pinta]
    if deal.stock_cards and len(deal.stock_cards) == deal.stock - deal.lies:
        return BIT[deal.stock_cards[deal.gap.to_draw.index(seat)]]
    return 0


def may_have_drawn_unseen(deal: Deal, seat: Seat) -> bool:
    """Whether a seat may have drawn a card in this gap that nobody saw."""
    return may_have_drawn(deal, seat) and not mask_of_own_draw(deal, seat)
