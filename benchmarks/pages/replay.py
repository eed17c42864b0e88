"""A step of the replay in Chromium, and its first paint.

``PYTHONPATH=. python -m benchmarks.pages.replay [--old REVISION] [--rounds N] [--slower TIMES]``;
with ``--old`` also for that revision of the program, in turns, and with ``--slower`` as a processor
so many times slower would.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser

from benchmarks.older import programs
from benchmarks.pages.tap_times import busy_ms, percentile
from tests.support.browser.in_browser import running
from tests.support.browser.pages import TABLET, site, visiting
from tests.support.browser.replayed import Club, whole

STEPS = 40
_STEPPED = """async (steps) => {
  const taken = [];
  for (let n = 0; n < steps; n += 1) {
    const begun = performance.now();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    taken.push(performance.now() - begun);
  }
  return taken;
}"""
_FIRST = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def replayed(browser: Browser, root: Path, slower: float) -> dict[str, Any]:
    """Milliseconds to the first paint, of each step, and of the processor for all steps."""
    with tempfile.TemporaryDirectory() as store, site(Path(store), root) as served:
        acts = [msgspec.to_builtins(act) for act in whole(11, observed=True)]
        path = f"{Club(served).partida('club', acts)}?linea=1"
        with visiting(browser, served, path, signed_in=True, **TABLET) as page:
            page.wait_for_selector(".seat")
            page.wait_for_load_state("networkidle")
            first = page.evaluate(_FIRST)
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            before = busy_ms(session)
            steps = page.evaluate(_STEPPED, STEPS)
            assert f"linea={STEPS + 1}" in page.url
            return {"first": first, "steps": steps, "busy": busy_ms(session) - before}


def main() -> None:
    """Print first paint, median and 95th percentile of a step, and its processor time, in ms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", help="revision to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slower", type=float, default=1, help="slow the processor down")
    asked = parser.parse_args()
    found = defaultdict(list)
    with programs(asked.old) as roots, running() as browser:
        for _ in range(asked.rounds):
            for name, root in roots.items():
                found[name].append(replayed(browser, root, asked.slower))
    for name, rounds in found.items():
        steps = sorted(ms for one in rounds for ms in one["steps"])
        first = sorted(one["first"] for one in rounds)[len(rounds) // 2]
        busy = sum(one["busy"] for one in rounds) / len(steps)
        middle, slow = percentile(steps, 50), percentile(steps, 95)
        times = f"a step {middle:.0f}, p95 {slow:.0f}, CPU {busy:.1f}"
        print(f"{name}: first paint {first:.0f} ms, {times}")
    print("load", *(f"{one:.1f}" for one in os.getloadavg()))


if __name__ == "__main__":
    main()
