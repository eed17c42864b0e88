"""Every fault, one after another, with a line each; ends with 1 if any check failed.

python -m tests.chaos [sqlite] [postgresql] [--only FAULT] [--within SECONDS]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.chaos import faults
from tests.chaos.checks import CAUGHT_UP_S
from tests.chaos.houses import ChaosHouse, OneComputer, TwoComputers
from tests.chaos.run import strike, written
from tests.support.kit.replicated import replicated
from tests.support.servers.own_postgres import found


def run(house: ChaosHouse, strikes: Sequence[Callable[[Any], None]], within_s: float) -> int:
    """A line for each fault; the number of those after which a check failed."""
    failed = 0
    with closing(house), written(house) as writers:
        for one in strikes:
            try:
                said = strike(one, house, writers, within_s=within_s)
            except AssertionError as error:
                failed += 1
                said = f"{house.name:<11}{one.__name__:<19}FAILED {error}"
            print(said, flush=True)
        print(f"{house.name}: {sum(one.acknowledged for one in writers)} acts acknowledged")
    return failed


def main() -> None:
    """Run what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("houses", nargs="*", default=["sqlite", "postgresql"])
    asked.add_argument("--only", action="append", default=[])
    asked.add_argument("--within", type=float, default=CAUGHT_UP_S, help="seconds of the views")
    given = asked.parse_args()
    failed = 0

    def chosen(every: Sequence[Any]) -> list[Any]:
        return [one for one in every if not given.only or one.__name__ in given.only]

    with tempfile.TemporaryDirectory() as name:
        if "sqlite" in given.houses:
            house = OneComputer(Path(name) / "one")
            failed += run(house, chosen(faults.OF_SQLITE), given.within)
        if "postgresql" in given.houses and found() is None:
            print("SKIPPED postgresql: install its server")
        elif "postgresql" in given.houses:
            with replicated() as server:
                pair = TwoComputers(Path(name) / "two", server)
                failed += run(pair, chosen(faults.OF_POSTGRESQL), given.within)
    for one in faults.NOT_BUILT:
        print(f"SKIPPED, not built: {one}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
