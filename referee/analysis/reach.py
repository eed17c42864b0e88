"""Could a side still reach the target, at the moment of a claim or a concession?

Where every hand is known it is asked with best play of all from there; else only what is left to be
won can be added up. It decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from referee.analysis.deals import hand_known_since, same_deal
from referee.analysis.engine import is_there
from referee.analysis.position import BadPosition, KnownPosition
from referee.analysis.questions import points_left, reaches
from referee.rules.cards import CANTE_PAIR, points_of
from referee.rules.counts import (
    CANTE_OF_ANOTHER,
    CANTE_OF_TRUMP,
    Score,
    cante_points,
    scores,
)
from referee.rules.profile.options import Options
from referee.rules.seats import Side, side_of
from referee.table.counts import deals_without_count, items_of, scores_so_far
from referee.table.state import HIDDEN, Deal, Line, Table

StillReach: TypeAlias = Literal["yes", "no", "cannot_tell"]
_MOST_NODES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a side could still reach the target, and with how many points at most.

    ``most``: with best play of all from there if ``is_exact``, else with all that was left; None if
    the tricks were not counted. ``since``: of a side that had the target already, the line that
    made it; ``cards`` were laid after that line and before the act. ``lacks_engine``: only a sum is
    told, and this platform has no ``wasmtime``.
    """

    side: Side
    answer: StillReach
    total: int | None
    most: int | None
    is_exact: bool = False
    since: Line | None = None
    cards: int = 0
    lacks_engine: bool = False


def reach_of(then: Table, now: Table, side: Side) -> Reach:
    """What a side could still reach at the moment of an act.

    ``then``: the partida at that act. ``now``: as it stands, which may tell more of the hands.
    Where there is no analysis what is left is added up.
    """
    found = _reach_of(then, now, side)
    since = None if found.total is None else target_since(then, side)
    if since is None:
        return found
    cards = _cards_since(then, since)
    return replace(found, since=since, cards=cards, lacks_engine=False)


def target_since(table: Table, side: Side) -> Line | None:
    """The line with which a side made the target that it has; None: it has not.

    A ruling can take points off again: the line is the latest one that made it.
    """
    points, since = table.options.last_trick_points, None
    so_far: list[tuple[Side, str, int]] = []
    for deal in table.all_deals:
        for item in items_of(deal, points, table.ruled_out):
            so_far.append((item.side, item.reason, item.points))
            has = scores(so_far, table.players)[side].total(table.options) >= table.options.target
            since = (since or item.line) if has else None
    return since


def _cards_since(table: Table, since: Line) -> int:
    """Cards laid after a line; of a trick entered without cards, one of each seat."""
    deals = table.all_deals
    laid = [play.line for deal in deals for play in deal.plays]
    entered = [trick.line for deal in deals for trick in deal.tricks if not trick.plays]
    return sum(table.came_before(since, line) for line in laid + entered * table.players)


def _reach_of(then: Table, now: Table, side: Side) -> Reach:
    deal, options = then.deal, then.options
    if deal is None or deals_without_count(then):
        return Reach(side, "cannot_tell", None, None)
    made = scores_so_far(then, then.all_deals)[side]
    if deal.is_played_out:
        return _reach(options, side, made, 0, is_exact=True)
    known = position_at(then, deal, now) if is_there() else None
    if known is not None and not options.cantes_need_min_malas:
        exact = _most(known, side)
        if exact is not None:
            return _reach(options, side, made, exact, is_exact=True)
    cards = points_of(deal.deck & ~deal.played) + options.last_trick_points
    more = made._replace(cantes=made.cantes + _cantes_left(options, deal))
    return replace(_reach(options, side, made, cards, at_most=more), lacks_engine=not is_there())


def _reach(
    options: Options,
    side: Side,
    made: Score,
    cards: int,
    *,
    is_exact: bool = False,
    at_most: Score | None = None,
) -> Reach:
    total, most = made.total(options), at_most or made
    reached = most._replace(cards=most.cards + cards).total(options)
    answer: StillReach = "no"
    if reached >= options.target:
        answer = "yes" if is_exact or total >= options.target else "cannot_tell"
    return Reach(side, answer, total, reached, is_exact)


def position_at(then: Table, deal: Deal, now: Table) -> KnownPosition | None:
    """The position at the act, if it is in arrastre and every hand is known by now."""
    later = same_deal(deal, now)
    if deal.stock or later is None or HIDDEN in {cante.suit for cante in deal.cantes}:
        return None
    hands = tuple(hand_known_since(deal, later, seat) for seat in deal.seats)
    valid = [one for one in deal.cantes if not one.void and one.line not in then.ruled_out]
    closed = len(deal.tricks)
    sung_now = tuple(sum(c.seat == s and c.trick == closed for c in valid) for s in deal.seats)
    try:
        return KnownPosition(
            then.options,
            deal.trump,
            deal.leader,
            hands,
            tuple(play.card for play in deal.laid),
            sung=frozenset(cante.suit for cante in valid),
            winners=frozenset(side_of(trick.taker) for trick in deal.tricks),
            sung_now=sung_now if deal.tricks and not deal.laid else None,
        )
    except BadPosition:
        return None


@lru_cache(maxsize=256)
def _most(known: KnownPosition, side: Side) -> int | None:
    """Points that a side can make from here, its cantes whole; None: too long a question.

    Cached, since every reader of a replay asks it: an arrastre takes 1 to 4 ms of processor time,
    and a tenth of one from the cache.
    """
    low, high = 0, points_left(known) + CANTE_OF_TRUMP + 3 * CANTE_OF_ANOTHER
    while low < high:
        middle = (low + high + 1) // 2
        found = reaches(known, side, middle, most_nodes=_MOST_NODES)
        if found is None:
            return None
        low, high = (middle, high) if found else (low, middle - 1)
    return low


def _cantes_left(options: Options, deal: Deal) -> int:
    """Points of the cantes that nobody has sung, and somebody still may."""
    if not (deal.stock or options.cante_in_arrastre):
        return 0
    sung = {cante.suit for cante in deal.cantes}
    return sum(
        cante_points(suit, deal.trump)
        for suit, pair in enumerate(CANTE_PAIR)
        if suit not in sung and not deal.played & pair
    )
