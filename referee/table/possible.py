"""Impossible acts: the only ones that are refused.

Illegal acts are possible: a card out of turn, a barred swap or a renuncio is recorded. A card that
is certainly elsewhere is refused.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from referee import events as ev
from referee.errors import Refused
from referee.rules.articles import Rule
from referee.rules.cards import (
    BIT,
    CARD,
    DECK_POINTS,
    SUIT_MASK,
    SUITS,
    TOKENS,
    Card,
    Mask,
    cards_in,
    mask_of,
    mask_of_tokens,
)
from referee.rules.counts import nearest_numbers_text
from referee.rules.profile.options import card_for_swap, deck_mask, is_dos_out
from referee.rules.seats import SIDES, Seat
from referee.table.cantes import latest_hidden_cante
from referee.table.draws import (
    deal_after_implied_draws,
    deal_after_own_draw_if_proved,
    deal_in_other_reading,
    deal_in_reading_for_draw,
)
from referee.table.plays import possible_points_of_next_trick
from referee.table.state import NO_CARD, Deal, Table

AFTER_DECISION = (
    ev.HandEntered,
    ev.StockEntered,
    ev.CardsShown,
    ev.RenuncioDenounced,
    ev.RulingGiven,
)


def refuse_impossible(table: Table, act: ev.TableAct) -> None:
    """Refuse an act that is impossible at this table in each possible reading of its draws.

    :raises Refused: with the rule and the facts against it.
    """
    try:
        refuse_impossible_as_read(table, act)
    except Refused:
        if table.deal is None or table.deal.otherwise is None:
            raise
        refuse_impossible_as_read(replace(table, deal=deal_in_other_reading(table.deal)), act)


def refuse_impossible_as_read(table: Table, act: ev.TableAct) -> None:
    """Refuse an act that is impossible at this table in the present reading of its draws."""
    _refuse_unknown_seats(table, act)
    if table.decided is not None and not isinstance(act, AFTER_DECISION):
        raise Refused(Rule.PARTIDA_DECIDED, winner=table.decided.winner, how=table.decided.how)
    match act:
        case ev.DealStarted():
            _refuse_impossible_deal_start(table, act)
        case ev.PlayResumed() if not table.suspended:
            raise Refused(Rule.PLAY_NOT_SUSPENDED)
        case ev.ResultEntered() | ev.Conceded() | ev.Abandoned():
            pass
        case ev.RulingGiven():
            _refuse_impossible_ruling(table, act)
        case (
            ev.Misdealt()
            | ev.WrongDealFound()
            | ev.PintaTurned()
            | ev.HandEntered()
            | ev.StockEntered()
            | ev.CardPlayed()
            | ev.CardDrawn()
            | ev.WrongDraw()
            | ev.CanteAnnounced()
            | ev.SuitRequested()
            | ev.PintaSwapped()
            | ev.TuteAnnounced()
            | ev.TrickReviewed()
            | ev.CardsShown()
            | ev.RenuncioDenounced()
            | ev.ClaimMade()
            | ev.RestClaimed()
            | ev.CountEntered()
            | ev.DealAnnulled()
            | ev.TrickEntered()
        ):
            if table.deal is None:
                raise Refused(Rule.NO_DEAL)
            _refuse_impossible_in_deal(table, table.deal, act)
        case ev.IncidentNoted():
            refuse_impossible_incident(table, act)
        case _:
            pass


def _refuse_impossible_in_deal(table: Table, deal: Deal, act: ev.TableAct) -> None:  # noqa: C901, PLR0912 - a case an act
    match act:
        case ev.PintaTurned():
            refuse_impossible_pinta(table, deal, act.card)
        case ev.HandEntered():
            refuse_impossible_hand(deal, act)
        case ev.StockEntered():
            refuse_impossible_stock(deal, act)
        case ev.CardPlayed():
            refuse_impossible_play(deal, act)
        case ev.CardDrawn() | ev.WrongDraw():
            refuse_impossible_draw(deal, act)
        case ev.PintaSwapped():
            refuse_impossible_swap(table, deal, act)
        case ev.SuitRequested() if latest_hidden_cante(deal, act.seat) is None:
            raise Refused(Rule.NO_HIDDEN_CANTE, seat=act.seat)
        case ev.CanteAnnounced() | ev.TuteAnnounced() if deal.trump < 0:
            raise Refused(Rule.NO_PINTA)
        case ev.CardsShown():
            refuse_impossible_show(deal, act)
        case ev.TrickReviewed():
            _refuse_unknown_trick(deal, act.trick)
        case ev.RenuncioDenounced():
            _refuse_impossible_denunciation(table, deal, act)
        case ev.TrickEntered():
            _refuse_impossible_trick(deal, act)
        case ev.CountEntered():
            _refuse_impossible_count(table, deal, act)
        case ev.Misdealt():
            _refuse_impossible_misdeal(deal, act)
        case ev.WrongDealFound(cards=cards) if not 0 <= cards < deal.deck.bit_count():
            raise Refused(Rule.HAND_TOO_LARGE, seat=act.seat, cards=cards)
        case _:
            pass


def _refuse_unknown_seats(table: Table, act: ev.TableAct) -> None:
    """Refused if a seat or side is not at this table, or one that must be named is not."""
    may_be_nobody = isinstance(act, ev.IncidentNoted | ev.RulingGiven)
    seats = [
        getattr(act, name) for name in ("seat", "dealer", "by", "against") if hasattr(act, name)
    ]
    for seat in (*seats, *getattr(act, "hands", ())):
        if seat not in table.seats and not (may_be_nobody and not seat):
            raise Refused(Rule.SEAT_UNKNOWN, seat=seat)
    sides = [getattr(act, name) for name in ("side", "winner") if hasattr(act, name)]
    for side in (*sides, *getattr(act, "totals", ())):
        if side not in SIDES[table.players] and not (may_be_nobody and not side):
            raise Refused(Rule.SIDE_UNKNOWN, side=side)


def _refuse_impossible_deal_start(table: Table, act: ev.DealStarted) -> None:
    if table.deal is not None and not (table.deal.is_played_out and table.deal.is_counted):
        raise Refused(Rule.DEAL_RUNNING, deal=table.deal.number)
    if act.removed and (act.removed not in CARD or act.removed[0] != "2"):
        raise Refused(Rule.CARD_NOT_IN_DECK, card=act.removed)
    if act.removed and not is_dos_out(table.options):
        raise Refused(Rule.NO_DOS_OUT, card=act.removed)
    most = deck_mask(table.options).bit_count() - 1
    if act.cut is not None and not 0 <= act.cut <= most:
        raise Refused(Rule.CUT_IMPOSSIBLE, cut=act.cut, most=most)


def _refuse_impossible_ruling(table: Table, act: ev.RulingGiven) -> None:
    if act.effect in ("annul_deal", "replay_deal", "points") and table.deal is None:
        raise Refused(Rule.NO_DEAL)
    if act.effect in ("partida", "points") and not act.side:
        raise Refused(Rule.SIDE_UNKNOWN, side="")
    if act.effect == "dealer" and not act.seat:
        raise Refused(Rule.SEAT_UNKNOWN, seat="")


def _refuse_impossible_misdeal(deal: Deal, act: ev.Misdealt) -> None:
    """Refused if the hands together have more cards than the deck."""
    known = 0
    for seat, cards in act.hands.items():
        known += cards
        if cards < 0 or known > deal.deck.bit_count():
            raise Refused(Rule.HAND_TOO_LARGE, seat=seat, cards=cards)


def _refuse_unknown_trick(deal: Deal, trick: int) -> None:
    if not 1 <= trick <= len(deal.tricks):
        raise Refused(Rule.TRICK_UNKNOWN, trick=trick, tricks=len(deal.tricks))


def _refuse_impossible_denunciation(table: Table, deal: Deal, act: ev.RenuncioDenounced) -> None:
    if not 0 <= act.deal <= len(table.all_deals):
        raise Refused(Rule.DEAL_UNKNOWN, deal=act.deal, deals=len(table.all_deals))
    meant = table.all_deals[act.deal - 1] if act.deal else deal
    is_on_table = meant is deal and act.trick == len(deal.tricks) + 1
    if act.trick and not is_on_table:
        _refuse_unknown_trick(meant, act.trick)


def _refuse_impossible_trick(deal: Deal, act: ev.TrickEntered) -> None:
    if deal.is_played_out:
        raise Refused(Rule.DEAL_PLAYED_OUT, deal=deal.number)
    if deal.laid:
        raise Refused(Rule.TRICK_UNKNOWN, trick=len(deal.tricks) + 1, tricks=len(deal.tricks))
    if act.points is not None:
        known = sum(trick.points or 0 for trick in deal.tricks)
        may_be = {
            n for n in possible_points_of_next_trick(deal, act.seat) if known + n <= DECK_POINTS
        }
        if act.points not in may_be:
            near = nearest_numbers_text(act.points, may_be)
            raise Refused(Rule.POINTS_IMPOSSIBLE, points=act.points, before=known, nearest=near)


def _refuse_impossible_count(table: Table, deal: Deal, act: ev.CountEntered) -> None:
    if deal.is_entered and not deal.is_played_out and act.totals:
        return
    if not deal.is_played_out and table.claim is None:
        raise Refused(Rule.DEAL_RUNNING, deal=deal.number)


def refuse_impossible_incident(table: Table, act: ev.IncidentNoted) -> None:
    """Refused if a card is not in the deck.

    Refused, too, if an exposed one was not played and is certainly not in the hand of its seat.
    """
    if not act.card:
        return
    deal = table.deal
    card = _require_card_in_deck(deck_mask(table.options) if deal is None else deal.deck, act.card)
    if deal is not None and act.seat and act.incident == "exposed" and not deal.played & BIT[card]:
        _refuse_card_elsewhere(
            deal_after_own_draw_if_proved(deal, act.seat, BIT[card]), card, act.seat
        )


def _require_card_in_deck(deck: Mask, token: str) -> Card:
    """Card of a token. Refused if it is not in this deck."""
    card = CARD.get(token, NO_CARD)
    if card == NO_CARD or not deck & BIT[card]:
        raise Refused(Rule.CARD_NOT_IN_DECK, card=token)
    return card


def _refuse_card_elsewhere(deal: Deal, card: Card, seat: Seat) -> None:
    """Refused if the card is certainly not with this seat."""
    bit = BIT[card]
    token = TOKENS[card]
    if deal.played & bit:
        raise Refused(Rule.CARD_PLAYED_BEFORE, card=token)
    holder = deal.holder(card)
    if holder is not None and holder != seat:
        raise Refused(Rule.CARD_ELSEWHERE, card=token, seat=seat, where=holder)
    if card == deal.pinta and deal.lies:
        raise Refused(Rule.CARD_ELSEWHERE, card=token, seat=seat, where="pinta")
    if card in deal.stock_cards:
        raise Refused(Rule.CARD_ELSEWHERE, card=token, seat=seat, where="stock")
    if seat and deal.absent[deal.place_of_seat(seat)] & bit:
        raise Refused(Rule.CARD_ELSEWHERE, card=token, seat=seat, where="void")


def _refuse_duplicate_cards(tokens: Iterable[str]) -> None:
    seen: set[str] = set()
    for token in tokens:
        if token in seen:
            raise Refused(Rule.CARD_NAMED_TWICE, card=token)
        seen.add(token)


def refuse_impossible_pinta(table: Table, deal: Deal, token: str) -> None:
    """Refused if the pinta is known already, or is certainly another card."""
    if deal.trump >= 0:
        raise Refused(Rule.PINTA_KNOWN, card=TOKENS[deal.pinta])
    card = _require_card_in_deck(deal.deck, token)
    keeper = deal.dealer if table.options.pinta_from == "dealers_last_card" else ""
    _refuse_card_elsewhere(deal, card, keeper)


def refuse_impossible_hand(deal: Deal, act: ev.HandEntered) -> None:
    """Refused if a card of a hand is certainly elsewhere, or there are too many."""
    _refuse_duplicate_cards(act.cards)
    elsewhere = sum(deal.sizes) - deal.sizes[deal.place_of_seat(act.seat)]
    if len(act.cards) + elsewhere > deal.deck.bit_count():
        raise Refused(Rule.HAND_TOO_LARGE, seat=act.seat, cards=len(act.cards))
    cards = [_require_card_in_deck(deal.deck, token) for token in act.cards]
    if act.moment == "now":
        deal = deal_after_own_draw_if_proved(deal, act.seat, mask_of(cards))
    own = {play.card for play in deal.all_plays if play.seat == act.seat}
    for card in cards:
        was_dealt = act.moment == "dealt" and (card in own or card in deal.swapped_away)
        if not was_dealt:
            _refuse_card_elsewhere(deal, card, act.seat)


def refuse_impossible_stock(deal: Deal, act: ev.StockEntered) -> None:
    """Refused if a card of the stock is certainly in a hand or on the table."""
    _refuse_duplicate_cards(act.cards)
    if len(act.cards) > max(deal.stock - deal.lies, 0):
        raise Refused(Rule.HAND_TOO_LARGE, cards=len(act.cards), stock=deal.stock)
    for token in act.cards:
        card = _require_card_in_deck(deal.deck, token)
        if card not in deal.stock_cards:
            _refuse_card_elsewhere(deal, card, "")


def refuse_impossible_play(deal: Deal, act: ev.CardPlayed) -> None:
    """Refused if the seat certainly does not have this card, or has none left."""
    if deal.trump < 0:
        raise Refused(Rule.NO_PINTA)
    if deal.is_played_out:
        raise Refused(Rule.DEAL_PLAYED_OUT, deal=deal.number)
    card = _require_card_in_deck(deal.deck, act.card)
    drawn = deal_after_implied_draws(deal) if not deal.laid else deal
    _refuse_card_elsewhere(drawn, card, act.seat)
    if not drawn.sizes[drawn.place_of_seat(act.seat)]:
        raise Refused(Rule.NO_CARDS_LEFT, seat=act.seat)


def refuse_impossible_draw(deal: Deal, act: ev.CardDrawn | ev.WrongDraw) -> None:
    """Refused if nothing is left to draw, or not this card."""
    if isinstance(act, ev.WrongDraw) and act.fault == "none":
        return
    deal = deal_in_reading_for_draw(deal)
    is_late = act.seat in deal.gap.implied
    if not deal.stock and not is_late:
        raise Refused(Rule.NO_STOCK)
    is_pinta = isinstance(act, ev.WrongDraw) and act.fault == "pinta_early"
    if is_pinta and not deal.lies:
        raise Refused(Rule.NO_STOCK)
    if not act.card:
        return
    card = _require_card_in_deck(deal.deck, act.card)
    if card == deal.pinta and deal.lies:
        return
    if is_pinta or (deal.stock == 1 and deal.lies):
        raise Refused(Rule.CARD_ELSEWHERE, card=act.card, seat=act.seat, where="hands")
    if card not in deal.stock_cards:
        _refuse_card_elsewhere(deal, card, act.seat if is_late else "")


def refuse_impossible_swap(table: Table, deal: Deal, act: ev.PintaSwapped) -> None:
    """Refused if no pinta lies on the table, or the card for it is certainly elsewhere."""
    if deal.trump < 0:
        raise Refused(Rule.NO_PINTA)
    if not deal.lies:
        raise Refused(Rule.NO_STOCK)
    token = act.card or TOKENS[card_for_swap(table.options, deal.trump)]
    card = _require_card_in_deck(deal.deck, token)
    _refuse_card_elsewhere(deal_after_own_draw_if_proved(deal, act.seat, BIT[card]), card, act.seat)


def refuse_impossible_show(deal: Deal, act: ev.CardsShown) -> None:
    """Refused if what is shown is certainly elsewhere, or more than the seat holds."""
    _refuse_duplicate_cards(act.cards)
    place = deal.place_of_seat(act.seat)
    if len(act.cards) > deal.sizes[place] + (act.seat in deal.gap.to_draw):
        raise Refused(Rule.HAND_TOO_LARGE, seat=act.seat, cards=len(act.cards))
    cards = [_require_card_in_deck(deal.deck, token) for token in act.cards]
    deal = deal_after_own_draw_if_proved(deal, act.seat, mask_of_tokens(act.cards))
    for card in cards:
        _refuse_card_elsewhere(deal, card, act.seat)
    held = deal.held[place] | mask_of_tokens(act.cards)
    denied = held & sum(SUIT_MASK[SUITS.index(suit)] for suit in set(act.void) if suit)
    if act.whole:
        denied |= held & ~mask_of_tokens(act.cards)
    for card in cards_in(denied):
        raise Refused(Rule.CARD_ELSEWHERE, card=TOKENS[card], seat=act.seat, where="void")
