"""Items of a deal and of the partida: every point with its reason and its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from referee.events import ScoreItem
from referee.rules.articles import Rule, mark_rule_decider
from referee.rules.cards import DECK_POINTS, POINTS, cards_in
from referee.rules.counts import Score, scores_from_items, sides_by_latest_taker
from referee.rules.counts import totals as totals_of
from referee.rules.evidence.sights import Hidden
from referee.rules.seats import Seat, Side, side_of
from referee.table.state import Cante, Deal, Line, Table


@mark_rule_decider(Rule.LAST_TRICK)
def score_items(
    deal: Deal, last_trick_points: int, ruled_out: frozenset[int]
) -> tuple[ScoreItem, ...]:
    """Points of a deal so far, in order of play: closed tricks only."""
    items = [
        (number, ScoreItem(side_of(trick.taker), "cards", trick.points, trick.line))
        for number, trick in enumerate(deal.tricks, 1)
        if trick.points
    ]
    items += _score_items_of_uncounted_tricks(deal)
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


def _score_items_of_uncounted_tricks(deal: Deal) -> Iterator[tuple[int, ScoreItem]]:
    """Number of the trick and score item for uncounted tricks, if other cards give their points.

    They are one item, at the last such trick of the side.
    """
    if has_unknown_points(deal):
        return
    last = {side_of(t.taker): (n, t.line) for n, t in enumerate(deal.tricks, 1) if t.points is None}
    for side, (number, line) in last.items():
        points, _ = span_of_unknown_points(deal, side)
        if points:
            yield number, ScoreItem(side, "cards", points, line)


def scores_without_called_totals(table: Table, deals: Iterable[Deal]) -> dict[Side, Score]:
    """Score of each side over these deals, from what was counted and no called totals."""
    points, out = table.options.last_trick_points, table.ruled_out
    items = [
        (item.side, item.reason, item.points)
        for deal in deals
        for item in score_items(deal, points, out)
    ]
    return scores_from_items(items, table.players)


def scores_with_called_totals(table: Table, deals: Iterable[Deal]) -> dict[Side, Score]:
    """Score of each side over these deals; called totals stand for uncounted tricks.

    Totals that were called for tricks that nobody counted stand for all before, as points of cards.
    """
    found, has_open = scores_without_called_totals(table, ()), False
    for deal in deals:
        more = scores_without_called_totals(table, (deal,))
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
    return totals_of(scores_with_called_totals(table, chosen), table.options)


def deals_with_unknown_points(table: Table) -> tuple[Deal, ...]:
    """Deals with tricks that nobody counted, and no totals called since."""
    found: list[Deal] = []
    for deal in table.all_deals:
        found += [deal] if has_unknown_points(deal) else []
        if deal.called:
            found.clear()
    return tuple(found)


def score_spans(table: Table) -> dict[Side, tuple[Score, Score]]:
    """Lowest and highest possible score of each side; equal if every trick was counted."""
    found = {
        side: (score, score)
        for side, score in scores_with_called_totals(table, table.all_deals).items()
    }
    for deal in deals_with_unknown_points(table):
        for side, (low, high) in found.items():
            least, most = span_of_unknown_points(deal, side)
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


def total_spans_if_uncounted_tricks(table: Table) -> dict[Side, tuple[int, int]]:
    """Least and most total of each side if tricks are uncounted in deals with cards; else empty.

    Empty otherwise: a deal without any cards may leave out its cantes too.
    """
    found = deals_with_unknown_points(table)
    return total_spans(table) if found and all(map(has_recorded_cards, found)) else {}


def has_unknown_points(deal: Deal) -> bool:
    """Whether the points of some trick are not known, nor follow from all other cards.

    Nothing follows where no trick has its cards: such a record may leave out cantes too.
    """
    uncounted = any(trick.points is None for trick in deal.tricks)
    if not uncounted or not has_recorded_cards(deal):
        return uncounted
    sides = {side_of(trick.taker) for trick in deal.tricks if trick.points is None}
    spans = (span_of_unknown_points(deal, side) for side in sides)
    return any(least != most for least, most in spans)


def has_recorded_cards(deal: Deal) -> bool:
    """Whether some trick was recorded with its cards, and the cantes therefore as well."""
    return any(trick.plays for trick in deal.tricks)


def span_of_unknown_points(deal: Deal, side: Side) -> tuple[int, int]:
    """Least and most points in the tricks of a deal that nobody counted and this side took."""
    uncounted = [trick for trick in deal.tricks if trick.points is None]
    mine = [trick for trick in uncounted if side_of(trick.taker) == side]
    if not mine:
        return 0, 0
    sizes = sizes_of_hidden_tricks(deal)
    many = sum(sizes[trick.line] for trick in mine)
    values = sorted((POINTS[card] for card in cards_in(deal.deck & ~deal.played)), reverse=True)
    left = DECK_POINTS - sum(trick.points or 0 for trick in deal.tricks)
    if deal.end_line and len(mine) == len(uncounted):
        return left, left
    most = min(left, sum(values[:many]))
    others = max(len(values) - many, 0)
    return min(sum(values[others:]), most), most


def sizes_of_hidden_tricks(deal: Deal) -> dict[Line, int]:
    """Number of cards of each trick that was recorded without them, by its line."""
    sizes = {sight.line: len(sight.seats) for sight in deal.sights if isinstance(sight, Hidden)}
    if deal.end_line and deal.lies and not deal.tricks[-1].plays:
        sizes[deal.tricks[-1].line] += 1
    return sizes


def takers(deals: Iterable[Deal]) -> list[Seat]:
    """Seats that took the closed tricks of these deals, in order."""
    return [trick.taker for deal in deals for trick in deal.tricks]


def sides_by_latest_trick(table: Table, deals: tuple[Deal, ...] | None = None) -> tuple[Side, ...]:
    """Sides by their latest closed trick, then in order of play from mano."""
    chosen = table.all_deals if deals is None else deals
    order = chosen[-1].seats_from_mano if chosen else table.seats
    return sides_by_latest_taker(takers(chosen), order)


Certainty = Literal["true", "false", "undecidable"]


class ClaimRead(msgspec.Struct, frozen=True):
    """A claim with the least and the most points that its side can have had.

    ``tricks`` are those nobody counted, as ``(deal, trick)``; ``cantes`` the lines of cantes of
    that side which the unseen cards may still disprove.
    """

    line: Line
    seat: Seat
    answer: Certainty
    lower: int
    upper: int
    tricks: tuple[tuple[int, int], ...] = ()
    cantes: tuple[Line, ...] = ()


def assess_claim(table: Table) -> ClaimRead | None:
    """The claim of 101 that stopped play, judged by the record; None if there was none."""
    if table.claim is None:
        return None
    side = side_of(table.claim.seat)
    lower, upper = _point_bounds(table, side)
    target = table.options.target
    answer: Certainty = "undecidable"
    if lower >= target:
        answer = "true"
    elif upper < target:
        answer = "false"
    return ClaimRead(
        table.claim.line,
        table.claim.seat,
        answer,
        lower,
        upper,
        tuple(
            (deal.number, number)
            for deal in deals_with_unknown_points(table)
            for number, trick in enumerate(deal.tricks, 1)
            if trick.points is None
        ),
        tuple(cante.line for cante in _cantes_that_count(table, side) if is_cante_undecided(cante)),
    )


def is_cante_undecided(cante: Cante) -> bool:
    """Whether unseen cards may still disprove a cante, which counts in full until then."""
    return cante.verdict.answer == "open"


def _point_bounds(table: Table, side: Side) -> tuple[int, int]:
    """Least and most points of a side that the record leaves possible.

    They differ by tricks that nobody counted, and by a cante whose suit may have been sung before.
    """
    doubtful = sum(
        c.points
        for c in _cantes_that_count(table, side)
        if is_cante_undecided(c) and c.rival and c.rival not in table.ruled_out
    )
    least, most = score_spans(table)[side]
    sure = least._replace(cantes=least.cantes - doubtful)
    return sure.total(table.options), most.total(table.options)


def _cantes_that_count(table: Table, side: Side) -> list[Cante]:
    """Cantes that count for a side."""
    return [
        cante
        for deal in table.all_deals
        for cante in deal.cantes
        if side_of(cante.seat) == side and not cante.void and cante.line not in table.ruled_out
    ]
