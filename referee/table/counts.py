"""Items of a deal and of the partida: every point with its reason and its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.events import ScoreItem
from referee.rules.articles import Rule, decides
from referee.rules.cards import DECK_POINTS, POINTS, cards_in
from referee.rules.counts import Score, scores
from referee.rules.counts import totals as totals_of
from referee.rules.evidence.sights import Hidden
from referee.rules.partida import latest
from referee.rules.seats import Seat, Side, side_of
from referee.table.state import Deal, Line, Table


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
    items += _items_of_uncounted(deal)
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


def _items_of_uncounted(deal: Deal) -> Iterator[tuple[int, ScoreItem]]:
    """Points of the tricks that nobody counted, if the other cards leave one number for each side.

    They are one item, at the last such trick of the side.
    """
    if has_unknown_points(deal):
        return
    last = {side_of(t.taker): (n, t.line) for n, t in enumerate(deal.tricks, 1) if t.points is None}
    for side, (number, line) in last.items():
        points, _ = unknown_points(deal, side)
        if points:
            yield number, ScoreItem(side, "cards", points, line)


def partida_scores(table: Table, deals: Iterable[Deal]) -> dict[Side, Score]:
    """Score of each side over these deals."""
    points, out = table.options.last_trick_points, table.ruled_out
    items = [
        (item.side, item.reason, item.points)
        for deal in deals
        for item in items_of(deal, points, out)
    ]
    return scores(items, table.players)


def scores_so_far(table: Table, deals: Iterable[Deal]) -> dict[Side, Score]:
    """Score of each side over these deals.

    Totals that were called for tricks that nobody counted stand for all before, as points of cards.
    """
    found, has_open = partida_scores(table, ()), False
    for deal in deals:
        more = partida_scores(table, (deal,))
        found = {side: score.plus(more[side]) for side, score in found.items()}
        has_open = has_open or has_unknown_points(deal)
        if has_open and deal.called:
            found |= {side: Score(cards=points) for side, points in deal.called}
            has_open = False
    return found


def partida_totals(table: Table, deals: Iterable[Deal] | None = None) -> dict[Side, int]:
    """Total of each side over these deals, or over all of the partida.

    While tricks are uncounted it is what is known so far; ``total_spans`` tells what it may be.
    """
    chosen = table.all_deals if deals is None else deals
    return totals_of(scores_so_far(table, chosen), table.options)


def deals_without_count(table: Table) -> tuple[Deal, ...]:
    """Deals with tricks that nobody counted, and no totals called since."""
    found: list[Deal] = []
    for deal in table.all_deals:
        found += [deal] if has_unknown_points(deal) else []
        if deal.called:
            found.clear()
    return tuple(found)


def score_spans(table: Table) -> dict[Side, tuple[Score, Score]]:
    """Lowest and highest possible score of each side; equal if every trick was counted."""
    found = {side: (score, score) for side, score in scores_so_far(table, table.all_deals).items()}
    for deal in deals_without_count(table):
        for side, (low, high) in found.items():
            least, most = unknown_points(deal, side)
            found[side] = (
                low._replace(cards=low.cards + least),
                high._replace(cards=high.cards + most),
            )
    return found


def total_spans(table: Table) -> dict[Side, tuple[int, int]]:
    """The least and the most points that each side can have."""
    options = table.options
    return {
        side: (least.total(options), most.total(options))
        for side, (least, most) in score_spans(table).items()
    }


def open_spans(table: Table) -> dict[Side, tuple[int, int]]:
    """The least and the most of each side, where tricks are uncounted and the deal has other cards.

    Empty otherwise: a deal without any cards may leave out its cantes too.
    """
    found = deals_without_count(table)
    return total_spans(table) if found and all(map(has_cards, found)) else {}


def has_unknown_points(deal: Deal) -> bool:
    """Whether the points of some trick are not known, nor follow from all other cards.

    Nothing follows where no trick has its cards: such a record may leave out cantes too.
    """
    uncounted = any(trick.points is None for trick in deal.tricks)
    if not uncounted or not has_cards(deal):
        return uncounted
    sides = {side_of(trick.taker) for trick in deal.tricks if trick.points is None}
    spans = (unknown_points(deal, side) for side in sides)
    return any(least != most for least, most in spans)


def has_cards(deal: Deal) -> bool:
    """Whether some trick has its cards; then its cantes were noted too."""
    return any(trick.plays for trick in deal.tricks)


def unknown_points(deal: Deal, side: Side) -> tuple[int, int]:
    """Least and most points in the tricks of a deal that nobody counted and this side took."""
    uncounted = [trick for trick in deal.tricks if trick.points is None]
    mine = [trick for trick in uncounted if side_of(trick.taker) == side]
    if not mine:
        return 0, 0
    sizes = sizes_without_cards(deal)
    many = sum(sizes[trick.line] for trick in mine)
    values = sorted((POINTS[card] for card in cards_in(deal.deck & ~deal.played)), reverse=True)
    left = DECK_POINTS - sum(trick.points or 0 for trick in deal.tricks)
    if deal.end_line and len(mine) == len(uncounted):
        return left, left
    most = min(left, sum(values[:many]))
    others = max(len(values) - many, 0)
    return min(sum(values[others:]), most), most


def sizes_without_cards(deal: Deal) -> dict[Line, int]:
    """Number of cards of each trick without cards, by its line; with the card left over."""
    sizes = {sight.line: len(sight.seats) for sight in deal.sights if isinstance(sight, Hidden)}
    if deal.end_line and deal.lies and not deal.tricks[-1].plays:
        sizes[deal.tricks[-1].line] += 1
    return sizes


def takers(deals: Iterable[Deal]) -> list[Seat]:
    """Seats that took the closed tricks of these deals, in order."""
    return [trick.taker for deal in deals for trick in deal.tricks]


def by_latest(table: Table, deals: tuple[Deal, ...] | None = None) -> tuple[Side, ...]:
    """Sides by their latest closed trick, then in order of play from mano."""
    chosen = table.all_deals if deals is None else deals
    order = chosen[-1].order if chosen else table.seats
    return latest(takers(chosen), order)
