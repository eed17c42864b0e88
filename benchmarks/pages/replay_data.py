"""The data of a replay: time to make it, in words and under another profile, and its size.

``python -m benchmarks.pages.replay_data``. Processor time, best of the rounds.
"""

from __future__ import annotations

import statistics
import time

import msgspec

from api.replay.file import replay_html
from api.replay.replays import ReplayRequest, ReplaySource, replay_of
from referee.aggregates.encuentro import freeze_profile
from referee.aggregates.partida import fold
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile
from tests.support.records.dealt_out import Player, opened

PARTIDAS = 20
ROUNDS = 3
WISHES = {
    "everything": ReplayRequest(),
    "from a seat": ReplayRequest(seat="A1"),
    "another profile": ReplayRequest(profile="escuela"),
}


def main() -> None:
    """A table of medians and of the slowest."""
    club = freeze_profile(profile("club"), 4, 40)
    print("| data | acts | median | slowest | median size | file |\n|---|---:|---:|---:|---:|---:|")
    for observed in (True, False):
        histories = [history(seed, observed=observed) for seed in range(PARTIDAS)]
        acts = statistics.median(len(one) for one in histories)
        for name, asked in WISHES.items():
            times, sizes, files = [], [], []
            for acts_of in histories:
                best = min(timed(acts_of, club, asked) for _ in range(ROUNDS))
                replay = replay_of(ReplaySource(fold(acts_of), club), asked)
                times.append(best * 1000)
                sizes.append(len(msgspec.json.encode(replay)) / 1000)
                files.append(len(replay_html(replay).encode()) / 1000)
            kind = "observed" if observed else "open"
            print(
                f"| {kind}, {name} | {acts:.0f} | {statistics.median(times):.0f} ms |"
                f" {max(times):.0f} ms | {statistics.median(sizes):.0f} kB |"
                f" {statistics.median(files):.0f} kB |"
            )


def history(seed: int, *, observed: bool) -> list:
    player = Player(Options(), seed, observed=observed)
    player.breaches_left = 2
    player.partida()
    return [opened(Options()), *player.acts]


def timed(acts: list, club, asked: ReplayRequest) -> float:
    state = fold(acts)
    began = time.process_time()
    msgspec.json.encode(replay_of(ReplaySource(state, club), asked))
    return time.process_time() - began


if __name__ == "__main__":
    main()
