"""How evenly persons change partners and opponents in an evening: tables by seed, and by rotation.

    python -m benchmarks.club.rotation [--evenings 1000]

Random evenings of 8 to 24 persons and 3 to 8 rounds; before each round but the first one person in
ten leaves, and as many others come. The spread of an evening is between the two of those who were
there to the end, and from the first round, that were partners most often and least often.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from time import process_time
from typing import NamedTuple, TypeAlias

from referee import events as ev
from referee.aggregates import session
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.session import Session, draw_by_fewest_meetings, draw_by_seed
from referee.aggregates.session_tables import count_meetings
from referee.rules.profile.profile import profile

Draw: TypeAlias = Callable[..., ev.TablesDrawn]


class EveningSpread(NamedTuple):
    """Of an evening: spread of partners and of opponents, partners that met again, slowest draw."""

    partners: int
    opponents: int
    again: int
    seconds: float


def evening(draw: Draw, chance: random.Random) -> EveningSpread:
    state = session.evolve(
        session.INITIAL, ev.SessionOpened("2026-11-21", freeze_profile(profile("club"), 4))
    )
    persons, rounds, slowest = chance.randint(8, 24), chance.randint(3, 8), 0.0
    state = with_persons(state, [f"{n:03}" for n in range(persons)])
    stayed = set(state.present)
    for number in range(rounds):
        if number:
            state = with_changes(state, chance, f"late {number}")
            stayed &= set(state.present)
        rested = {one: state.sit_out_counts.get(one, 0) for one in state.present}
        begun = process_time()
        drawn = draw(state, f"seed {chance.random()}", rested=rested)
        slowest = max(slowest, process_time() - begun)
        opened = ev.TablesOpened(tuple(str(table.number) for table in drawn.tables))
        state = session.evolve(session.evolve(state, drawn), opened)
    met = count_meetings(state.tables_by_round)
    both = list(combinations(sorted(stayed), 2))
    partners, opponents = ([counts[pair] for pair in both] for counts in met)
    again = sum(times - 1 for times in met.partners.values() if times > 1) // 2
    return EveningSpread(spread(partners), spread(opponents), again, slowest)


def spread(times: list[int]) -> int:
    return max(times, default=0) - min(times, default=0)


def with_persons(state: Session, persons: list[str]) -> Session:
    for one in persons:
        state = session.evolve(state, ev.PlayerCame(one))
    return state


def with_changes(state: Session, chance: random.Random, name: str) -> Session:
    """The evening after some have left, and as many others have come."""
    leaving = [one for one in state.present if chance.random() < 0.1]
    for one in leaving:
        state = session.evolve(state, ev.PlayerLeft(one))
    return with_persons(state, [f"{name} {n}" for n in range(len(leaving))])


def main() -> None:
    read = argparse.ArgumentParser()
    read.add_argument("--evenings", type=int, default=1000)
    asked = read.parse_args()
    draws: dict[str, Draw] = {"seed": draw_by_seed, "rotation": draw_by_fewest_meetings}
    for name, draw in draws.items():
        found = [evening(draw, random.Random(n)) for n in range(asked.evenings)]
        print(f"{name}: evenings by spread of partners {counted([one.partners for one in found])}")
        print(f"  by spread of opponents {counted([one.opponents for one in found])}")
        again = statistics.fmean(one.again for one in found)
        slowest = sorted(one.seconds for one in found)
        print(
            f"  partners again, an evening: {again:.2f}; slowest draw of an evening: median "
            f"{statistics.median(slowest) * 1000:.0f} ms, of all {slowest[-1] * 1000:.0f} ms"
        )


def counted(spreads: list[int]) -> str:
    return ", ".join(f"{one}: {times}" for one, times in sorted(Counter(spreads).items()))


if __name__ == "__main__":
    main()
