"""What a disputed card took beside the best lawful one, and whether it turned the partida.

Of a deal whose hands are known the answer is exact. Of one that was stopped short it is asked in
every way in which the unseen cards can lie, or, where these are too many, in some that are drawn.
It decides nothing: what a renuncio costs is in the profile.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, Literal, TypeAlias

from referee.analysis.deals import (
    ArrastreMoment,
    CannotAnalyse,
    NotKnown,
    first_of_arrastre,
    moments_of,
    unseen_cards,
)
from referee.analysis.endings import PointsBefore, points_before, winners_after
from referee.analysis.hidden import HiddenHands
from referee.analysis.position import KnownPosition
from referee.analysis.questions import CardPrices, prices
from referee.rules.cards import Mask, Suit
from referee.rules.evidence.sights import Sight
from referee.rules.evidence.verdicts import Evidence
from referee.rules.profile.options import Options
from referee.table.state import Deal, Line, Table
from referee.table.verdicts import evidence_of

MOST_WAYS: Final = 35_000
"""Ways that are gone through one by one. Four tricks have 11,550 at most if the hand of the accused
is seen, three have 25,200 if none is."""
DRAWN: Final = 200
"""Ways that are drawn where there are more."""
MOST_NODES: Final = 20_000_000
"""Nodes of all ways together, some two seconds."""
_TRIES: Final = 20

NoCost: TypeAlias = (
    NotKnown
    | Literal[
        "before_arrastre", "no_card", "no_breach", "contradicted", "beyond_nodes", "on_request"
    ]
)
"""Why nothing is said of an act: as of its arrastre; laid before it; no card; it broke no duty,
however the cards lie; the record contradicts itself; the question is too long, or longer than the
caller waits for."""
OtherWay: TypeAlias = Literal["yes", "no", "cannot_tell"]
"""Whether the partida would have gone the other way."""
_Ways: TypeAlias = Iterator[tuple[Mask, ...]]


class NothingToSay(Exception):  # noqa: N818 - an answer about an act, not an error of the program
    """What an act took cannot be said."""

    def __init__(self, reason: NoCost) -> None:
        super().__init__(reason)
        self.reason: NoCost = reason


@dataclass(frozen=True, slots=True)
class CardCost:
    """What a card took beside the best lawful one, with best play of all from there.

    ``least`` and ``most``: points that it took less, below 0 if it took more. ``ways``: how the
    unseen cards can lie so that it breaks a duty; in ``more`` and ``less`` of them it took more and
    less than the best lawful one. ``tried``: the ways that were looked at, drawn if they have a
    ``seed``. ``turned``: whether with the best lawful one the partida would have gone the other
    way; yes or no if it is so in all ways.
    """

    least: int
    most: int
    more: int
    less: int
    ways: int
    tried: int
    turned: OtherWay
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """A card with all that is known: equal ones have one answer.

    ``unseen``: cards that nobody saw; by seat, how many ``missing`` and which it ``may`` hold.
    ``sights``: those of the deal where the hands depend on each other in more than their number.
    """

    options: Options
    trump: Suit
    moment: ArrastreMoment
    before: PointsBefore
    unseen: Mask
    missing: tuple[int, ...]
    may: tuple[Mask, ...]
    sights: tuple[Sight, ...]

    def hidden(self) -> HiddenHands:
        """The unseen cards, and where they may lie."""
        return HiddenHands(self.unseen, self.missing, self.may)


def cost_of(table: Table, line: Line, most_ways: int | None = None) -> CardCost:
    """What the card of a line took, if it broke a duty; the same question is worked out once.

    ``most_ways``: with more ways of the unseen cards nothing is worked out.

    :raises NothingToSay: the reason
    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    found = next((deal for deal in table.all_deals if line in _lines_of(deal)), None)
    if found is None:
        raise NothingToSay("no_card")
    if line in _lines_of(found)[: first_of_arrastre(table) * table.players]:
        raise NothingToSay("before_arrastre")
    try:
        asked = _question(table, found, line)
        if most_ways is not None and asked.hidden().count() > most_ways:
            raise NothingToSay("on_request")
        return _work_out(asked)
    except CannotAnalyse as cannot:
        raise NothingToSay(cannot.reason) from None


def _lines_of(deal: Deal) -> list[Line]:
    return [play.line for play in deal.plays]


def _question(table: Table, deal: Deal, line: Line) -> _Question:
    evidence = evidence_of(deal)
    if evidence.broken:
        raise NothingToSay("contradicted")
    known = evidence.knowledge()
    held = tuple(one.certain | had for one, had in zip(known, deal.held, strict=True))
    moment = next(one for one in moments_of(table, deal, held) if one.line == line)
    unseen, missing, may = unseen_cards(deal, held, known)
    if min(missing) < 0 or sum(missing) != unseen.bit_count():
        raise NothingToSay("irregular")
    return _Question(
        table.options,
        deal.trump,
        moment,
        points_before(table, deal, moment),
        unseen,
        missing,
        may,
        deal.sights if unseen and evidence.is_joint else (),
    )


@lru_cache(maxsize=64)
def _work_out(asked: _Question) -> CardCost:
    hidden = asked.hidden()
    seed = None
    if hidden.count() > MOST_WAYS:
        seed = _seed_of(asked)
    nodes, tried = MOST_NODES, 0
    costs: list[int] = []
    turned: set[OtherWay] = set()
    for hands in _ways_to_look_at(asked, hidden, seed):
        known = asked.moment.position(asked.options, asked.trump, hands)
        found = prices(known, most_nodes=nodes)
        if found is None:
            raise NothingToSay("beyond_nodes")
        nodes, tried = nodes - found.nodes, tried + 1
        if not found.is_lawful(asked.moment.card):
            costs.append(found.cost(asked.moment.card))
            if len(turned) < 2 and "cannot_tell" not in turned:  # noqa: PLR2004 - yes and no
                turned.add(_compare_ways(asked, known, found))
    if not costs:
        raise NothingToSay("no_breach" if tried else "contradicted")
    return CardCost(
        min(costs),
        max(costs),
        sum(cost < 0 for cost in costs),
        sum(cost > 0 for cost in costs),
        len(costs),
        tried,
        turned.pop() if len(turned) == 1 else "cannot_tell",
        seed,
    )


def _ways_to_look_at(asked: _Question, hidden: HiddenHands, seed: int | None) -> _Ways:
    """The ways to look at: all that can be, or some of them that are drawn."""
    ways = hidden.every() if seed is None else _draw_ways(hidden, seed)
    if not asked.sights:
        return ways if seed is None else islice(ways, DRAWN)
    evidence = Evidence().see_all(asked.sights)
    allowed = (one for one in ways if evidence.allows(one))
    return allowed if seed is None else islice(allowed, DRAWN)


def _draw_ways(hidden: HiddenHands, seed: int) -> _Ways:
    chance = random.Random(seed)  # noqa: S311 - a draw of ways that anybody can repeat
    for _ in range(DRAWN * _TRIES):
        yield hidden.draw_one(chance)


def _seed_of(asked: _Question) -> int:
    """The same question has the same seed everywhere."""
    text = repr((asked.moment.hands, asked.moment.laid, asked.missing, asked.may))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _compare_ways(asked: _Question, known: KnownPosition, found: CardPrices) -> OtherWay:
    def winner_after(*cards: int) -> str:
        winners = {
            winner
            for card in cards
            for winner in winners_after(asked.before, known, card, found.values[card])
        }
        return winners.pop() if len(winners) == 1 else ""

    one, other = winner_after(asked.moment.card), winner_after(*found.best_cards)
    if not (one and other):
        return "cannot_tell"
    return "no" if one == other else "yes"
