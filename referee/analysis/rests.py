"""A claim of the rest, judged: "las demás son mías".

It is proved if it holds in whatever order the claimer plays, whatever the others do, and however
the cards lie that nobody had seen. It decides nothing: a concession or a ruling does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final, Literal, TypeAlias

from referee.analysis.asking import claim_of_rest
from referee.analysis.hidden import HiddenHands
from referee.analysis.known import BadPosition, KnownPosition
from referee.analysis.reach import known_at
from referee.rules.cards import BIT, Mask, mask_of
from referee.rules.seats import Seat
from referee.table.state import Deal, Table
from referee.table.verdicts import evidence_of

RestAnswer: TypeAlias = Literal["proved", "best_play", "fails", "cannot_tell", "on_request"]
"""In whatever order and however the cards lie; with best play of both partners; not even then; it
depends on cards that nobody saw, or is too long a question; longer than the caller waits for."""
MOST_WAYS_OF_CLAIM: Final = 12_000


@dataclass(frozen=True, slots=True)
class RestJudged:
    """A claim of the rest with its answer. ``ways``: how the cards could lie when it was made."""

    seat: Seat
    answer: RestAnswer
    ways: int = 0


def rest_of(then: Table, now: Table, seat: Seat, most_ways: int = MOST_WAYS_OF_CLAIM) -> RestJudged:
    """How good a claim of the rest was.

    ``then``: the partida when it was made. ``now``: as it stands, which may tell more of the hands:
    that of the claimer counts, those of the others only for what best play would have made.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    deal = then.deal
    if deal is None or deal.stock or deal.is_played_out or deal.is_entered:
        return RestJudged(seat, "cannot_tell")
    hidden, held = _hidden(deal, now, seat)
    ways = hidden.count()
    if not 0 < ways <= most_ways:
        is_limit = MOST_WAYS_OF_CLAIM >= ways > most_ways
        return RestJudged(seat, "on_request" if is_limit else "cannot_tell", ways)
    try:
        positions = list(_positions(then, deal, hidden, held))
    except BadPosition:
        return RestJudged(seat, "cannot_tell", ways)
    if all(claim_of_rest(one, seat) == "any_order" for one in positions):
        return RestJudged(seat, "proved", ways)
    known = known_at(then, deal, now)
    found = {claim_of_rest(one, seat) for one in ([known] if known else positions)}
    if None in found or {"fails"} < found:
        return RestJudged(seat, "cannot_tell", ways)
    return RestJudged(seat, "fails" if "fails" in found else "best_play", ways)


def _hidden(deal: Deal, now: Table, seat: Seat) -> tuple[HiddenHands, tuple[Mask, ...]]:
    """The cards that nobody had seen but the claimer, and those that each seat certainly held."""
    known = evidence_of(deal).knowledge()
    own = _own(deal, now, seat)
    held = tuple(
        own if at == seat else (one.certain | had) & ~own
        for at, one, had in zip(deal.seats, known, deal.held, strict=True)
    )
    missing = tuple(
        max(size - one.bit_count(), 0) for size, one in zip(deal.sizes, held, strict=True)
    )
    on_table = BIT[deal.pinta] if deal.lies else 0
    unseen = deal.deck & ~deal.played & ~on_table & ~reduce(or_, held)
    return HiddenHands(unseen, missing, tuple(one.possible & unseen for one in known)), held


def _own(deal: Deal, now: Table, seat: Seat) -> Mask:
    """The hand of the claimer, as far as it is known by now."""
    later = next((one for one in now.all_deals if one.line == deal.line), deal)
    played = [play for trick in later.tricks for play in trick.plays] + list(later.laid)
    after = mask_of(p.card for p in played if p.seat == seat and not deal.played & BIT[p.card])
    return after | later.held[later.place(seat)] | deal.held[deal.place(seat)]


def _positions(
    then: Table, deal: Deal, hidden: HiddenHands, held: tuple[Mask, ...]
) -> Iterator[KnownPosition]:
    for way in hidden.every():
        hands = tuple(known | more for known, more in zip(held, way, strict=True))
        laid = tuple(play.card for play in deal.laid)
        yield KnownPosition(then.options, deal.trump, deal.leader, hands, laid)
