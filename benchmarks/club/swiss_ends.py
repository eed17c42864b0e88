"""Random Swiss tournaments to their last round: how many come to a dead end, and rematches.

    python -m benchmarks.club.swiss_ends [--number 10000] [--method ahead] [--calm]

4 to 40 pairs over 2 to 12 rounds, up to 16 of them also over as many as there are opponents: pairs
stay away for a round, withdraw, come late; ``--calm``: nobody does. Printed: histories with a dead
end (a round that is refused), with a rematch or a second bye; the longest time of a round.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from time import process_time

from msgspec.structs import replace

from referee.aggregates.tournament.formats.outlook import (
    next_round_leaving_later_rounds,
    rematches_of_round,
)
from referee.aggregates.tournament.formats.swiss import next_swiss_round
from referee.aggregates.tournament.history import Entrant, History, PlayedPairing, Round
from referee.errors import Refused

LONG = 16
"""Pairs of a tournament in which each may be to meet each."""
Draw = Callable[[History, frozenset[str], int], Round]


class RandomSwiss:
    """A tournament with random results, absences, withdrawals and late entries."""

    def __init__(
        self, chance: random.Random, draw: Draw, *, pairs: int, rounds: int, is_calm: bool
    ) -> None:
        self.chance, self.draw, self.rounds, self.is_calm = chance, draw, rounds, is_calm
        self.history = History(tuple(Entrant(str(n)) for n in range(1, pairs + 1)))
        self.slowest = 0.0

    def play(self) -> History:
        """All rounds.

        :raises Refused: there is a dead end
        """
        for number in range(1, self.rounds + 1):
            if number > 1 and not self.is_calm:
                self.change(number)
            begun = process_time()
            drawn = self.draw(self.history, self.absent(), self.rounds - number)
            self.slowest = max(self.slowest, process_time() - begun)
            met = tuple(
                PlayedPairing(number, two, self.chance.choice((*two, *two, "")))
                for two in drawn.pairings
            )
            history = self.history
            self.history = replace(
                history, rounds=(*history.rounds, drawn), met=(*history.met, *met)
            )
        return self.history

    def change(self, number: int) -> None:
        entrants = list(self.history.entrants)
        here = [at for at, one in enumerate(entrants) if one.is_in_round(number)]
        if len(here) > 4 and self.chance.random() < 0.15:
            at = self.chance.choice(here)
            entrants[at] = replace(entrants[at], until=number - 1)
        if self.chance.random() < 0.15 and len(here) < 40:
            entrants.append(Entrant(str(len(entrants) + 1), since=number))
        self.history = replace(self.history, entrants=tuple(entrants))

    def absent(self) -> frozenset[str]:
        there = self.history.pairs_in_next_round()
        away = 0 if self.is_calm else self.chance.choice((0, 0, 0, 1, 1, 2))
        return frozenset(self.chance.sample(there, min(away, len(there) - 2)))


def random_swiss(number: int, draw: Draw, *, is_calm: bool = False) -> RandomSwiss:
    """The tournament of a number: the same for each of them."""
    chance = random.Random(number)
    pairs = chance.randint(4, 40)
    most = pairs - 1 + pairs % 2
    is_long = pairs <= LONG and chance.random() < 0.3
    rounds = most if is_long else chance.randint(2, min(12, most))
    return RandomSwiss(chance, draw, pairs=pairs, rounds=rounds, is_calm=is_calm)


def repeats(history: History) -> int:
    """Rematches and second byes of a tournament."""
    return sum(
        len(rematches_of_round(history.rounds, at)) for at in range(1, len(history.rounds) + 1)
    )


METHODS: dict[str, Draw] = {
    "ahead": next_round_leaving_later_rounds,
    "round": lambda history, absent, _: next_swiss_round(history, absent),
}


def main() -> None:
    read = argparse.ArgumentParser()
    read.add_argument("--number", type=int, default=10_000)
    read.add_argument("--method", choices=METHODS, default="ahead")
    read.add_argument("--calm", action="store_true")
    asked = read.parse_args()
    found: Counter[str] = Counter()
    slowest = 0.0
    for number in range(asked.number):
        one = random_swiss(number, METHODS[asked.method], is_calm=asked.calm)
        try:
            found["with repeats"] += repeats(one.play()) > 0
        except Refused as wrong:
            found[f"dead end: {wrong.rule.value}"] += 1
        slowest = max(slowest, one.slowest)
    print(f"{asked.number} histories, {dict(found)}, slowest round {slowest * 1000:.0f} ms")


if __name__ == "__main__":
    main()
