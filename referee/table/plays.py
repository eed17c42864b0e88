"""Cards on the table: plays and tricks."""

from __future__ import annotations

from msgspec.structs import replace

from referee.events import CardPlayed, TrickEntered
from referee.rules.articles import Rule
from referee.rules.cards import (
    BIT,
    CARD,
    DECK_POINTS,
    POINTS,
    Card,
    cards_in,
    index_of_winning_card,
)
from referee.rules.counts import (
    can_cards_make_tricks,
    possible_points_from_deck,
    possible_points_from_unseen,
)
from referee.rules.duties import Charge, charges_against_card, position_before_play
from referee.rules.evidence.sights import Held, Hidden, Played
from referee.rules.profile.options import Options
from referee.rules.seats import Seat, order_from
from referee.table.counts import sizes_of_hidden_tricks
from referee.table.draws import deal_after_implied_draws
from referee.table.knowledge import add_known_cards, add_proved_breaches, release_known_cards
from referee.table.state import (
    ClosedTrick,
    Deal,
    Gap,
    Line,
    Play,
    Renuncio,
    SuspectPlay,
    Table,
    add_finding,
    deal_with_sights,
    tuple_with_item,
)

_NOT_RECORDED: Line = 0


def table_after_play(table: Table, line: Line, act: CardPlayed) -> Table:
    """The table after a seat lays a card; the last card of a trick closes it."""
    deal = table.deal
    assert deal is not None
    if not deal.laid:
        deal = deal_after_implied_draws(deal)
    card, seat = CARD[act.card], act.seat
    if seat in deal.seats_with_card_in_trick:
        table = add_finding(table, line, Rule.TWO_CARDS_AT_ONCE, seat, card=act.card)
        deal = deal_with_sights(deal, Held(line, deal.place_of_seat(seat), BIT[card]))
        return replace(table, deal=add_known_cards(deal, seat, BIT[card], line, table.options))
    if seat != deal.turn:
        table, deal = _note_out_of_turn(table, deal, line, seat)
    if not deal.held[deal.place_of_seat(seat)] & BIT[card] and deal.is_hand_known(seat):
        table = add_finding(table, line, Rule.CARD_NOT_DEALT, seat, card=act.card)
    held_against: tuple[Charge, ...] = ()
    if _are_duties_in_force(table, deal):
        held_against = _charges(deal, seat, card, table.options)
        deal = _deal_with_play_judged(deal, line, seat, card, held_against, table.options)
    deal = _play_card(deal, Play(seat, card, line), held_against)
    if not _seats_left(deal):
        deal = _close_trick(deal, line, table.options)
        table = _note_wrong_sum(table, deal, line)
    return replace(table, deal=deal)


def _note_out_of_turn(table: Table, deal: Deal, line: Line, seat: Seat) -> tuple[Table, Deal]:
    is_renuncio = "out_of_turn_in_arrastre" in table.options.renuncio_cases
    if not (is_renuncio and _are_duties_in_force(table, deal)):
        return add_finding(table, line, Rule.OUT_OF_TURN, seat, turn=deal.turn or ""), deal
    renuncio = Renuncio(line, Rule.OUT_OF_TURN_IN_ARRASTRE, seat, len(deal.tricks) + 1)
    table = add_finding(table, line, Rule.OUT_OF_TURN_IN_ARRASTRE, seat, turn=deal.turn or "")
    return table, replace(deal, conduct=(*deal.conduct, renuncio))


def _seats_left(deal: Deal) -> list[Seat]:
    """Seats that still have a card to lay in the open trick."""
    laid = deal.seats_with_card_in_trick
    sizes = zip(deal.seats, deal.sizes, strict=True)
    return [seat for seat, size in sizes if size and seat not in laid]


def _are_duties_in_force(table: Table, deal: Deal) -> bool:
    return deal.in_arrastre or table.options.duties_from == "first_trick"


def _charges(deal: Deal, seat: Seat, card: Card, options: Options) -> tuple[Charge, ...]:
    """Charges against this card in the open trick."""
    position = position_before_play(
        [(p.seat, p.card) for p in deal.laid], seat, deal.trump, options
    )
    return () if position is None else charges_against_card(position, card)


def _deal_with_play_judged(
    deal: Deal,
    line: Line,
    seat: Seat,
    card: Card,
    held_against: tuple[Charge, ...],
    options: Options,
) -> Deal:
    """The deal with this play judged by the known cards, and earlier plays judged by this card."""
    deal = add_known_cards(deal, seat, BIT[card], line, options)
    mask = 0
    for charge in held_against:
        mask |= charge.cards
    if not mask:
        return deal
    number = len(deal.tricks) + 1
    suspect = SuspectPlay(seat, line, number, mask, (*deal.laid, Play(seat, card, line)))
    held = deal.held[deal.place_of_seat(seat)] & ~BIT[card]
    deal = replace(deal, suspects=(*deal.suspects, suspect))
    return add_proved_breaches(deal, seat, held, line, options)


def _play_card(deal: Deal, play: Play, held_against: tuple[Charge, ...]) -> Deal:
    place, bit = deal.place_of_seat(play.seat), BIT[play.card]
    sight = Played(play.line, place, play.card, held_against)
    return replace(
        deal,
        laid=(*deal.laid, play),
        played=deal.played | bit,
        sizes=tuple_with_item(deal.sizes, place, deal.sizes[place] - 1),
        held=tuple_with_item(deal.held, place, deal.held[place] & ~bit),
        sights=(*deal.sights, sight),
    )


def _close_trick(deal: Deal, line: Line, options: Options) -> Deal:
    cards = [play.card for play in deal.laid]
    taker = deal.laid[index_of_winning_card(cards, deal.trump, options.sota_caballo)].seat
    points = sum(POINTS[card] for card in cards)
    return _gather_trick(deal, ClosedTrick(deal.laid, taker, points, line))


def _gather_trick(deal: Deal, trick: ClosedTrick) -> Deal:
    deal = replace(deal, tricks=(*deal.tricks, trick), laid=())
    if not deal.stock and not any(deal.sizes):
        return _finish_deal(deal, trick)
    to_draw = order_from(trick.taker, len(deal.seats))[: deal.stock]
    return replace(deal, gap=Gap(to_draw))


def _finish_deal(deal: Deal, last: ClosedTrick) -> Deal:
    """The deal after its last trick; the taker also gets a pinta that stayed on the table."""
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


def table_after_trick(table: Table, line: Line, act: TrickEntered) -> Table:
    """The table after a trick without cards: its taker, and perhaps its points."""
    assert table.deal is not None
    before = deal_after_implied_draws(table.deal)
    deal, cards = _enter_trick_and_count_cards(table.deal, line, act)
    if act.points is not None and act.points not in possible_points_from_deck(cards):
        table = add_finding(table, line, Rule.TRICK_POINTS, act.seat, points=str(act.points))
    if _are_duties_in_force(table, before):
        deal = replace(deal, has_unseen_duties=True)
    return replace(_note_wrong_sum(table, deal, line), deal=deal)


def _enter_trick_and_count_cards(deal: Deal, line: Line, act: TrickEntered) -> tuple[Deal, int]:
    """The deal after a trick without cards, and how many cards the trick has."""
    deal = replace(deal_after_implied_draws(deal), is_entered=True)
    laid = tuple(place for place, size in enumerate(deal.sizes) if size)
    deal = release_known_cards(deal_with_sights(deal, Hidden(line, laid)), laid)
    sizes = tuple(max(size - 1, 0) for size in deal.sizes)
    deal = _gather_trick(replace(deal, sizes=sizes), ClosedTrick((), act.seat, act.points, line))
    return deal, len(laid) + (deal.is_played_out and deal.lies)


def possible_points_of_next_trick(deal: Deal, seat: Seat) -> frozenset[int]:
    """Points that the next trick can have, from cards that were not seen elsewhere.

    The points of other tricks do not count here: they were only told, and may be what is wrong.
    """
    after, cards = _enter_trick_and_count_cards(deal, _NOT_RECORDED, TrickEntered(seat))
    return possible_points_from_unseen(_unseen_cards(after), cards)


def _note_wrong_sum(table: Table, deal: Deal, line: Line) -> Table:
    """The table with a finding if the points of its tricks are impossible together."""
    points = [trick.points for trick in deal.tricks]
    total = sum(one or 0 for one in points)
    if not deal.is_entered:
        return table
    if deal.is_played_out and None not in points and total != DECK_POINTS:
        return add_finding(table, line, Rule.TRICKS_SUM, sum=str(total))
    lines = {trick.line for trick in deal.tricks}
    found = {finding.rule for finding in table.findings if finding.line in lines}
    if found & {Rule.TRICK_POINTS, Rule.TRICKS_TOGETHER} or _are_points_possible(deal):
        return table
    return add_finding(table, line, Rule.TRICKS_TOGETHER, sum=str(total))


def _are_points_possible(deal: Deal) -> bool:
    """Whether the unseen cards can make the points of the tricks without cards."""
    sizes = sizes_of_hidden_tricks(deal)
    untold = [
        (sizes[t.line], t.points) for t in deal.tricks if not t.plays and t.points is not None
    ]
    return can_cards_make_tricks(_unseen_cards(deal), untold)


def _unseen_cards(deal: Deal) -> list[Card]:
    """Cards that may be in the tricks of which nobody saw the cards."""
    elsewhere = deal.played | (BIT[deal.pinta] if deal.lies and not deal.is_played_out else 0)
    for cards in deal.held:
        elsewhere |= cards
    return cards_in(deal.deck & ~elsewhere)
