"""Time from a tap on the pad of the tablet to what it paints.

``PYTHONPATH=. python -m benchmarks.pages.tap [--old REVISION] [--rounds N] [--slower TIMES ...]``
keys a whole deal of forty cards in Chromium, over a real server, as the machine is and six times
slower, or so many times; with ``--old`` also for that revision of the program, in turns. It also
prints the processor time of the page for a tap, sending included, which depends less on the load
of the machine.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.older import programs
from benchmarks.pages.tap_times import Tapped, percentile, tapped_deal
from tests.support.browser.in_browser import running
from tests.support.browser.pages import site

SPEEDS = (1, 6)


def tapped(browser: Browser, root: Path, slower: int) -> Tapped:
    """A deal, by the program in a folder."""
    with tempfile.TemporaryDirectory() as store, site(Path(store), root) as served:
        return tapped_deal(browser, served, slower)


def summary(deals: list[Tapped]) -> str:
    """All taps of some deals in a line."""
    taken = sorted(ms for deal in deals for ms in deal.taken)
    middle, slow = percentile(taken, 50), percentile(taken, 95)
    busy = sum(deal.busy_ms for deal in deals) / len(taken)
    return f"{len(taken)} taps, median {middle:.0f}, p95 {slow:.0f}, CPU a tap {busy:.0f} ms"


def main() -> None:
    """Print median and 95th percentile of each program at each speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", help="revision to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slower", type=int, nargs="+", default=SPEEDS)
    asked = parser.parse_args()
    found: dict[tuple[int, str], list[Tapped]] = defaultdict(list)
    with programs(asked.old) as roots, running() as browser:
        for _ in range(asked.rounds):
            for slower in asked.slower:
                for name, root in roots.items():
                    found[slower, name].append(tapped(browser, root, slower))
    for (slower, name), deals in found.items():
        print(f"{slower}x slower, {name}: {summary(deals)}")
    print("load", *(f"{one:.1f}" for one in os.getloadavg()))


if __name__ == "__main__":
    main()
