"""Cards on the table: plays, draws and tricks, and what they prove about earlier plays."""

from __future__ import annotations

from msgspec.structs import replace

from referee.events import CardDrawn, CardPlayed, TrickEntered, WrongDraw
from referee.rules.articles import Rule
from referee.rules.cards import BIT, CARD, POINTS, TOKENS, Card, Mask, cards_in
from referee.rules.duties import accused_of, accusers, breach, facing
from referee.rules.options import Options
from referee.rules.seats import Seat, order_from
from referee.rules.tricks import best_index
from referee.table.notes import note
from referee.table.state import Breach, Deal, Fault, Gap, Line, Play, Table, Trick, Watch, put


def card_played(table: Table, line: Line, act: CardPlayed) -> Table:
    """A seat lays a card; the trick closes when nobody else has a card to lay."""
    deal = table.deal
    assert deal is not None
    if not deal.laid:
        deal = after_implied_draws(deal)
    card, seat = CARD[act.card], act.seat
    if any(play.seat == seat for play in deal.laid):
        table = note(table, line, Rule.TWO_CARDS_AT_ONCE, seat, card=act.card)
        return replace(table, deal=learnt(deal, seat, BIT[card], line, table.options))
    if seat != deal.turn:
        table, deal = _out_of_turn(table, deal, line, seat)
    if not deal.held[deal.place(seat)] & BIT[card] and deal.is_known(seat):
        table = note(table, line, Rule.CARD_NOT_DEALT, seat, card=act.card)
    if _duties_hold(table, deal):
        deal = _judged(deal, line, seat, card, table.options)
    deal = _laid(deal, Play(seat, card, line))
    if all(not size or any(p.seat == s for p in deal.laid) for s, size in _with_cards(deal)):
        deal = _closed(deal, line, table.options)
    return replace(table, deal=deal)


def _out_of_turn(table: Table, deal: Deal, line: Line, seat: Seat) -> tuple[Table, Deal]:
    is_renuncio = "out_of_turn_in_arrastre" in table.options.renuncio_cases
    if not (is_renuncio and _duties_hold(table, deal)):
        return note(table, line, Rule.OUT_OF_TURN, seat, turn=deal.turn or ""), deal
    fault = Fault(line, Rule.OUT_OF_TURN_IN_ARRASTRE, seat, len(deal.tricks) + 1)
    table = note(table, line, Rule.OUT_OF_TURN_IN_ARRASTRE, seat, turn=deal.turn or "")
    return table, replace(deal, faults=(*deal.faults, fault))


def _with_cards(deal: Deal) -> list[tuple[Seat, int]]:
    return list(zip(deal.seats, deal.sizes, strict=True))


def _duties_hold(table: Table, deal: Deal) -> bool:
    return deal.in_arrastre or table.options.duties_from == "first_trick"


def _judged(deal: Deal, line: Line, seat: Seat, card: Card, options: Options) -> Deal:
    """The deal with this play judged by the cards known, and earlier plays by this card."""
    deal = learnt(deal, seat, BIT[card], line, options)
    position = facing([(p.seat, p.card) for p in deal.laid], seat, deal.trump, options)
    if position is None:
        return deal
    mask = accusers(position, card)
    if not mask:
        return deal
    number = len(deal.tricks) + 1
    watch = Watch(seat, line, number, mask, (*deal.laid, Play(seat, card, line)))
    held = deal.held[deal.place(seat)] & ~BIT[card]
    deal = replace(deal, watches=(*deal.watches, watch))
    return _accused(deal, seat, held, line, options)


def learnt(deal: Deal, seat: Seat, cards: Mask, line: Line, options: Options) -> Deal:
    """The deal once these cards are known to be in the hand of a seat."""
    place = deal.place(seat)
    deal = replace(deal, held=put(deal.held, place, deal.held[place] | cards))
    return _accused(deal, seat, cards, line, options)


def _accused(deal: Deal, seat: Seat, cards: Mask, line: Line, options: Options) -> Deal:
    """The deal with the breaches that these cards of a seat prove."""
    proved = [w for w in deal.watches if w.seat == seat and w.accusers & cards]
    if not proved:
        return deal
    since = {known.line: known.known_at for known in deal.breaches}
    watches = [watch for watch in deal.watches if watch not in proved]
    found = []
    for watch in proved:
        seen = watch.accusers & cards
        found.append(_breach(watch, seen, deal, options, since.get(watch.line, line)))
        left = 0 if seen & watch.led else watch.accusers & watch.led
        watches += [replace(watch, accusers=left)] if left else []
    lines = {breach.line for breach in found}
    others = (breach for breach in deal.breaches if breach.line not in lines)
    return replace(deal, watches=tuple(watches), breaches=(*others, *found))


def _breach(watch: Watch, cards: Mask, deal: Deal, options: Options, line: Line) -> Breach:
    """The breach that these cards, held besides the card laid, prove at this line."""
    *before, own = watch.plays
    position = facing([(p.seat, p.card) for p in before], own.seat, deal.trump, options)
    assert position is not None, "a leading card is never watched"
    rule = breach(position, cards | BIT[own.card], own.card)
    assert rule is not None, "an accuser proves a breach"
    proof = next(c for c in cards_in(cards) if accused_of(position, own.card, c) == rule)
    return Breach(watch.line, rule, watch.seat, watch.trick, line, proof)


def _laid(deal: Deal, play: Play) -> Deal:
    place, bit = deal.place(play.seat), BIT[play.card]
    return replace(
        deal,
        laid=(*deal.laid, play),
        played=deal.played | bit,
        sizes=put(deal.sizes, place, deal.sizes[place] - 1),
        held=put(deal.held, place, deal.held[place] & ~bit),
    )


def _closed(deal: Deal, line: Line, options: Options) -> Deal:
    cards = [play.card for play in deal.laid]
    taker = deal.laid[best_index(cards, deal.trump, options.sota_caballo)].seat
    points = sum(POINTS[card] for card in cards)
    return _gathered(deal, Trick(deal.laid, taker, points, line))


def _gathered(deal: Deal, trick: Trick) -> Deal:
    deal = replace(deal, tricks=(*deal.tricks, trick), laid=())
    if not deal.stock and not any(deal.sizes):
        return _played_out(deal, trick)
    to_draw = order_from(trick.taker, len(deal.seats))[: deal.stock]
    return replace(deal, gap=Gap(to_draw))


def _played_out(deal: Deal, last: Trick) -> Deal:
    """The deal after its last trick; a pinta that stayed on the table goes with it."""
    deal = replace(deal, end_line=last.line, gap=Gap())
    if not deal.lies or last.points is None or not last.plays:
        return deal
    last = replace(last, points=last.points + POINTS[deal.pinta])
    return replace(
        deal,
        tricks=(*deal.tricks[:-1], last),
        lies=False,
        played=deal.played | BIT[deal.pinta],
    )


def trick_entered(table: Table, line: Line, act: TrickEntered) -> Table:
    """A trick of which only the taker is known, and perhaps its points."""
    deal = table.deal
    assert deal is not None
    deal = replace(after_implied_draws(deal), is_entered=True)
    sizes = tuple(max(size - 1, 0) for size in deal.sizes)
    deal = _gathered(replace(deal, sizes=sizes), Trick((), act.seat, act.points, line))
    return replace(table, deal=deal)


def after_implied_draws(deal: Deal) -> Deal:
    """The deal once everybody who had to draw has drawn, seen or not."""
    gap = deal.gap
    for seat in gap.to_draw:
        if deal.stock:
            deal = drawn(deal, seat, "")
    return replace(deal, gap=Gap(implied=gap.to_draw, swapped=gap.swapped))


def after_own_draw(deal: Deal, seat: Seat, cards: Mask) -> Deal:
    """The deal once a seat has drawn unseen, if one of these cards can be in its hand only so."""
    waiting = deal.gap.to_draw
    if seat not in waiting or not any(BIT[card] & cards for card in deal.stock_cards):
        return deal
    first = waiting[: waiting.index(seat) + 1]
    for other in first:
        deal = drawn(deal, other, "")
    return replace(deal, gap=replace(deal.gap, implied=(*deal.gap.implied, *first)))


def drawn(deal: Deal, seat: Seat, token: str, line: Line = 0) -> Deal:
    """The deal once a seat has drawn the next card of the stock, or the card seen."""
    place = deal.place(seat)
    card = CARD[token] if token else _next_card(deal)
    held, lies, stock_cards = deal.held, deal.lies, deal.stock_cards
    if card is not None:
        held = put(held, place, held[place] | BIT[card])
        lies = lies and card != deal.pinta and deal.stock > 1
        stock_cards = tuple(other for other in stock_cards if other != card)
    gap = deal.gap
    return replace(
        deal,
        held=held,
        absent=put(deal.absent, place, 0),
        lies=lies,
        stock_cards=stock_cards,
        stock=deal.stock - 1,
        sizes=put(deal.sizes, place, deal.sizes[place] + 1),
        gap=replace(
            gap,
            to_draw=tuple(s for s in gap.to_draw if s != seat),
            drew=(*gap.drew, seat),
            drawn_at=(*gap.drawn_at, line),
        ),
    )


def _next_card(deal: Deal) -> Card | None:
    """Card on top of the stock, where the record tells it."""
    if deal.stock == 1 and deal.lies:
        return deal.pinta
    if deal.stock_cards and len(deal.stock_cards) == deal.stock - deal.lies:
        return deal.stock_cards[0]
    return None


def card_drawn(table: Table, line: Line, act: CardDrawn) -> Table:
    """A seat draws, in its order or not."""
    deal = table.deal
    assert deal is not None
    if act.seat in deal.gap.implied:
        table = note(table, line, Rule.DRAW_OUT_OF_ORDER, act.seat)
        return _with_late_draw(table, deal, line, act)
    if act.seat not in deal.gap.to_draw:
        table = note(table, line, Rule.DRAWN_TWICE, act.seat)
    else:
        table = _overtaken(table, deal, line, act.seat)
    if act.card and CARD[act.card] == deal.pinta and deal.lies and deal.stock > 1:
        table = note(table, line, Rule.WRONG_DRAW, act.seat, fault="pinta_early")
    return _with_draw(table, deal, line, act.seat, act.card)


def _overtaken(table: Table, deal: Deal, line: Line, seat: Seat) -> Table:
    """Findings on those who were seen drawing before a seat that comes before them."""
    seats, gap = order_from(deal.leader, len(deal.seats)), deal.gap
    for other, at in zip(gap.drew, gap.drawn_at, strict=True):
        is_early = at > 0 and seats.index(other) > seats.index(seat)
        rule = Rule.DRAW_OUT_OF_ORDER
        if is_early and not any(f.line == at and f.rule == rule for f in table.findings):
            table = note(table, at, rule, other, line)
    return table


def _with_late_draw(table: Table, deal: Deal, line: Line, act: CardDrawn) -> Table:
    """A draw noted after the lead: it was taken for granted then, and now its card is seen."""
    gap = replace(deal.gap, implied=tuple(s for s in deal.gap.implied if s != act.seat))
    deal = replace(deal, gap=gap)
    if act.card:
        card = CARD[act.card]
        lies = deal.lies and card != deal.pinta
        stock_cards = tuple(other for other in deal.stock_cards if other != card)
        deal = replace(deal, lies=lies, stock_cards=stock_cards)
        deal = learnt(deal, act.seat, BIT[card], line, table.options)
    return replace(table, deal=deal)


def wrong_draw(table: Table, line: Line, act: WrongDraw) -> Table:
    """A draw that the recorder reports as wrong."""
    deal = table.deal
    assert deal is not None
    table = note(table, line, Rule.WRONG_DRAW, act.seat, fault=act.fault)
    if act.fault == "none":
        gap = replace(deal.gap, to_draw=tuple(s for s in deal.gap.to_draw if s != act.seat))
        return replace(table, deal=replace(deal, gap=gap))
    if act.fault == "two_cards" and act.seat in deal.gap.to_draw and deal.stock > 1:
        table = _with_draw(table, deal, line, act.seat, "")
        assert table.deal is not None
        deal = table.deal
    is_pinta = act.fault == "pinta_early" and deal.lies
    token = TOKENS[deal.pinta] if is_pinta else act.card
    is_second = act.fault == "two_cards" and deal.stock > 0
    if act.seat in deal.gap.implied and not is_second:
        return _with_late_draw(table, deal, line, CardDrawn(act.seat, token))
    return _with_draw(table, deal, line, act.seat, token)


def _with_draw(table: Table, deal: Deal, line: Line, seat: Seat, token: str) -> Table:
    before = deal.held[deal.place(seat)]
    deal = drawn(deal, seat, token, line)
    new = deal.held[deal.place(seat)] & ~before
    return replace(table, deal=learnt(deal, seat, new, line, table.options) if new else deal)


__all__ = [
    "after_implied_draws",
    "after_own_draw",
    "card_drawn",
    "card_played",
    "drawn",
    "learnt",
    "trick_entered",
    "wrong_draw",
]
