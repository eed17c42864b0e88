"""Luck of the deals.

What the cards in arrastre were worth to each pair, compared with what it scored.

The par of an arrastre explains a part of what a pair makes; how large a part is fitted from all
deals of the season, since taking par off whole would only add spread. Of each pair there is then
what it made beyond that part, with an interval: most often it says that nothing can be told.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from referee.events import Competitors
from referee.rules.seats import SIDES, Side

PairKey: TypeAlias = tuple[str, ...]
"""Two persons who play together, or the id of a pair."""
LEAST_DEALS: Final = 10
"""Deals of a season from which a share is fitted, and intervals are given."""
_TWO_SIDED_95: Final = 1.959964


class PricedDeal(NamedTuple):
    """An arrastre of two pairs: points of the first above half, by par and as made.

    Half of a cante counts to its side, half is taken from the others; so for the second pair both
    numbers are the same with the other sign.
    """

    first: PairKey
    second: PairKey
    par: float
    made: float


@dataclass(frozen=True, slots=True)
class PairLuck:
    """Luck of a pair in a season, in points for each deal.

    ``beyond``: Points made above the fitted share of par.

    ``within``: half of its 95 % interval; None while too few deals are known.
    """

    pair: PairKey
    deals: int
    par: float
    made: float
    beyond: float
    within: float | None


@dataclass(frozen=True, slots=True)
class SeasonLuck:
    """Luck of every pair of a season. ``share``: part of par that was made.

    None with too few deals.
    """

    deals: int
    share: float | None
    pairs: tuple[PairLuck, ...]


def luck_in_deals(deals: Sequence[PricedDeal]) -> SeasonLuck:
    """Luck of each pair, from one fit over all these deals; sorted by pair.

    >>> one = PricedDeal(("a",), ("b",), 8, 4)
    >>> luck_in_deals([one]).pairs[1]
    PairLuck(pair=('b',), deals=1, par=-8.0, made=-4.0, beyond=-4.0, within=None)
    """
    spread = sum(one.par**2 for one in deals)
    is_fitted = len(deals) >= LEAST_DEALS and spread > 0
    share = sum(one.par * one.made for one in deals) / spread if is_fitted else None
    noise = 0.0
    if share is not None:
        left = sum((one.made - share * one.par) ** 2 for one in deals)
        noise = math.sqrt(left / (len(deals) - 1))
    sides = _deals_by_pair(deals)
    return SeasonLuck(
        len(deals),
        share,
        tuple(
            _pair_luck(key, sides[key], share, _Fit(noise, spread, len(deals)))
            for key in sorted(sides)
        ),
    )


class _Fit(NamedTuple):
    """Result of the fit: standard deviation of a deal, sum of squares of par, number of deals."""

    noise: float
    spread: float
    deals: int


def _deals_by_pair(deals: Iterable[PricedDeal]) -> Mapping[PairKey, list[tuple[float, float]]]:
    found: dict[PairKey, list[tuple[float, float]]] = defaultdict(list)
    for one in deals:
        found[one.first].append((one.par, one.made))
        found[one.second].append((-one.par, -one.made))
    return found


def _pair_luck(
    key: PairKey, held: Sequence[tuple[float, float]], share: float | None, fit: _Fit
) -> PairLuck:
    count = len(held)
    par = sum(one for one, _ in held) / count
    made = sum(one for _, one in held) / count
    within = None
    if share is not None:
        # of the mean over its deals, and of the share itself, which is a little wrong as well
        variance = fit.noise**2 * (1 / count + par**2 / fit.spread)
        within = student_t_975(fit.deals - 1) * math.sqrt(variance)
    return PairLuck(key, count, par, made, made - (share or 0) * par, within)


def student_t_975(freedom: int) -> float:
    """The 97.5 % quantile of Student's t; from nine degrees of freedom right to 0.004.

    >>> [round(student_t_975(n), 2) for n in (9, 30, 1000)]
    [2.26, 2.04, 1.96]
    """
    z = _TWO_SIDED_95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def season_sides_by_encuentro(
    cursor: sqlite3.Cursor, season: str, kept: Mapping[str, str], of: Competitors
) -> dict[str, tuple[PairKey, PairKey]]:
    """Players or pairs on each side of the encuentros of a season, by encuentro.

    Those of three players are left out, and those at which somebody was replaced: nobody can say
    whose the cards of a deal were.
    """
    held = "held_pair" if of == "pairs" else "held"
    cursor.execute(
        f"SELECT encuentro, side, person FROM {held}"  # noqa: S608 - literals of ours
        " WHERE held_in IN (SELECT id FROM session WHERE season = ?)",
        (season,),
    )
    sat: dict[str, dict[Side, set[str]]] = defaultdict(lambda: defaultdict(set))
    for encuentro, side, person in cursor:
        sat[encuentro][side].add(kept.get(person, person))
    most = 1 if of == "pairs" else 2
    found = {}
    for encuentro, sides in sat.items():
        first, second = (tuple(sorted(sides[side])) for side in SIDES[2])
        if set(sides) == set(SIDES[2]) and 0 < len(first) == len(second) <= most:
            found[encuentro] = (first, second)
    return found
