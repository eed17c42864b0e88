"""What cannot be true: the only reasons to refuse an act.

Illegal is not impossible. A card out of turn, a barred swap or a renuncio is recorded; a card that
is certainly elsewhere is not.
"""

from __future__ import annotations

from referee.errors import Refused
from referee.events import (
    Abandoned,
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    PintaTurned,
    PlayResumed,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    StockEntered,
    TableAct,
    TrickEntered,
    TrickReviewed,
    TuteAnnounced,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.cards import CARD, DECK_POINTS
from referee.rules.seats import SIDES
from referee.table.state import Deal, Table
from referee.table.whereabouts import (
    card_may_fall,
    draw_may_be,
    hand_may_be,
    incident_may_be,
    pinta_may_be,
    show_may_be,
    stock_may_be,
    swap_may_be,
)

AFTER_DECISION = (HandEntered, StockEntered, CardsShown, RenuncioDenounced, RulingGiven)


def refuse_impossible(table: Table, act: TableAct) -> None:
    """Nothing, if the act can be true at this table.

    :raises Refused: with the rule and the facts against it.
    """
    _seats_exist(table, act)
    if table.decided is not None and not isinstance(act, AFTER_DECISION):
        raise Refused(Rule.PARTIDA_DECIDED, winner=table.decided.winner, how=table.decided.how)
    match act:
        case DealStarted():
            _deal_may_start(table, act)
        case PlayResumed() if not table.suspended:
            raise Refused(Rule.PLAY_NOT_SUSPENDED)
        case ResultEntered() | Conceded() | Abandoned():
            pass
        case RulingGiven():
            _ruling_may_be_given(table, act)
        case (
            Misdealt()
            | WrongDealFound()
            | PintaTurned()
            | HandEntered()
            | StockEntered()
            | CardPlayed()
            | CardDrawn()
            | WrongDraw()
            | CanteAnnounced()
            | PintaSwapped()
            | TuteAnnounced()
            | TrickReviewed()
            | CardsShown()
            | RenuncioDenounced()
            | ClaimMade()
            | CountEntered()
            | DealAnnulled()
            | TrickEntered()
        ):
            if table.deal is None:
                raise Refused(Rule.NO_DEAL)
            _possible_in_deal(table, table.deal, act)
        case IncidentNoted():
            incident_may_be(table, act)
        case _:
            pass


def _possible_in_deal(table: Table, deal: Deal, act: TableAct) -> None:  # noqa: C901, PLR0912 - a case an act
    match act:
        case PintaTurned():
            pinta_may_be(table, deal, act.card)
        case HandEntered():
            hand_may_be(table, deal, act)
        case StockEntered():
            stock_may_be(table, deal, act)
        case CardPlayed():
            card_may_fall(table, deal, act)
        case CardDrawn() | WrongDraw():
            draw_may_be(table, deal, act)
        case PintaSwapped():
            swap_may_be(table, deal, act)
        case CanteAnnounced() | TuteAnnounced():
            if deal.trump < 0:
                raise Refused(Rule.NO_PINTA)
        case CardsShown():
            show_may_be(table, deal, act)
        case TrickReviewed():
            _trick_exists(deal, act.trick)
        case RenuncioDenounced():
            if act.trick and act.trick != len(deal.tricks) + 1:
                _trick_exists(deal, act.trick)
        case TrickEntered():
            _trick_may_be(deal, act)
        case CountEntered():
            _count_may_be(table, deal, act)
        case WrongDealFound():
            if not 0 <= act.cards < deal.deck.bit_count():
                raise Refused(Rule.HAND_TOO_LARGE, seat=act.seat, cards=act.cards)
        case _:
            pass


def _seats_exist(table: Table, act: TableAct) -> None:
    """Refused if a seat or side is not at this table, or one that must be named is not."""
    may_be_nobody = isinstance(act, IncidentNoted | RulingGiven)
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


def _deal_may_start(table: Table, act: DealStarted) -> None:
    if table.deal is not None and not (table.deal.is_played_out and table.deal.is_counted):
        raise Refused(Rule.DEAL_RUNNING, deal=table.deal.number)
    if act.removed and (act.removed not in CARD or act.removed[0] != "2"):
        raise Refused(Rule.CARD_NOT_IN_DECK, card=act.removed)


def _ruling_may_be_given(table: Table, act: RulingGiven) -> None:
    if act.effect in ("annul_deal", "replay_deal", "points") and table.deal is None:
        raise Refused(Rule.NO_DEAL)
    if act.effect in ("partida", "points") and not act.side:
        raise Refused(Rule.SIDE_UNKNOWN, side="")
    if act.effect == "dealer" and not act.seat:
        raise Refused(Rule.SEAT_UNKNOWN, seat="")


def _trick_exists(deal: Deal, trick: int) -> None:
    if not 1 <= trick <= len(deal.tricks):
        raise Refused(Rule.TRICK_UNKNOWN, trick=trick, tricks=len(deal.tricks))


def _trick_may_be(deal: Deal, act: TrickEntered) -> None:
    if deal.is_played_out:
        raise Refused(Rule.DEAL_PLAYED_OUT, deal=deal.number)
    if deal.laid:
        raise Refused(Rule.TRICK_UNKNOWN, trick=len(deal.tricks) + 1, tricks=len(deal.tricks))
    if act.points is not None:
        known = sum(trick.points or 0 for trick in deal.tricks)
        if act.points < 0 or known + act.points > DECK_POINTS:
            raise Refused(Rule.POINTS_IMPOSSIBLE, points=act.points, before=known)


def _count_may_be(table: Table, deal: Deal, act: CountEntered) -> None:
    if deal.is_entered and not deal.is_played_out and act.totals:
        return
    if not deal.is_played_out and table.claim is None:
        raise Refused(Rule.DEAL_RUNNING, deal=deal.number)
