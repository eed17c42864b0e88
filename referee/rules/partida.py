"""Deciding a partida: who wins at the end of a deal, by a claim, or because another lost.

Ties and *last trick* are settled by ``latest``: the sides in the order of their latest closed
trick, the most recent first; sides that closed none follow in order of play from mano.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.rules.articles import Rule, decides
from referee.rules.counts import Score, totals
from referee.rules.profile.options import Options
from referee.rules.seats import Seat, Side, side_of

TWO_SIDES = 2


def latest(takers: Sequence[Seat], order: Sequence[Seat]) -> tuple[Side, ...]:
    """Sides by their latest closed trick, most recent first, then in order of play from mano.

    >>> latest(["A1", "C1"], ["B1", "C1", "A1"])
    ('C', 'A', 'B')
    """
    sides = [side_of(seat) for seat in reversed(takers)] + [side_of(seat) for seat in order]
    return tuple(dict.fromkeys(sides))


@decides(Rule.TARGET, Rule.MIN_MALAS)
def first_deal(
    found: Mapping[Side, Score], options: Options, by_latest: Sequence[Side]
) -> Side | None:
    """Winner at the end of the first deal; None if the partida goes on in vueltas."""
    total = totals(found, options)
    at_target = [side for side in found if total[side] >= options.target]
    short = {side for side in found if found[side].points_measured(options) < options.min_malas}
    is_always = options.min_malas_applies == "always" and len(found) == TWO_SIDES
    if short and (len(at_target) > 1 or is_always):
        standing = [side for side in found if side not in short]
        if len(standing) == 1:
            return standing[0]
        at_target = [side for side in at_target if side not in short]
    return _of_several(at_target, total, options.both_reach_target, by_latest)


@decides(Rule.TARGET)
def at_target(
    found: Mapping[Side, Score], options: Options, by_latest: Sequence[Side]
) -> Side | None:
    """Winner of vueltas that end with the trick or cante that makes the target; None: not yet."""
    total = totals(found, options)
    sides = [side for side in found if total[side] >= options.target]
    return _of_several(sides, total, "last_trick", by_latest)


@decides(Rule.UNCLAIMED)
def winner_without_claim(
    found: Mapping[Side, Score], options: Options, by_latest: Sequence[Side]
) -> Side | None:
    """Winner of vueltas played out without a claim; None if another deal follows.

    Of three sides, several at the target are separated as after any deal.
    """
    if options.unclaimed_at_end == "another_deal":
        return None
    total = totals(found, options)
    at_target = [side for side in found if total[side] >= options.target]
    rule = "last_trick" if len(found) == TWO_SIDES else options.both_reach_target
    return _of_several(at_target, total, rule, by_latest)


def against(loser: Side, total: Mapping[Side, int], by_latest: Sequence[Side]) -> Side:
    """Winner when one side lost the partida: of the others the higher total, then the later trick.

    >>> against("A", {"A": 90, "B": 20}, ["A", "B"])
    'B'
    >>> against("A", {"A": 90, "B": 20, "C": 20}, ["A", "C", "B"])
    'C'
    """
    others = [side for side in by_latest if side != loser]
    return max(others, key=lambda side: (total[side], -others.index(side)))


@decides(Rule.BOTH_REACH_TARGET)
def _of_several(
    sides: Sequence[Side], total: Mapping[Side, int], rule: str, by_latest: Sequence[Side]
) -> Side | None:
    if not sides:
        return None
    if rule == "highest_total":
        highest = max(total[side] for side in sides)
        sides = [side for side in sides if total[side] == highest]
    return min(sides, key=by_latest.index)
