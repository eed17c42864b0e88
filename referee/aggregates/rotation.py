"""Partners that change: each with each as evenly as possible, then opponents.

``docs/law/seasons.md`` gives the way in words. Draws on the log are verified by it: another way
is another method with a name of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from referee.aggregates.session_tables import tables_by_seed
from referee.events import DrawnSide, DrawnTable, PersonId

_STARTS: Final = 1_000
"""Starts of a draw, times the square of its persons: few are drawn more often than many."""
_PARTNERS_FIRST: Final = 1_000_000
"""What partners who meet again weigh against opponents who do: more than all of these together."""
_TwoSides: TypeAlias = tuple[DrawnSide, DrawnSide]


class Meetings(NamedTuple):
    """How often two persons were partners, and how often opponents; in both orders of the two."""

    partners: Counter[tuple[PersonId, PersonId]]
    opponents: Counter[tuple[PersonId, PersonId]]


def meetings_of(rounds: Iterable[Iterable[DrawnTable]]) -> Meetings:
    """Who met whom in rounds.

    >>> met = meetings_of([[DrawnTable(1, (("a", "b"), ("c", "d")))]])
    >>> met.partners["b", "a"], met.opponents["a", "d"], met.opponents["a", "b"]
    (1, 1, 0)
    """
    met = Meetings(Counter(), Counter())
    for table in (table for tables in rounds for table in tables):
        for ours in table.sides:
            rivals = [one for side in table.sides if side != ours for one in side]
            met.partners.update((one, other) for one in ours for other in ours if one != other)
            met.opponents.update((one, other) for one in ours for other in rivals)
    return met


def unevenness(sides: Sequence[Sequence[PersonId]], met: Meetings) -> int:
    """How much those of a table met before: the sum of squares, so that often weighs more."""
    found = sum(met.partners[pair] ** 2 for side in sides for pair in combinations(side, 2))
    found *= _PARTNERS_FIRST
    for ours, theirs in combinations(sides, 2):
        found += sum(met.opponents[one, other] ** 2 for one in ours for other in theirs)
    return found


def tables_by_rotation(
    seed: str,
    seal: str,
    persons: Sequence[PersonId],
    together: Sequence[DrawnSide],
    rounds: Iterable[Iterable[DrawnTable]],
    players: int,
) -> tuple[DrawnTable, ...]:
    """Tables at which those meet who met least in the rounds before.

    Drawn by the seed several times, each time improved by exchanges; the first of the best stays.

    >>> first = tables_by_rotation("Calamocha", "seal ", "abcdefgh", (), (), 4)
    >>> second = tables_by_rotation("Calamocha", "seal ", "abcdefgh", (), [first], 4)
    >>> [unevenness(table.sides, meetings_of([first])) for table in second]
    [0, 0]
    """
    met = meetings_of(rounds)
    best: tuple[DrawnTable, ...] = ()
    least: int | None = None
    for start in range(max(1, _STARTS // max(1, len(persons) ** 2))):
        begun = f"{seal}start {start} " if start else seal
        drawn = _improve(tables_by_seed(seed, begun, persons, together, players), together, met)
        left = sum(unevenness(table.sides, met) for table in drawn)
        if least is None or left < least:
            best, least = drawn, left
        if not least:
            break
    return best


def _improve(
    tables: tuple[DrawnTable, ...], together: Iterable[DrawnSide], met: Meetings
) -> tuple[DrawnTable, ...]:
    """The tables after each exchange, in turn, that makes them more even, until none does."""
    hall = _Hall(tables, together, met)
    places = range(len(hall.sides))
    while sum(hall.exchange(one, other) for one, other in combinations(places, 2)):
        pass
    return hall.tables


class _Hall:
    """Tables between which sides, and persons of sides that may be parted, are exchanged."""

    def __init__(
        self, tables: tuple[DrawnTable, ...], together: Iterable[DrawnSide], met: Meetings
    ) -> None:
        self.sides = [side for table in tables for side in table.sides]
        self._a_table = len(tables[0].sides) if tables else 1
        self._kept = frozenset(together)
        self._met = met

    @property
    def tables(self) -> tuple[DrawnTable, ...]:
        """The tables from 1, as they stand."""
        count = len(self.sides) // self._a_table
        return tuple(DrawnTable(at + 1, self._sides_at(at)) for at in range(count))

    def _sides_at(self, table: int) -> tuple[DrawnSide, ...]:
        return tuple(self.sides[table * self._a_table : (table + 1) * self._a_table])

    def exchange(self, one: int, other: int) -> bool:
        """Whether an exchange between two sides made their tables more even; the best is done."""
        at = {one // self._a_table, other // self._a_table}
        before = self.sides[one], self.sides[other]
        best, least = before, self._weigh(at)
        if not least:
            return False
        for sides in self._exchanges(*before):
            self.sides[one], self.sides[other] = sides
            if (left := self._weigh(at)) < least:
                best, least = sides, left
        self.sides[one], self.sides[other] = best
        return best != before

    def _weigh(self, tables: Iterable[int]) -> int:
        return sum(unevenness(self._sides_at(table), self._met) for table in tables)

    def _exchanges(self, ours: DrawnSide, theirs: DrawnSide) -> Iterator[_TwoSides]:
        """The two sides in each other's places, and with one person of each exchanged."""
        yield theirs, ours
        if self._kept.isdisjoint((ours, theirs)):
            for mine, yours in product(ours, theirs):
                yield _replace(ours, mine, yours), _replace(theirs, yours, mine)


def _replace(side: DrawnSide, old: PersonId, new: PersonId) -> DrawnSide:
    return tuple(new if one == old else one for one in side)
