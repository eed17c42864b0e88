"""Who plays whom of an evening: by a seed that anybody can repeat, by strength, or by hand.

``docs/law/seasons.md`` gives both ways in words, with an example.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from referee.events import DrawnSide, DrawnTable, PersonId
from referee.rules.chance import shuffle_by_seed
from referee.rules.seats import SEATS, SIDES, side_of


def side_size(players: int) -> int:
    """Persons on a side of a table, by its number of players.

    >>> [side_size(players) for players in (2, 3, 4)]
    [1, 1, 2]
    """
    return len(SEATS[players]) // len(SIDES[players])


def draw_seed_prefix(date: str, number: int) -> str:
    """Text that the n-th draw of an evening mixes with its seed, so that no two draws are alike."""
    return f"guinote session 1 {date} {number} "


def tables_by_seed(
    seed: str, seal: str, persons: Iterable[PersonId], together: Iterable[DrawnSide], players: int
) -> tuple[DrawnTable, ...]:
    """Tables as a seed draws them: first partners for those who have none, then who meets whom.

    Persons come in the order of their ids. Those left over at the end of either draw sit out.

    >>> drawn = tables_by_seed("Calamocha", draw_seed_prefix("2026-11-21", 1), "abcdefgh", (), 4)
    >>> [table.sides for table in drawn]
    [(('b', 'c'), ('a', 'e')), (('f', 'd'), ('g', 'h'))]
    """
    kept = sorted(together)
    alone = sorted(set(persons) - {one for side in kept for one in side})
    drawn = shuffle_by_seed(f"{seal}partners\n".encode(), seed, alone)
    sides = [*kept, *_group_into_sides(drawn, side_size(players))]
    return _group_into_tables(shuffle_by_seed(f"{seal}tables\n".encode(), seed, sides), players)


def tables_by_strength(
    strengths: Mapping[PersonId, int], together: Iterable[DrawnSide], players: int
) -> tuple[DrawnTable, ...]:
    """Tables of like strength.

    The strongest plays with the weakest, then sides of like strength meet.

    Of an odd number the weakest of those without a partner sits out, then the weakest side.

    >>> drawn = tables_by_strength({"a": 1700, "b": 1650, "c": 1500, "d": 1400}, (), 4)
    >>> drawn[0].sides
    (('b', 'c'), ('a', 'd'))
    """
    kept = sorted(together)
    with_partner = {one for side in kept for one in side}
    alone = sorted(set(strengths) - with_partner, key=lambda one: (-strengths[one], one))
    size = side_size(players)
    alone = alone[: len(alone) - len(alone) % size]
    folded = [
        (one, alone[-place]) if size > 1 else (one,)
        for place, one in enumerate(alone[: len(alone) // size], 1)
    ]
    sides = sorted([*kept, *folded], key=lambda side: (-sum(strengths[one] for one in side), side))
    return _group_into_tables(sides, players)


def persons_to_sit_out(
    units: Sequence[DrawnSide], rested: Mapping[PersonId, int], players: int, room: int | None
) -> frozenset[PersonId]:
    """Who sits out, so that all others fit at full tables: those who did so least often.

    ``units``: sides that stay together and single persons, in the order in which they sit out if
    they are equal. ``room``: number of tables; None for no limit.

    >>> units = [("a",), ("b", "c"), ("d", "e"), ("f",)]
    >>> sorted(persons_to_sit_out(units, dict.fromkeys("abcde", 0) | {"f": 1}, 4, None))
    ['b', 'c']
    """
    size, sides = side_size(players), len(SIDES[players])
    turn = {unit: (max(rested.get(one, 0) for one in unit), at) for at, unit in enumerate(units)}
    whole = [unit for unit in units if len(unit) == size]
    alone = sorted((unit for unit in units if len(unit) < size), key=turn.__getitem__)
    possible = (len(whole) + len(alone) // size) // sides
    tables = possible if room is None else min(possible, room)
    left = sum(map(len, units)) - tables * sides * size
    out = list(alone.pop(0)) if left % size else []
    couples = {
        one + other: turn[other] for one, other in zip(alone[::2], alone[1::2], strict=False)
    }
    in_turn = sorted([*whole, *couples], key=lambda unit: turn.get(unit) or couples[unit])
    return frozenset([*out, *(one for unit in in_turn[: left // size] for one in unit)])


def persons_by_seat(table: DrawnTable, players: int) -> dict[str, str]:
    """Who sits where at a table: partners opposite, in the order of their side."""
    waiting = {side: list(persons) for side, persons in zip("ABC", table.sides, strict=False)}
    return {seat: waiting[side_of(seat)].pop(0) for seat in SEATS[players]}


def _group_into_sides(persons: Sequence[PersonId], size: int) -> list[DrawnSide]:
    """Sides of ``size`` persons, in order; those left over are in none."""
    return [tuple(persons[at : at + size]) for at in range(0, len(persons) - size + 1, size)]


def _group_into_tables(sides: Sequence[DrawnSide], players: int) -> tuple[DrawnTable, ...]:
    """Tables from 1, in the order of the sides; sides left over are at none."""
    size = len(SIDES[players])
    places = range(0, len(sides) - size + 1, size)
    return tuple(
        DrawnTable(number, tuple(sides[at : at + size])) for number, at in enumerate(places, 1)
    )


_STARTS: Final = 1_000
"""Starts of a draw, times the square of its persons: few are drawn more often than many."""
_PARTNERS_FIRST: Final = 1_000_000
"""What partners who meet again weigh against opponents who do: more than all of these together."""
_TwoSides: TypeAlias = tuple[DrawnSide, DrawnSide]


class Meetings(NamedTuple):
    """How often two persons were partners, and how often opponents; in both orders of the two."""

    partners: Counter[tuple[PersonId, PersonId]]
    opponents: Counter[tuple[PersonId, PersonId]]


def count_meetings(rounds: Iterable[Iterable[DrawnTable]]) -> Meetings:
    """Who met whom in rounds.

    >>> met = count_meetings([[DrawnTable(1, (("a", "b"), ("c", "d")))]])
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


def weight_of_earlier_meetings(sides: Sequence[Sequence[PersonId]], met: Meetings) -> int:
    """Weight of how often those of one table met before; partners weigh more.

    The sum of squares, so that frequent meetings weigh more.
    """
    found = sum(met.partners[pair] ** 2 for side in sides for pair in combinations(side, 2))
    found *= _PARTNERS_FIRST
    for ours, theirs in combinations(sides, 2):
        found += sum(met.opponents[one, other] ** 2 for one in ours for other in theirs)
    return found


def tables_by_fewest_meetings(
    seed: str,
    seal: str,
    persons: Sequence[PersonId],
    together: Sequence[DrawnSide],
    rounds: Iterable[Iterable[DrawnTable]],
    players: int,
) -> tuple[DrawnTable, ...]:
    """Tables at which those meet who met least in the rounds before.

    Drawn by the seed several times, each time improved by exchanges; the first of the best stays.

    >>> first = tables_by_fewest_meetings("Calamocha", "seal ", "abcdefgh", (), (), 4)
    >>> second = tables_by_fewest_meetings("Calamocha", "seal ", "abcdefgh", (), [first], 4)
    >>> [weight_of_earlier_meetings(table.sides, count_meetings([first])) for table in second]
    [0, 0]
    """
    met = count_meetings(rounds)
    best: tuple[DrawnTable, ...] = ()
    least: int | None = None
    for start in range(max(1, _STARTS // max(1, len(persons) ** 2))):
        begun = f"{seal}start {start} " if start else seal
        drawn = _improve(tables_by_seed(seed, begun, persons, together, players), together, met)
        left = sum(weight_of_earlier_meetings(table.sides, met) for table in drawn)
        if least is None or left < least:
            best, least = drawn, left
        if not least:
            break
    return best


def _improve(
    tables: tuple[DrawnTable, ...], together: Iterable[DrawnSide], met: Meetings
) -> tuple[DrawnTable, ...]:
    """The tables after all exchanges that make them more even."""
    hall = _Hall(tables, together, met)
    places = range(len(hall.sides))
    while sum(hall.make_best_exchange(one, other) for one, other in combinations(places, 2)):
        pass
    return hall.tables


class _Hall:
    """Tables of a draw in progress.

    It exchanges whole sides, and persons of sides that may be parted.
    """

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

    def make_best_exchange(self, one: int, other: int) -> bool:
        """Do the best exchange between two sides; returns whether their tables are more even."""
        at = {one // self._a_table, other // self._a_table}
        before = self.sides[one], self.sides[other]
        best, least = before, self._weigh(at)
        if not least:
            return False
        for sides in self._results_of_exchange(*before):
            self.sides[one], self.sides[other] = sides
            if (left := self._weigh(at)) < least:
                best, least = sides, left
        self.sides[one], self.sides[other] = best
        return best != before

    def _weigh(self, tables: Iterable[int]) -> int:
        return sum(weight_of_earlier_meetings(self._sides_at(table), self._met) for table in tables)

    def _results_of_exchange(self, ours: DrawnSide, theirs: DrawnSide) -> Iterator[_TwoSides]:
        """Possible results of an exchange.

        The two sides in each other's places, or one person of each exchanged.
        """
        yield theirs, ours
        if self._kept.isdisjoint((ours, theirs)):
            for mine, yours in product(ours, theirs):
                yield _replace_person(ours, mine, yours), _replace_person(theirs, yours, mine)


def _replace_person(side: DrawnSide, old: PersonId, new: PersonId) -> DrawnSide:
    return tuple(new if one == old else one for one in side)


def mean_strength(strengths: Mapping[PersonId, int], unit: DrawnSide) -> float:
    """Mean strength of who plays together, or of one person alone."""
    return sum(strengths[one] for one in unit) / len(unit)


def persons_at_tables(tables: Iterable[DrawnTable]) -> list[PersonId]:
    """Everybody who plays at some tables."""
    return [one for table in tables for side in table.sides for one in side]
