"""Mutation score of each room: of a random sample, ``count.py SEED``, or of all, ``count.py all``.

Exits with 1 below the bound. In a sample each file has its share, and each mutant of a room the
same chance. The seed and the commit decide which mutants these are, so that anybody can repeat a
count. What the near tests do not kill gets a second look. Verdicts are kept: a count goes on where
it was stopped.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tomllib
from math import sqrt
from pathlib import Path

from tests.mutation.second_look import MADE, WORKSPACE, look_again

BOUND = 95.0
SIZES = {"table": 200, "rules": 120}
ANY = "referee.rules.seats.x_next_seat__mutmut_1"
"""Before mutmut tries one, it makes all mutants, and sees which tests enter which function."""
NAMES, VERDICTS = WORKSPACE / "trials.txt", WORKSPACE / "trials.json"
Z = 1.96
"""Standard deviations to either side of which 95 % of a normal distribution lie."""
SETTINGS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
ENV = {**os.environ, "CI": "1", "PYTHONPATH": "."}


def made() -> dict[str, list[str]]:
    """Names of all mutants, by the file they are in."""
    if not (MADE / "mutmut-stats.json").exists():
        mutmut = Path(sys.executable).with_name("mutmut")
        subprocess.run(
            [mutmut, "run", "--max-children", "2", ANY], cwd=WORKSPACE, env=ENV, check=True
        )
    found = {}
    for meta in sorted((MADE / "referee").rglob("*.py.meta")):
        names = sorted(json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"])
        if names:
            found[str(meta.relative_to(MADE / "referee")).removesuffix(".meta")] = names
    return found


def drawn(files: list[list[str]], size: int, seed: int) -> list[str]:
    """A sample of the mutants of these files: one in so many, of the files in turn, each shuffled."""
    chance = random.Random(seed)
    order = [mutant for file in files for mutant in chance.sample(file, len(file))]
    step = len(order) / size
    start = chance.random() * step
    return [order[int(start + step * i)] for i in range(size)]


def tried(mutants: list[str]) -> dict[str, bool]:
    """Whether the near tests kill each of these mutants."""
    known = json.loads(VERDICTS.read_text(encoding="utf-8")) if VERDICTS.exists() else {}
    left = [mutant for mutant in mutants if mutant not in known]
    if left:
        NAMES.write_text("\n".join(left), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "--rootdir=.", "-n", "0", "-q"]
        command += ["--tb=native", "--assert=plain"]  # the source of the copy is long to show
        command += ["-p", "tests.mutation.trials", f"--mutants={NAMES.resolve()}"]
        command += SETTINGS["pytest_add_cli_args"] + SETTINGS["pytest_add_cli_args_test_selection"]
        subprocess.run(command, cwd=MADE, env=ENV, check=True)
        known = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return {mutant: known[mutant] for mutant in mutants}


def interval(killed: int, total: int) -> tuple[float, float]:
    """Bounds in percent within which the score of all mutants lies, 19 times in 20 (Wilson)."""
    part, spread = killed / total, Z * Z / total
    middle = part + spread / 2
    reach = Z * sqrt(part * (1 - part) / total + spread / total / 4)
    return 100 * (middle - reach) / (1 + spread), 100 * (middle + reach) / (1 + spread)


def main(chosen: str) -> int:
    """Try a sample of each room, or all, and print the score and the survivors."""
    counted = {}
    for room, size in SIZES.items():
        files = [names for file, names in made().items() if file.startswith(room)]
        is_whole = chosen == "all"
        number, seed = (sum(map(len, files)), 0) if is_whole else (size, int(chosen))
        counted[room] = drawn(files, number, seed)
    killed = tried([mutant for mutants in counted.values() for mutant in mutants])
    killed |= look_again([mutant for mutant, is_killed in killed.items() if not is_killed])
    scores = []
    for room, mutants in counted.items():
        alive = [mutant for mutant in mutants if not killed[mutant]]
        total, dead = len(mutants), len(mutants) - len(alive)
        low, high = interval(dead, total)
        scores.append(100 * dead / total)
        what = f"{dead} of {total} killed, {scores[-1]:.1f} % (95 %: {low:.1f} to {high:.1f})"
        print(f"{room}, {chosen}: {what}", *alive, sep="\n  ")
    return int(min(scores) < BOUND)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
