"""What is announced: cantes, the swap of the pinta, a tute.

Those that a rule bars are recorded as such.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from referee.events import (
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    PintaSwapped,
    TableAct,
    TuteAnnounced,
    WrongDraw,
)
from referee.rules.articles import Rule, decides
from referee.rules.cards import (
    BIT,
    CANTE_PAIR,
    CARD,
    DOS,
    PLACES,
    POINTS,
    RANKS,
    SUITS,
    TOKENS,
    Card,
    Mask,
    mask_of,
)
from referee.rules.counting import CANTE_OF_ANOTHER, CANTE_OF_TRUMP
from referee.rules.evidence.sights import Held, Sang, Swapped
from referee.rules.profile.deck import swap_card
from referee.rules.profile.options import Options, SwapWindow, Window
from referee.rules.seats import Seat, Side, partner_of, side_of
from referee.table.drawing import after_own_draw, may_have_drawn, may_have_drawn_unseen
from referee.table.learning import exchanged, learnt
from referee.table.notes import note
from referee.table.state import HIDDEN, Cante, Deal, Ending, Line, Table, with_sights

SIDE_SUITS = len(SUITS) - 1


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
    return bool(cards & lacked(after_own_draw(deal, seat, cards), seat))


def lacked(deal: Deal, seat: Seat) -> Mask:
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


def cante_announced(table: Table, line: Line, act: CanteAnnounced) -> Table:
    """A cante counts unless a condition bars it; then it is void, with the reason beside it."""
    deal = table.deal
    assert deal is not None
    suit = SUITS.index(act.suit) if act.suit else HIDDEN
    barred = _cante_barred(deal, act.seat, suit, table.options)
    for rule in barred:
        table = note(table, line, rule, act.seat, suit=act.suit)
    if _should_be_shown(deal, act, suit, table.options):
        table = note(table, line, Rule.CANTE_NOT_SHOWN, act.seat, suit=act.suit)
    points = CANTE_OF_TRUMP if suit == deal.trump else CANTE_OF_ANOTHER
    suits = _possible_suits(deal, suit)
    cards = sum(CANTE_PAIR[each] for each in suits)
    missing = lacked(after_own_draw(deal, act.seat, cards), act.seat)
    cante = Cante(line, act.seat, suit, points, len(deal.tricks), bool(barred), suits, missing)
    deal = replace(deal, cantes=(*deal.cantes, cante))
    is_seen = act.shown is True and suit != HIDDEN and Rule.CANTE_DISPROVED not in barred
    sets = tuple(CANTE_PAIR[each] for each in suits)
    return replace(table, deal=_said_to_hold(deal, act.seat, sets, line, table.options, is_seen))


def _said_to_hold(
    deal: Deal,
    seat: Seat,
    sets: tuple[Mask, ...],
    line: Line,
    options: Options,
    is_seen: bool,  # noqa: FBT001 - what the act says
) -> Deal:
    """The deal after a seat said that it holds one of these sets, and perhaps showed it."""
    cards = sum(sets)
    if is_seen:
        deal = after_own_draw(deal, seat, cards)
    place, drawing = deal.place(seat), may_have_drawn_unseen(deal, seat)
    deal = with_sights(deal, Sang(line, place, sets, drawing))
    if not is_seen:
        return deal
    return learnt(with_sights(deal, Held(line, place, cards, drawing)), seat, cards, line, options)


def _possible_suits(deal: Deal, suit: int) -> tuple[int, ...]:
    """The suit of a cante, or every side suit not yet sung."""
    if suit != HIDDEN:
        return (suit,)
    sung = {cante.suit for cante in deal.cantes if not cante.void}
    return tuple(s for s in range(len(SUITS)) if s != deal.trump and s not in sung)


def _cante_barred(deal: Deal, seat: Seat, suit: int, options: Options) -> list[Rule]:
    side = side_of(seat)
    sung = [cante for cante in deal.cantes if not cante.void]
    of_trick = [c for c in sung if c.trick == len(deal.tricks) and side_of(c.seat) == side]
    per_player = sum(cante.seat == seat for cante in of_trick)
    hidden = sum(cante.suit == HIDDEN for cante in sung)
    named = {cante.suit for cante in sung if cante.suit != HIDDEN}
    twenties = len(named - {deal.trump}) + hidden + (suit != deal.trump)
    late = not window_is_open(deal, options.cante_window, side)
    suits = _possible_suits(deal, suit)
    reasons = {
        Rule.CANTE_NO_TRICK: not has_won(deal, side, options.cante_needs_trick) or not deal.tricks,
        Rule.CANTE_LATE: bool(deal.tricks) and late,
        Rule.CANTE_AFTER_SWAP: options.cante_before_swap and deal.gap.swapped,
        Rule.CANTE_IN_ARRASTRE: not options.cante_in_arrastre and deal.in_arrastre,
        Rule.CANTE_ALREADY_SUNG: suit in named or twenties > SIDE_SUITS,
        Rule.CANTES_PER_PLAYER: per_player >= options.cantes_per_player,
        Rule.CANTES_PER_SIDE: 0 < options.cantes_per_side <= len(of_trick),
        Rule.CANTE_DISPROVED: bool(suits)
        and all(cannot_hold(deal, seat, CANTE_PAIR[each]) for each in suits),
    }
    return [rule for rule, holds in reasons.items() if holds]


def cantes_doubted(table: Table, line: Line, act: TableAct) -> Table:
    """Earlier cantes that an act disproves: their cards were elsewhere."""
    deal = table.deal
    assert deal is not None
    cantes: list[Cante] = []
    for cante in deal.cantes:
        if cante.void or cante.line == line:
            cantes.append(cante)
            continue
        elsewhere = cante.elsewhere | _seen_elsewhere(deal, cante.seat, act)
        cantes.append(replace(cante, elsewhere=elsewhere))
        was_open = not _is_without(cante, cante.elsewhere)
        if was_open and _is_without(cante, elsewhere):
            suit = "" if cante.suit == HIDDEN else SUITS[cante.suit]
            table = note(table, cante.line, Rule.CANTE_DISPROVED, cante.seat, line, suit=suit)
    return replace(table, deal=replace(deal, cantes=tuple(cantes)))


def _is_without(cante: Cante, elsewhere: Mask) -> bool:
    return bool(cante.suits) and all(CANTE_PAIR[suit] & elsewhere for suit in cante.suits)


def _seen_elsewhere(deal: Deal, singer: Seat, act: TableAct) -> Mask:
    """Cards that an act shows not to have been in the hand of a singer before it."""
    found = mask_of(deal.stock_cards)
    for seat, held in zip(deal.seats, deal.held, strict=True):
        if seat != singer:
            found |= held
    match act:
        case CardPlayed(seat, card) if seat != singer:
            found |= BIT[CARD[card]]
        case CardDrawn(_, card) | WrongDraw(_, _, card) if card:
            found |= BIT[CARD[card]]
        case _:
            pass
    return found & ~mask_of(deal.swapped_away)


def _should_be_shown(deal: Deal, act: CanteAnnounced, suit: int, options: Options) -> bool:
    """Whether a cante of 20 should have been shown, or its suit named, and was not."""
    if suit == deal.trump:
        return False
    hidden = suit == HIDDEN
    match options.cante_20_shown:
        case "always":
            return hidden or act.shown is False
        case "not_in_arrastre":
            return not deal.in_arrastre and (hidden or act.shown is False)
        case "suit_named":
            return hidden
        case "suit_on_request_in_arrastre":
            return hidden and not deal.in_arrastre
        case _:
            assert_never(options.cante_20_shown)


def pinta_swapped(table: Table, line: Line, act: PintaSwapped) -> Table:
    """The table after a swap of the pinta; a barred swap gives a finding."""
    deal = table.deal
    assert deal is not None
    card = CARD[act.card] if act.card else swap_card(table.options, deal.trump)
    for rule in _swap_barred(deal, act.seat, card, table.options):
        table = note(table, line, rule, act.seat, card=TOKENS[card], pinta=TOKENS[deal.pinta])
    deal = after_own_draw(deal, act.seat, BIT[card])
    place = deal.place(act.seat)
    sight = Swapped(line, place, card, deal.pinta, may_have_drawn_unseen(deal, act.seat))
    deal = exchanged(deal, act.seat, BIT[card], BIT[deal.pinta], line, table.options)
    deal = replace(
        deal,
        pinta=card,
        swapped_away=(*deal.swapped_away, card),
        gap=replace(deal.gap, swapped=True),
    )
    return replace(table, deal=with_sights(deal, sight))


def _swap_barred(deal: Deal, seat: Seat, card: Card, options: Options) -> list[Rule]:
    side = side_of(seat)
    is_usual = card == swap_card(options, deal.trump)
    is_dos = card == deal.trump * PLACES + DOS
    takes_siete = TOKENS[deal.pinta][0] == "7"
    needs = options.swap_needs_trick
    reasons = {
        Rule.SWAP_BARRED: not options.swap or not (is_usual or is_dos),
        Rule.TWO_FOR_SEVEN_BARRED: is_dos and not (options.two_for_seven and takes_siete),
        Rule.SWAP_BY: options.swap_by == "leader" and seat != deal.leader,
        Rule.SWAP_NO_TRICK: not has_won(deal, side, needs) or _no_lead(deal, side, needs),
        Rule.SWAP_LATE: not window_is_open(deal, options.swap_window, side),
        Rule.SWAP_ONLY_FOR_VALUE: options.swap_only_for_value and not POINTS[deal.pinta],
        Rule.SWAP_LAST_DRAW: options.swap_last_draw == "not_with_partner"
        and _partner_draws_pinta(deal, seat),
        Rule.SWAP_DISPROVED: cannot_hold(deal, seat, BIT[card]),
    }
    return [rule for rule, holds in reasons.items() if holds]


def _no_lead(deal: Deal, side: Side, needs: str) -> bool:
    """Whether a side lacks the lead, which is required if no trick is."""
    return needs == "none" and side_of(deal.leader) != side


def _partner_draws_pinta(deal: Deal, seat: Seat) -> bool:
    waiting = deal.gap.to_draw
    if not 0 < deal.stock <= len(waiting):
        return False
    return partner_of(seat, len(deal.seats)) == waiting[deal.stock - 1]


@decides(Rule.TUTE)
def tute_announced(table: Table, line: Line, act: TuteAnnounced) -> Table:
    """A tute wins the partida if the profile allows it, it is in time and not disproved."""
    deal = table.deal
    assert deal is not None
    options, side = table.options, side_of(act.seat)
    rank = RANKS.index(act.rank)
    four = sum(BIT[suit * PLACES + rank] for suit in range(len(SUITS)))
    cannot = cannot_hold(deal, act.seat, four)
    shown = act.shown is True and not cannot
    said = _said_to_hold(deal, act.seat, (four,), line, options, shown)
    table = replace(table, deal=said)
    has_trick = bool(deal.tricks) and has_won(deal, side, options.cante_needs_trick)
    in_time = window_is_open(deal, options.cante_window, side)
    if not options.tute or not has_trick or not in_time:
        return note(table, line, Rule.TUTE_BARRED, act.seat)
    if cannot:
        return note(table, line, Rule.TUTE_DISPROVED, act.seat)
    is_proved = deal.held[deal.place(act.seat)] & four == four
    if not act.shown and not is_proved:
        return note(table, line, Rule.CANTE_NOT_SHOWN, act.seat)
    ending = Ending(line, "tute", side, has_won=True, of_deal=True)
    return replace(table, endings=(*table.endings, ending))
