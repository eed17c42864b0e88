"""Time to pair a round of a Swiss tournament and to work its table out, in one process.

    python -m benchmarks.club.pairing [--pairs 512] [--rounds 12] [--times 5]

Random results by strength, a walk-in every round, one pair in fifty absent; processor time of
``next_swiss_round`` and of ``standings``, each alone: median with the lowest and highest of several
tournaments, round by round.
"""

from __future__ import annotations

import argparse
import random
import statistics
from time import process_time

from msgspec.structs import replace

from referee.aggregates.tournament.formats.standings import standings
from referee.aggregates.tournament.formats.swiss import next_swiss_round
from referee.aggregates.tournament.history import Entrant, History, PlayedPairing


def tournament(pairs: int, rounds: int, chance: random.Random) -> list[tuple[float, float]]:
    """Seconds for each round: to pair it, and its table once it is played."""
    history = History(tuple(Entrant(f"P{n}") for n in range(pairs)))
    strength = {one.pair: chance.gauss() for one in history.entrants}
    found = []
    for number in range(1, rounds + 1):
        if number > 1:
            late = Entrant(f"late {number}", since=number)
            strength[late.pair] = chance.gauss()
            history = replace(history, entrants=(*history.entrants, late))
        absent = frozenset(chance.sample(history.pairs, pairs // 50)) if number > 1 else frozenset()
        begun = process_time()
        drawn = next_swiss_round(history, absent)
        paired = process_time() - begun
        met = tuple(
            PlayedPairing(
                number,
                pairing,
                max(pairing, key=lambda p: strength[p] + chance.gauss()),
                partidas=(chance.randint(0, 3), chance.randint(0, 3)),
            )
            for pairing in drawn.pairings
        )
        history = replace(history, rounds=(*history.rounds, drawn), met=(*history.met, *met))
        begun = process_time()
        standings(history, lot_seed="a seed that was published")
        found.append((paired, process_time() - begun))
    return found


def main() -> None:
    read = argparse.ArgumentParser()
    read.add_argument("--pairs", type=int, default=512)
    read.add_argument("--rounds", type=int, default=12)
    read.add_argument("--times", type=int, default=5)
    asked = read.parse_args()
    runs = [tournament(asked.pairs, asked.rounds, random.Random(n)) for n in range(asked.times)]
    for number, times in enumerate(zip(*runs, strict=True), 1):
        pairing, table = zip(*times, strict=True)
        print(f"round {number:2}: paired {figure(pairing)}, table {figure(table)}")
    for name, column, goal_ms in (("pairing", 0, 2000), ("table", 1, 100)):
        slowest = max(one[column] for run in runs for one in run)
        print(f"slowest {name}: {slowest * 1000:.0f} ms (goal {goal_ms})")


def figure(times: tuple[float, ...]) -> str:
    least, most = min(times) * 1000, max(times) * 1000
    return f"{statistics.median(times) * 1000:.1f} ms [{least:.1f}-{most:.1f}]"


if __name__ == "__main__":
    main()
