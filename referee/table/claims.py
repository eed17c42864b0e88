"""Whether a claim of 101 is true, false or undecidable by its record, and what is missing.

Points of tricks without recorded cards are bounded by the unseen cards. A cante counts as announced
unless the cards disprove it; those that may still be disproved are listed. Law: section 6.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.rules.cards import DECK_POINTS, POINTS, cards_in
from referee.rules.counting import Score
from referee.rules.evidence.questions import ActAnswer
from referee.rules.seats import Seat, Side, side_of
from referee.table.counting import partida_scores
from referee.table.judged import DealEvidence, evidence_by_deal
from referee.table.state import Cante, Deal, Line, Table

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


def claim_read(table: Table, known: DealEvidence | None = None) -> ClaimRead | None:
    """The claim that stopped play; None if none did.

    ``known`` is the evidence of the table, if the caller has it.
    """
    if table.claim is None:
        return None
    side = side_of(table.claim.seat)
    cantes = _counted_cantes(table, side, evidence_by_deal(table) if known is None else known)
    disproved = sum(cante.points for cante, answer in cantes if answer == "unlawful")
    lower, upper = _bounds(table, side, disproved)
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
        tuple(cante.line for cante, answer in cantes if answer == "open"),
    )


def _bounds(table: Table, side: Side, disproved: int) -> tuple[int, int]:
    """Least and most points of a side that the record leaves possible.

    ``disproved`` are the points of its cantes that the cards disprove.
    """
    known = partida_scores(table, table.all_deals)[side]
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


def _counted_cantes(table: Table, side: Side, known: DealEvidence) -> list[tuple[Cante, ActAnswer]]:
    """Cantes that count for a side, each with what the cards say of it.

    One that a ruling took away counts for nothing, whatever the cards say.
    """
    return [
        (cante, known[deal.number].verdicts[cante.line].answer)
        for deal in table.all_deals
        for cante in deal.cantes
        if side_of(cante.seat) == side and not cante.void and cante.line not in table.ruled_out
    ]
