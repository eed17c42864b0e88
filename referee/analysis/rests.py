"""A claim of the rest, judged: "las demás son mías".

It is proved if it holds in whatever order the claimer plays, whatever the others do, and however
the cards lie that nobody had seen. It decides nothing: a concession or a ruling does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from referee.analysis.asking import claim_of_rest
from referee.analysis.deals import held_by_now, same_deal, unseen_cards
from referee.analysis.hidden import HiddenHands
from referee.analysis.known import BadPosition, KnownPosition
from referee.analysis.reach import known_at
from referee.rules.cards import Mask
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
    unseen, missing, may = unseen_cards(deal, held, known)
    return HiddenHands(unseen, tuple(max(one, 0) for one in missing), may), held


def _own(deal: Deal, now: Table, seat: Seat) -> Mask:
    """The hand of the claimer, as far as it is known by now."""
    return held_by_now(deal, same_deal(deal, now) or deal, seat) | deal.held[deal.place(seat)]


def _positions(
    then: Table, deal: Deal, hidden: HiddenHands, held: tuple[Mask, ...]
) -> Iterator[KnownPosition]:
    for way in hidden.every():
        hands = tuple(known | more for known, more in zip(held, way, strict=True))
        laid = tuple(play.card for play in deal.laid)
        yield KnownPosition(then.options, deal.trump, deal.leader, hands, laid)
