"""Time of the names: read, added, erased, in a store of some size.

``python -m benchmarks.club.persons [NAMES]`` prints a table. An erasure rewrites the file, so its
time grows with the store.
"""

from __future__ import annotations

import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from referee.people.persons import Persons

TIMES = 50


def median_ms(do: Callable[[], object]) -> float:
    """Median time of one call."""
    taken = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        do()
        taken.append(1000 * (time.perf_counter() - begun))
    return statistics.median(taken)


def main(count: int) -> None:
    """Fill a store and time it."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Persons(Path(folder) / "p.db", random=secrets.token_bytes)) as persons,
    ):
        ids = [persons.add_person(f"Persona número {n}") for n in range(count)]
        print(f"| {count:,} names | median ms |\n|---|---|")
        print(f"| read one | {median_ms(lambda: persons.name(ids[0])):.3f} |")
        print(f"| add one | {median_ms(lambda: ids.append(persons.add_person('Ana'))):.2f} |")
        print(f"| erase one | {median_ms(lambda: persons.erase(ids.pop())):.1f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000)
