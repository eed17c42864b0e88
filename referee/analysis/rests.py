"""A claim of the rest, judged: "las demás son mías".

It is proved if it holds in whatever order the claimer plays, whatever the others do, and however
the cards lie that nobody had seen. It decides nothing: a concession or a ruling does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from referee.analysis.deals import hand_known_since, same_deal, unseen_cards
from referee.analysis.hidden import HiddenHands
from referee.analysis.position import BadPosition, KnownPosition
from referee.analysis.questions import claim_of_rest
from referee.analysis.reach import position_at
from referee.rules.cards import Card, Mask, Suit
from referee.rules.profile.options import Options
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
    asked = _question(then, deal, now, seat)
    ways = asked.hidden().count()
    if not 0 < ways <= most_ways:
        is_limit = MOST_WAYS_OF_CLAIM >= ways > most_ways
        return RestJudged(seat, "on_request" if is_limit else "cannot_tell", ways)
    return RestJudged(seat, _work_out(asked), ways)


@dataclass(frozen=True, slots=True)
class _RestQuestion:
    """A claim of the rest. ``held``: the cards that each seat certainly held; the others lie
    ``unseen``, so many ``missing`` of each hand, where they ``may``. ``known``: every card.
    """

    options: Options
    trump: Suit
    leader: Seat
    laid: tuple[Card, ...]
    seat: Seat
    held: tuple[Mask, ...]
    unseen: Mask
    missing: tuple[int, ...]
    may: tuple[Mask, ...]
    known: KnownPosition | None

    def hidden(self) -> HiddenHands:
        """The cards that nobody had seen but the claimer."""
        return HiddenHands(self.unseen, self.missing, self.may)

    def positions(self) -> Iterator[KnownPosition]:
        """Every way in which they could lie.

        :raises BadPosition: the hands have not the cards that they must have
        """
        for way in self.hidden().every():
            hands = tuple(known | more for known, more in zip(self.held, way, strict=True))
            yield KnownPosition(self.options, self.trump, self.leader, hands, self.laid)


@lru_cache(maxsize=64)
def _work_out(asked: _RestQuestion) -> RestAnswer:
    """The answer to a question, cached: every reader of a replay asks it.

    Of 11,550 ways it takes some 95 ms of processor time, and 1 ms from the cache.
    """
    try:
        positions = list(asked.positions())
    except BadPosition:
        return "cannot_tell"
    if all(claim_of_rest(one, asked.seat) == "any_order" for one in positions):
        return "proved"
    known = [asked.known] if asked.known else positions
    found = {claim_of_rest(one, asked.seat) for one in known}
    if None in found or {"fails"} < found:
        return "cannot_tell"
    return "fails" if "fails" in found else "best_play"


def _question(then: Table, deal: Deal, now: Table, seat: Seat) -> _RestQuestion:
    known = evidence_of(deal).knowledge()
    own = _own(deal, now, seat)
    held = tuple(
        own if at == seat else (one.certain | had) & ~own
        for at, one, had in zip(deal.seats, known, deal.held, strict=True)
    )
    unseen, missing, may = unseen_cards(deal, held, known)
    return _RestQuestion(
        then.options,
        deal.trump,
        deal.leader,
        tuple(play.card for play in deal.laid),
        seat,
        held,
        unseen,
        tuple(max(one, 0) for one in missing),
        may,
        position_at(then, deal, now),
    )


def _own(deal: Deal, now: Table, seat: Seat) -> Mask:
    """The hand of the claimer, as far as it is known by now."""
    return hand_known_since(deal, same_deal(deal, now) or deal, seat) | deal.held[deal.place(seat)]
