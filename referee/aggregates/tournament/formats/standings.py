"""The table of a tournament by rounds: places by criteria in a stated order, each explained.

A criterion is applied only to pairs that are equal by all criteria before it. A row has its values
as items, and the criterion that placed it below the row before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

from referee.aggregates.tournament.field import NOBODY, Pair
from referee.aggregates.tournament.history import (
    History,
    PointItem,
    RoundOutcome,
    point_items_of,
    sum_points,
)
from referee.events.tournament import USUAL, Criterion
from referee.rules.chance import shuffle_by_seed

By: TypeAlias = Criterion | Literal["first", "level"]
Values: TypeAlias = Mapping[Pair, int] | None
SEAL: Final = b"guinote-lot-1\n"
UNPLAYED: Final[frozenset[RoundOutcome]] = frozenset({"bye", "open"})
"""Rounds of Buchholz without an opponent's points: a bye, and a meeting that is to be played."""
AS_QUALIFIED: Final[frozenset[RoundOutcome]] = frozenset({"bye"})
"""The same where groups send pairs on: earlier logs decided it with opponents not met yet."""


class CriterionValue(msgspec.Struct, frozen=True, gc=False):
    """A criterion that was applied, and its value for a pair; a higher value is better."""

    criterion: Criterion
    value: int


class StandingsRow(msgspec.Struct, frozen=True, gc=False):
    """A pair at its place.

    ``by``: the criterion that placed it below the row before, ``first`` at the top; ``level`` if
    none did, so that both share a place. ``points``: the items whose sum the points are.
    """

    place: int
    pair: Pair
    by: By
    items: tuple[CriterionValue, ...]
    points: tuple[PointItem, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """Data that the criteria use."""

    items: Mapping[Pair, tuple[PointItem, ...]]
    points: Mapping[Pair, int]
    cotos: Mapping[Pair, int]
    partidas: Mapping[Pair, int]
    lots: Mapping[Pair, int]
    unplayed: frozenset[RoundOutcome]


@dataclass(frozen=True, slots=True)
class _Block:
    """Pairs that are equal so far, and the criterion that placed them below the block before."""

    pairs: tuple[Pair, ...]
    by: By
    items: Mapping[Pair, tuple[CriterionValue, ...]]


def standings(
    history: History,
    criteria: Sequence[Criterion] = USUAL,
    lot_seed: str = "",
    unplayed: frozenset[RoundOutcome] = UNPLAYED,
) -> tuple[StandingsRow, ...]:
    """The table as it stands; pairs that no criterion separates share a place.

    ``lot_seed``: published, for the lot; without it no lot is drawn. ``unplayed``: rounds in which
    Buchholz takes a pair's own points for those of an opponent.
    """
    items = point_items_of(history)
    points = {pair: sum_points(found) for pair, found in items.items()}
    lots = _lot_values(history.pairs, lot_seed)
    known = _Known(items, points, *_coto_and_partida_differences(history), lots, unplayed)
    blocks = [_Block(history.pairs, "first", dict.fromkeys(history.pairs, ()))]
    for criterion in criteria:
        blocks = [part for block in blocks for part in _split_block(block, criterion, known)]
    rows: list[StandingsRow] = []
    for block in blocks:
        place = len(rows) + 1
        for number, pair in enumerate(block.pairs):
            by: By = "level" if number else block.by
            rows.append(StandingsRow(place, pair, by, block.items[pair], items[pair]))
    return tuple(rows)


def _split_block(block: _Block, criterion: Criterion, known: _Known) -> Sequence[_Block]:
    """Split a block by a criterion; a block of one pair is left as it is."""
    if len(block.pairs) == 1 and criterion != "points":
        return (block,)
    values = _CRITERIA[criterion](known, block.pairs)
    if values is None:
        return (block,)
    ranked = sorted(block.pairs, key=lambda pair: -values[pair])
    found: list[_Block] = []
    for value, equal in groupby(ranked, key=values.__getitem__):
        pairs = tuple(equal)
        shown = {pair: (*block.items[pair], CriterionValue(criterion, value)) for pair in pairs}
        found.append(_Block(pairs, criterion if found else block.by, shown))
    return found


def _direct_points_or_none(known: _Known, pairs: Sequence[Pair]) -> Values:
    """Points against the others who are equal; None unless all of them have met each other."""
    equal = set(pairs)
    found = {pair: [item for item in known.items[pair] if item.opponent in equal] for pair in pairs}
    if any(
        {item.opponent for item in items if item.reason != "open"} != equal - {pair}
        for pair, items in found.items()
    ):
        return None
    return {pair: sum(item.points for item in items) for pair, items in found.items()}


def _coto_and_partida_differences(
    history: History,
) -> tuple[Mapping[Pair, int], Mapping[Pair, int]]:
    """Differences of cotos and of partidas."""
    cotos, partidas = dict.fromkeys(history.pairs, 0), dict.fromkeys(history.pairs, 0)
    for met in history.met:
        one, other = met.pairs
        for found, (mine, theirs) in ((cotos, met.cotos), (partidas, met.partidas)):
            found[one] += mine - theirs
            found[other] += theirs - mine
    return cotos, partidas


def _buchholz(known: _Known, pairs: Sequence[Pair]) -> Values:
    """Sum of the points of all opponents.

    A round without an opponent counts the pair's own points.
    """
    return {
        pair: sum(
            known.points[pair]
            if item.reason in known.unplayed
            else known.points.get(item.opponent, 0)
            for item in known.items[pair]
        )
        for pair in pairs
    }


def _sonneborn_berger(known: _Known, pairs: Sequence[Pair]) -> Values:
    """For each pair, twice the points of opponents it beat and once those it was level with."""
    weight = {"won": 2, "level": 1}
    return {
        pair: sum(
            weight.get(item.reason, 0) * known.points[item.opponent]
            for item in known.items[pair]
            if item.opponent != NOBODY
        )
        for pair in pairs
    }


@lru_cache(maxsize=64)
def _lot_values(pairs: tuple[Pair, ...], seed: str) -> Mapping[Pair, int]:
    """Places of a draw from the published seed, over every pair, so that none depends on others.

    They are cached: for 512 pairs a draw is a sixth of the work of a result and its table.
    """
    drawn = shuffle_by_seed(SEAL, seed, sorted(pairs)) if seed else ()
    return {pair: len(drawn) - at for at, pair in enumerate(drawn)}


_CRITERIA: Final[Mapping[Criterion, Callable[[_Known, Sequence[Pair]], Values]]] = {
    "points": lambda known, _: known.points,
    "direct": _direct_points_or_none,
    "cotos": lambda known, _: known.cotos,
    "partidas": lambda known, _: known.partidas,
    "buchholz": _buchholz,
    "sonneborn_berger": _sonneborn_berger,
    "lot": lambda known, _: known.lots or None,
}
