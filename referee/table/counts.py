"""Items of a deal and of the partida: every point with its reason and its line."""

from __future__ import annotations

from collections.abc import Iterable

from referee.events import ScoreItem
from referee.rules.articles import Rule, decides
from referee.rules.counts import Score, scores
from referee.rules.counts import totals as totals_of
from referee.rules.partida import latest
from referee.rules.seats import Seat, Side, side_of
from referee.table.state import Deal, Table


@decides(Rule.LAST_TRICK)
def items_of(
    deal: Deal, last_trick_points: int, ruled_out: frozenset[int]
) -> tuple[ScoreItem, ...]:
    """Points of a deal so far, in order of play: closed tricks only."""
    items = [
        (number, ScoreItem(side_of(trick.taker), "cards", trick.points, trick.line))
        for number, trick in enumerate(deal.tricks, 1)
        if trick.points
    ]
    if deal.is_played_out and deal.tricks:
        last = deal.tricks[-1]
        ultimas = ScoreItem(side_of(last.taker), "ultimas", last_trick_points, last.line)
        items.append((len(deal.tricks), ultimas))
    items += [
        (cante.trick, ScoreItem(side_of(cante.seat), "cante", cante.points, cante.line))
        for cante in deal.cantes
        if not cante.void and cante.line not in ruled_out
    ]
    items += [
        (ruled.trick, ScoreItem(ruled.side, "ruling", ruled.points, ruled.line))
        for ruled in deal.ruled
        if ruled.line not in ruled_out
    ]
    return tuple(item for _, item in sorted(items, key=lambda placed: placed[0]))


def partida_scores(table: Table, deals: Iterable[Deal]) -> dict[Side, Score]:
    """Score of each side over these deals."""
    points, out = table.options.last_trick_points, table.ruled_out
    items = [
        (item.side, item.reason, item.points)
        for deal in deals
        for item in items_of(deal, points, out)
    ]
    return scores(items, table.players)


def partida_totals(table: Table, deals: Iterable[Deal] | None = None) -> dict[Side, int]:
    """Total of each side over these deals, or over all of the partida."""
    chosen = table.all_deals if deals is None else tuple(deals)
    return {**totals_of(partida_scores(table, chosen), table.options), **totals_called(chosen)}


def totals_called(deals: tuple[Deal, ...]) -> dict[Side, int]:
    """Totals called at the table, if a record without cards has no points of tricks."""
    if deals and any(has_unknown_points(deal) for deal in deals):
        return dict(deals[-1].called)
    return {}


def has_unknown_points(deal: Deal) -> bool:
    """Whether the points of some trick are not known."""
    return deal.is_entered and any(trick.points is None for trick in deal.tricks)


def takers(deals: Iterable[Deal]) -> list[Seat]:
    """Seats that took the closed tricks of these deals, in order."""
    return [trick.taker for deal in deals for trick in deal.tricks]


def by_latest(table: Table, deals: tuple[Deal, ...] | None = None) -> tuple[Side, ...]:
    """Sides by their latest closed trick, then in order of play from mano."""
    chosen = table.all_deals if deals is None else deals
    order = chosen[-1].order if chosen else table.seats
    return latest(takers(chosen), order)
