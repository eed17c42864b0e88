"""Whether a claim of 101 is true, false or undecidable by its record, and what is missing.

Points of tricks without recorded cards are bounded by the unseen cards. A cante counts in full
unless it is void; those that the cards may still disprove are listed. Law: section 5.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.rules.seats import Seat, Side, side_of
from referee.table.counts import deals_without_count, score_spans
from referee.table.state import Cante, Line, Table

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
    """The claim that stopped play; None if none did."""
    if table.claim is None:
        return None
    side = side_of(table.claim.seat)
    lower, upper = _bounds(table, side)
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
            for deal in deals_without_count(table)
            for number, trick in enumerate(deal.tricks, 1)
            if trick.points is None
        ),
        tuple(cante.line for cante in _cantes_that_count(table, side) if is_open(cante)),
    )


def is_open(cante: Cante) -> bool:
    """Whether unseen cards may still disprove a cante. It counts in full."""
    return cante.verdict.answer == "open"


def _bounds(table: Table, side: Side) -> tuple[int, int]:
    """Least and most points of a side that the record leaves possible.

    They differ by tricks that nobody counted, and by a cante whose suit may have been sung before.
    """
    doubtful = sum(
        c.points
        for c in _cantes_that_count(table, side)
        if is_open(c) and c.rival and c.rival not in table.ruled_out
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
