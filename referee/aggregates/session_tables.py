"""Who plays whom of an evening: by a seed that anybody can repeat, by strength, or by hand.

``docs/law/seasons.md`` gives both ways in words, with an example.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.events import DrawnSide, DrawnTable, PersonId
from referee.rules.chance import shuffled_by
from referee.rules.seats import SEATS, SIDES, side_of


def side_size(players: int) -> int:
    """Persons on a side of a table, by its number of players.

    >>> [side_size(players) for players in (2, 3, 4)]
    [1, 1, 2]
    """
    return len(SEATS[players]) // len(SIDES[players])


def seal_of(date: str, number: int) -> str:
    """Text that the n-th draw of an evening mixes with its seed, so that no two draws are alike."""
    return f"guinote session 1 {date} {number} "


def tables_by_seed(
    seed: str, seal: str, persons: Iterable[PersonId], together: Iterable[DrawnSide], players: int
) -> tuple[DrawnTable, ...]:
    """Tables as a seed draws them: first partners for those who have none, then who meets whom.

    Persons come in the order of their ids. Those left over at the end of either draw sit out.

    >>> drawn = tables_by_seed("Calamocha", seal_of("2026-11-21", 1), "abcdefgh", (), 4)
    >>> [table.sides for table in drawn]
    [(('b', 'c'), ('a', 'e')), (('f', 'd'), ('g', 'h'))]
    """
    kept = sorted(together)
    alone = sorted(set(persons) - {one for side in kept for one in side})
    drawn = shuffled_by(f"{seal}partners\n".encode(), seed, alone)
    sides = [*kept, *_sides_of(drawn, side_size(players))]
    return _tables_of(shuffled_by(f"{seal}tables\n".encode(), seed, sides), players)


def tables_by_strength(
    strengths: Mapping[PersonId, int], together: Iterable[DrawnSide], players: int
) -> tuple[DrawnTable, ...]:
    """Tables of equals: the strongest goes with the weakest, then sides of like strength meet.

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
    return _tables_of(sides, players)


def sit_out(
    units: Sequence[DrawnSide], rested: Mapping[PersonId, int], players: int, room: int | None
) -> frozenset[PersonId]:
    """Who sits out, so that all others fit at full tables: those who did so least often.

    ``units``: sides that stay together and single persons, in the order in which they sit out if
    they are equal. ``room``: number of tables; None for no limit.

    >>> units = [("a",), ("b", "c"), ("d", "e"), ("f",)]
    >>> sorted(sit_out(units, dict.fromkeys("abcde", 0) | {"f": 1}, 4, None))
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


def seats_of(table: DrawnTable, players: int) -> dict[str, str]:
    """Who sits where at a table: partners opposite, in the order of their side."""
    waiting = {side: list(persons) for side, persons in zip("ABC", table.sides, strict=False)}
    return {seat: waiting[side_of(seat)].pop(0) for seat in SEATS[players]}


def _sides_of(persons: Sequence[PersonId], size: int) -> list[DrawnSide]:
    """Sides of ``size`` persons, in order; those left over are in none."""
    return [tuple(persons[at : at + size]) for at in range(0, len(persons) - size + 1, size)]


def _tables_of(sides: Sequence[DrawnSide], players: int) -> tuple[DrawnTable, ...]:
    """Tables from 1, in the order of the sides; sides left over are at none."""
    size = len(SIDES[players])
    places = range(0, len(sides) - size + 1, size)
    return tuple(
        DrawnTable(number, tuple(sides[at : at + size])) for number, at in enumerate(places, 1)
    )
