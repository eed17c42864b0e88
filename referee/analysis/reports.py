"""Report on the cards that a partida laid in arrastre: what each cost, one line a card."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TypeAlias, final

import msgspec

from referee.analysis.claims import MOST_WAYS_OF_CLAIM, ClaimsData, judge_claims
from referee.analysis.deals import (
    ArrastreCard,
    CannotAnalyse,
    NotKnown,
    arrastre_cards_with_positions,
)
from referee.analysis.engine import MOST_NODES
from referee.analysis.questions import CardPrices, card_prices_or_none, points_left
from referee.rules.cards import TOKENS
from referee.rules.seats import Seat, Side, side_of
from referee.table.readings import TableReading
from referee.table.state import Line, Table


@final
class AnalysedCardData(msgspec.Struct, frozen=True):
    """A card laid in arrastre, with its cost if all play their best from there.

    ``cost``: points that it takes less than the best lawful card, below 0 if an unlawful one takes
    more. ``value``: points that its side still makes, half of each cante to come. ``lead``: by how
    much its side ends before the other in this deal; None with three players.
    """

    deal: int
    trick: int
    line: Line
    seat: Seat
    card: str
    lawful: bool
    cost: int
    best: list[str]
    value: int
    lead: int | None


@final
class UnansweredCardData(msgspec.Struct, frozen=True):
    """A card whose question needs more nodes than were given."""

    deal: int
    line: Line
    beyond_nodes: int


@final
class UnknownDealData(msgspec.Struct, frozen=True):
    """A deal that cannot be analysed, and why."""

    deal: int
    not_known: NotKnown


_ItemData: TypeAlias = AnalysedCardData | UnansweredCardData | UnknownDealData


class AnalysisData(ClaimsData, frozen=True):
    """Analysis of a partida: its cards in order of play, its claims, and what has no answer.

    With its claims and concessions, judged.
    """

    cards: list[AnalysedCardData]
    unanswered: list[UnansweredCardData]
    unknown: list[UnknownDealData]


def analyse_cards(
    table: Table, most_nodes: int = MOST_NODES, most_in_all: int = sys.maxsize
) -> Iterator[_ItemData]:
    """Report on each card of the arrastres of a partida, in order, or on a deal without analysis.

    ``most_nodes``: for a card; ``most_in_all``: for all of them together.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    left_over = most_in_all
    for deal in table.all_deals:
        try:
            cards = arrastre_cards_with_positions(table, deal)
        except CannotAnalyse as cannot:
            yield UnknownDealData(deal=deal.number, not_known=cannot.reason)
            continue
        for one in cards:
            most = min(most_nodes, left_over)
            found = card_prices_or_none(one.before, most_nodes=most)
            left_over -= found.nodes if found else most
            yield _card_report(deal.number, one, found, most)


def analysis_of_partida(reading: TableReading, most_in_all: int) -> AnalysisData:
    """Analysis of all cards and claims of a partida, with a bound on the work.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    claims = judge_claims(reading, most_in_all=MOST_WAYS_OF_CLAIM)
    found = [*analyse_cards(reading.table(), most_in_all=most_in_all)]
    return AnalysisData(
        reaches=claims.reaches,
        rests=claims.rests,
        cards=[one for one in found if isinstance(one, AnalysedCardData)],
        unanswered=[one for one in found if isinstance(one, UnansweredCardData)],
        unknown=[one for one in found if isinstance(one, UnknownDealData)],
    )


def analyse_card(
    deal: int, one: ArrastreCard, most_nodes: int = MOST_NODES
) -> AnalysedCardData | UnansweredCardData:
    """Report on a card laid in arrastre: its cost and the lead after it, or that nodes ran out."""
    return _card_report(
        deal, one, card_prices_or_none(one.before, most_nodes=most_nodes), most_nodes
    )


def _card_report(
    deal: int, one: ArrastreCard, found: CardPrices | None, most_nodes: int
) -> AnalysedCardData | UnansweredCardData:
    if found is None:
        return UnansweredCardData(deal=deal, line=one.line, beyond_nodes=most_nodes)
    value = found.values[one.card]
    return AnalysedCardData(
        deal=deal,
        trick=one.trick,
        line=one.line,
        seat=found.seat,
        card=TOKENS[one.card],
        lawful=found.is_lawful(one.card),
        cost=found.cost(one.card),
        best=[TOKENS[card] for card in found.best_cards],
        value=value,
        lead=_lead_at_end_or_none(one, side_of(found.seat), value),
    )


def _lead_at_end_or_none(one: ArrastreCard, side: Side, value: int) -> int | None:
    """Points by which a side ends before the other with this value; None if three play."""
    others = [points for other, points in one.made.items() if other != side]
    if len(others) > 1:
        return None
    return one.made[side] - others[0] + 2 * value - points_left(one.before)
