"""``guinote-law`` as it is installed: how long its import takes, and how many plays it makes.

``python -m benchmarks.law.library [--rounds 30]``. It builds the wheel, installs it with what it
needs and nothing else, and starts a new process for each figure. Processor time, with bytecode that
was compiled before: the median, the least and the most.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path

from tests.support.kit import own_library

GOAL_MS = 60
TIMED = "import time; began = time.process_time(); {}; print((time.process_time() - began) * 1000)"
IMPORTS = {
    "import guinote_law": "import guinote_law",
    "the same, and a record read": (
        "import guinote_law; guinote_law.Partida.from_record('reparto B2')"
    ),
    "msgspec alone, which it needs": "import msgspec",
}
PLAYS = """
import time
from guinote_law import Deal, Partida

partidas = []
for seed in range(50):
    partidas.append(Partida())
    partidas[-1].push(Deal.random(seed))
began, played = time.process_time(), 0
for partida in partidas:
    while partida.whose_turn:
        partida.push(next(iter(partida.lawful)))
        played += 1
print(played / (time.process_time() - began))
"""


def measure(python: Path, program: str, rounds: int) -> str:
    """Median, least and most of what a program prints, each time in a new process."""
    command = [python, "-I", "-c", program]
    found = [float(subprocess.check_output(command)) for _ in range(rounds)]
    return f"{statistics.median(found):10,.1f} [{min(found):,.1f}-{max(found):,.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        python = own_library.install(own_library.built(folder / "wheel"), folder / "venv")
        for name, program in IMPORTS.items():
            print(f"{name:32} {measure(python, TIMED.format(program), rounds)} ms")
        print(f"{'goal of the first':32} {GOAL_MS:10} ms")
        print(f"{'plays a second of a Partida':32} {measure(python, PLAYS, 5)}")


if __name__ == "__main__":
    main()
