"""Time of the players of a club: import of a list, search, merge, export.

``python -m benchmarks.club.players [PLAYERS]`` prints a table; figures of queries are medians.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from api.club.players_csv import MOST_LINES
from tests.support.servers.http_table import HttpTable

TIMES = 15
PLAYERS = "/api/v1/players"


def taken_ms(do: Callable[[], object]) -> float:
    """Time of one call."""
    begun = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - begun)


def median_ms(do: Callable[[], object]) -> float:
    """Median time of one call."""
    return statistics.median(taken_ms(do) for _ in range(TIMES))


def main(count: int) -> None:
    """Import a list, and query it."""
    lines = [f"Jugador Apellido {n};Apodo {n};Club {n % 30}" for n in range(count)]
    text = "\n".join(lines)
    with tempfile.TemporaryDirectory() as folder, closing(HttpTable(Path(folder))) as table:
        print(f"| {count:,} players | ms |\n|---|---|")
        print(
            f"| taken in | {taken_ms(lambda: table.post(f'{PLAYERS}/file', {'text': text})):.0f} |"
        )
        asked = {
            "the page of all": "/jugadores/",
            "the page of who was sought": f"/jugadores/?q={count - 1}",
            "suggestions of the tablet": "/api/v1/persons?q=jug",
            "sent out": f"{PLAYERS}/file",
        }
        for what, path in asked.items():
            table.get(path)
            print(f"| {what} | {median_ms(lambda path=path: table.get(path)):.0f} |")
        look = median_ms(lambda: table.post(f"{PLAYERS}/file/preview", {"text": text}))
        print(f"| looked at again | {look:.0f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else MOST_LINES)
