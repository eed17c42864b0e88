"""What a record says of a claim of 101: true, false, or not to be told, and what is missing.

Points of tricks whose cards nobody noted are bounded by the cards unseen. A cante counts as it was
sung unless the cards disprove it; one that may still be disproved is named. Law: section 6.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.rules.cards import DECK_POINTS, POINTS, cards_in
from referee.rules.counting import Score
from referee.rules.seats import Seat, Side, side_of
from referee.table.counting import partida_scores
from referee.table.state import Deal, Line, Table
from referee.table.verdicts import evidence_of

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


def claim_read(table: Table) -> ClaimRead | None:
    """The claim that stopped play, as the record tells it; None if none did."""
    if table.claim is None:
        return None
    side = side_of(table.claim.seat)
    lower, upper = bounds(table, side)
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
            for deal in table.all_deals
            for number, trick in enumerate(deal.tricks, 1)
            if trick.points is None
        ),
        tuple(line for deal in table.all_deals for line in _open_cantes(deal, side)),
    )


def bounds(table: Table, side: Side) -> tuple[int, int]:
    """Least and most points of a side that the record leaves possible."""
    known = partida_scores(table, table.all_deals)[side]
    disproved = sum(_disproved(table, deal, side) for deal in table.all_deals)
    low, high = 0, 0
    for deal in table.all_deals:
        least, most = unknown_points(deal, side)
        low, high = low + least, high + most
    sure = Score(known.cards + low, known.ultimas, known.cantes - disproved, known.ruled)
    at_most = Score(known.cards + high, known.ultimas, known.cantes, known.ruled)
    return sure.total(table.options), at_most.total(table.options)


def unknown_points(deal: Deal, side: Side) -> tuple[int, int]:
    """Least and most points in the tricks of a deal that nobody counted and this side took."""
    uncounted = [trick for trick in deal.tricks if trick.points is None]
    mine = sum(side_of(trick.taker) == side for trick in uncounted)
    if not mine:
        return 0, 0
    size = len(deal.seats)
    values = sorted((POINTS[card] for card in cards_in(deal.deck & ~deal.played)), reverse=True)
    left = DECK_POINTS - sum(trick.points or 0 for trick in deal.tricks)
    if deal.is_played_out and mine == len(uncounted):
        return left, left
    others = len(values) - mine * size
    most = min(left, sum(values[: mine * size]))
    least = max(sum(values[others:]) if others > 0 else 0, left - sum(values[: max(others, 0)]), 0)
    return min(least, most), most


def _disproved(table: Table, deal: Deal, side: Side) -> int:
    """Points of cantes that counted when they were sung, and that the cards disprove."""
    verdicts = evidence_of(deal).verdicts
    return sum(
        cante.points
        for cante in deal.cantes
        if side_of(cante.seat) == side
        and not cante.void
        and cante.line not in table.ruled_out
        and verdicts[cante.line].answer == "unlawful"
    )


def _open_cantes(deal: Deal, side: Side) -> list[Line]:
    verdicts = evidence_of(deal).verdicts
    return [
        cante.line
        for cante in deal.cantes
        if side_of(cante.seat) == side and not cante.void and verdicts[cante.line].answer == "open"
    ]
