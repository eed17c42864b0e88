"""Queries of pages about a table: cards to tint, acts to offer, the score of an encuentro."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from referee.aggregates.partida import Partida, fold
from referee.errors import Refused
from referee.events import (
    Abandoned,
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    CardsShown,
    ClaimMade,
    Conceded,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PlayResumed,
    PlaySuspended,
    RenuncioDenounced,
    RestClaimed,
    TableAct,
    TimeCalled,
    TrickReviewed,
    TuteAnnounced,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.cards import CANTE_PAIR, SUITS, TOKENS, cards_in
from referee.rules.match_scores import Standing, match_standing
from referee.rules.profile.options import LAW, Options, card_for_swap
from referee.rules.seats import SIDES, side_of
from referee.table.announcements import (
    _bars_of_swap,
    cannot_hold_all,
    has_won_needed_trick,
    is_announcement_in_time,
)
from referee.table.cantes import _bars_of_cante, _lacks_required_showing, _possible_suits
from referee.table.endings import table_after_claim
from referee.table.possible import refuse_impossible, refuse_impossible_as_read
from referee.table.readings import apply_act_in_one_reading
from referee.table.state import HIDDEN, Deal, Table
from referee.table.verdicts import evidence_of
from tests.api.tablet.vectors.positions import changed, frozen_values
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import options_of

OF_THE_MATCH = ("match_format", "partidas_per_cama", "camas_per_coto", "cotos_to_win")
OF_THE_MATCH += ("fixed_partidas",)


def asked(state: Partida, chance: random.Random, share: float = 0.2) -> dict[int, dict[str, Any]]:
    """Expected answers after some lines of a log."""
    assert state.opened is not None
    part, found = fold([state.opened]), {}
    for recorded in state.log:
        part = fold([recorded.act], part)
        part = replace(part, stated=part.conclusions_from_acts)
        if chance.random() < share:
            table = part.table
            turn = table.deal.turn if table.deal else None
            seats = {turn or table.seats[0], chance.choice(table.seats)}
            found[recorded.line] = {
                "tint": {seat: tinted(table, seat) for seat in seats},
                "next": offered(table),
                "impossible": {s: refusals(table, s) for s in seats},
                "refusal": refused_kinds(table),
            }
    return found


def tinted(table: Table, seat: str) -> dict[str, str]:
    """Cards that prove a breach at once when this seat lays them: that one, or an earlier one."""
    found: dict[str, str] = {}
    deal = table.deal
    for card in cards_in(deal.deck) if deal else ():
        after = laid(table, CardPlayed(seat, TOKENS[card]))
        new = [b for b in after.deal.breaches if b not in deal.breaches] if after else []
        if any(breach.line == NEW for breach in new):
            found[TOKENS[card]] = "unlawful"
        elif new:
            found[TOKENS[card]] = "accuses"
    return found


NEW = 10**6


def laid(table: Table, act: CardPlayed) -> Table | None:
    """The table after a card, None if it cannot be true; what follows of it is not concluded."""
    try:
        refuse_impossible_as_read(table, act)
    except Refused:
        return None
    return apply_act_in_one_reading(replace(table, lines=(*table.lines, NEW)), NEW, act)


_ANY_OF_THE_KIND = (
    DealStarted,
    lambda _: Misdealt(),
    lambda seat: WrongDealFound(seat, 1),
    lambda seat: HandEntered(seat, (), "now"),
    CardsShown,
    CardDrawn,
    lambda seat: WrongDraw(seat, "none"),
    CanteAnnounced,
    lambda seat: TuteAnnounced(seat, "R"),
    lambda seat: TrickReviewed(seat, 1),
    lambda seat: RenuncioDenounced(seat, seat),
    lambda _: IncidentNoted("other"),
    lambda _: Conceded("A"),
    lambda _: Abandoned("A"),
    lambda _: DealAnnulled(),
    lambda _: TimeCalled(),
    RestClaimed,
    lambda _: PlaySuspended(),
    lambda _: PlayResumed(),
)


def refused_kinds(table: Table) -> dict[str, str]:
    """Rule by which an act of each kind would be refused though it says as little as it can."""
    found: dict[str, str] = {}
    for made in _ANY_OF_THE_KIND:
        acts = [made(seat) for seat in table.seats]
        rules = [refused_by(table, act) for act in acts]
        found[str(acts[0].__struct_config__.tag)] = "" if "" in rules else rules[0]
    return found


def refused_by(table: Table, act: TableAct) -> str:
    """Rule by which an act would be refused, empty if it would not."""
    try:
        refuse_impossible(table, act)
    except Refused as refused:
        return refused.rule.value
    return ""


def refusals(table: Table, seat: str) -> dict[str, str]:
    """Rule by which each card of this seat would be refused."""
    return {token: refused_by(table, CardPlayed(seat, token)) for token in TOKENS}


def by_evidence(table: Table, seat: str) -> dict[str, set[str]]:
    """The same over all ways the unseen cards can lie: what each card of this seat proves."""
    found: dict[str, set[str]] = {}
    assert table.deal is not None
    for card in cards_in(table.deal.deck):
        after = laid(table, CardPlayed(seat, TOKENS[card]))
        if after is not None and after.deal is not None:
            verdicts = evidence_of(after.deal).verdicts
            lines = {line for line, one in verdicts.items() if one.answer == "unlawful"}
            codes = {"unlawful" if line == NEW else "accuses" for line in lines}
            found[TOKENS[card]] = codes
    return found


def offered(table: Table) -> dict[str, Any]:
    """Acts that make sense."""
    deal = table.deal
    if table.decided is not None:
        return {"partida": True, **({"denounce": True} if deal else {})}
    if deal is None or deal.is_counted:
        return {"deal": table.dealer_due}
    if deal.trump < 0:
        return {"pinta": True}
    found: dict[str, Any] = {"denounce": True}
    if table.claim is None:
        free = [
            seat for seat in table.seats if table_after_claim(table, NEW, ClaimMade(seat)).claim
        ]
        found |= {"claim": free} if free else {}
    if deal.is_played_out or table.claim is not None:
        return {**found, "count": True}
    return {
        **found,
        "card": deal.turn,
        "draw": list(deal.gap.to_draw),
        **_announcements(table, deal),
    }


def _announcements(table: Table, deal: Deal) -> dict[str, Any]:
    options, cante, swap = table.options, {}, {}
    for seat in table.seats:
        suits = [*range(len(SUITS)), HIDDEN]
        free = [suit for suit in suits if _may_sing(deal, seat, suit, options)]
        cante[seat] = ["" if suit == HIDDEN else SUITS[suit] for suit in free]
        cards = [card_for_swap(options, deal.trump), deal.trump * 12] if deal.lies else []
        swap[seat] = [TOKENS[c] for c in cards if not _bars_of_swap(deal, seat, c, options)]
    tute = [seat for seat in table.seats if options.tute and _may_say_tute(table, deal, seat)]
    return {
        "cante": {seat: suits for seat, suits in cante.items() if suits},
        "swap": {seat: cards for seat, cards in swap.items() if cards},
        "tute": tute,
    }


def _may_sing(deal: Deal, seat: str, suit: int, options: Options) -> bool:
    """Whether a seat can announce a cante that would count, as far as is known."""
    act = CanteAnnounced(seat, "" if suit == HIDDEN else SUITS[suit])
    is_missing = options.law == LAW and _lacks_required_showing(deal, act, suit, options)
    sets = [CANTE_PAIR[each] for each in _possible_suits(deal, suit)]
    is_free = not _bars_of_cante(deal, seat, suit, options) and not is_missing
    return is_free and not all(cannot_hold_all(deal, seat, cards) for cards in sets)


def _may_say_tute(table: Table, deal: Deal, seat: str) -> bool:
    side, options = side_of(seat), table.options
    has_trick = bool(deal.tricks) and has_won_needed_trick(deal, side, options.cante_needs_trick)
    return has_trick and is_announcement_in_time(deal, options.cante_window, side)


def match(chance: random.Random) -> dict[str, Any]:
    """An encuentro with its partidas, and how it stands."""
    options = changed(options_of(chance.choice(TABLES)), chance, OF_THE_MATCH, 5)
    sides = SIDES[options.players]
    many = chance.randint(0, 30)
    rows = [
        (number, chance.choice([*sides, *sides, *sides, ""]), chance.random() < 0.02)
        for number in range(1, many + 1)
    ]
    now: Standing = match_standing(rows, options)
    partidas = [
        {"partida": n, "winner": side, "how": "first_deal", "totals": {}, "whole_match": whole}
        for n, side, whole in rows
    ]
    if chance.random() < 0.3:
        partidas.append({"partida": many + 1, "winner": "", "how": "undecided", "totals": {}})
    return {
        "encuentro": {"profile": {"options": frozen_values(options)}, "partidas": partidas},
        "score": {
            "partidas": now.partidas,
            "camas": now.camas,
            "cotos": now.cotos,
            "made": [{"coto": m.coto, "winner": m.winner, "partida": m.partida} for m in now.made],
            "winner": now.match_winner,
            "beyond": list(now.beyond),
            "another": now.match_winner is None and len(partidas) == many,
            "next": len(partidas) + 1,
        },
    }
