"""The arrastres of a decided partida for the page of its replay, which analyses them itself."""

from __future__ import annotations

from itertools import pairwise
from typing import NotRequired, TypedDict

from referee.analysis.deals import ArrastreCard, CannotAnalyse, NotKnown, arrastre_of
from referee.events import OptionValue
from referee.rules.cards import SUITS, TOKENS
from referee.rules.profile.options import values_of
from referee.rules.seats import Seat, Side
from referee.table.state import Deal, Line, Table


class PlayedKnownData(TypedDict):
    """A card of an arrastre, and what else the position before it needs; what is left out is as
    before the last card.

    ``sung``: suits that are sung. ``winners``: sides that have won a trick. ``made``: points of
    each side in the deal, its cantes with them.
    """

    line: Line
    seat: Seat
    card: str
    sung: NotRequired[list[str]]
    winners: NotRequired[list[Side]]
    made: NotRequired[dict[Side, int]]


class ArrastreData(TypedDict):
    """The arrastre of a deal, or why it cannot be analysed. ``hands``: as it begins."""

    deal: int
    not_known: NotRequired[NotKnown]
    trump: NotRequired[str]
    hands: NotRequired[dict[Seat, list[str]]]
    cards: NotRequired[list[PlayedKnownData]]


class ArrastresData(TypedDict):
    """The arrastres of a partida, and the options by which they were played."""

    options: dict[str, OptionValue]
    deals: list[ArrastreData]


def arrastres_of(table: Table) -> ArrastresData:
    """Every arrastre of a partida. It has all hands in it: only for whoever may know them."""
    return {
        "options": values_of(table.options),
        "deals": [_arrastre(table, deal) for deal in table.all_deals],
    }


def _arrastre(table: Table, deal: Deal) -> ArrastreData:
    try:
        cards = arrastre_of(table, deal)
    except CannotAnalyse as cannot:
        return {"deal": deal.number, "not_known": cannot.reason}
    first = cards[0].before.data()
    return {
        "deal": deal.number,
        "trump": SUITS[deal.trump],
        "hands": first["hands"],
        "cards": [_card(None, cards[0]), *(_card(*two) for two in pairwise(cards))],
    }


def _card(last: ArrastreCard | None, one: ArrastreCard) -> PlayedKnownData:
    """A card with what is not as it was before the last one."""
    played: PlayedKnownData = {
        "line": one.line,
        "seat": one.before.seat,
        "card": TOKENS[one.card],
    }
    if last is None or one.before.sung != last.before.sung:
        played["sung"] = one.before.data()["sung"]
    if last is None or one.before.winners != last.before.winners:
        played["winners"] = sorted(one.before.winners)
    if last is None or one.made != last.made:
        played["made"] = one.made
    return played
