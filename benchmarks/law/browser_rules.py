"""Time of the rules in the browser: a record read anew, a card more, cards tinted, slips.

``python -m benchmarks.law.browser_rules`` prints a line for the machine as it is,
and one for it six times slower, like a cheap tablet.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from benchmarks.law.static_files import serving
from tests.api.tablet.vectors.positions import frozen_values, partida_played
from tests.support.browser.in_browser import running

TIMES = 15
SEEDS = 300
TIMED = """async ([history, times]) => {
  const rules = await import("/static/tablet/rules/index.js");
  const { setting, log, twice } = history;
  const before = rules.read(log.slice(0, -1), setting);
  const timed = (what) => {
    const taken = [];
    for (let n = 0; n < times; n += 1) {
      const begun = performance.now();
      for (let again = 0; again < 10; again += 1) what();
      taken.push((performance.now() - begun) / 10);
    }
    return taken.sort((one, other) => one - other)[Math.floor(times / 2)];
  };
  return {
    read: timed(() => rules.read(log, setting)),
    evolve: timed(() => rules.evolve(before, log.at(-1))),
    tint: timed(() => rules.tint(before, before.deals.at(-1).turn)),
    next: timed(() => rules.next(before)),
    slips: timed(() => rules.slips(log.slice(0, -1), setting, twice)),
  };
}"""


def record() -> dict[str, Any]:
    """Log of the longest of many partidas up to a card of its last trick, and one laid twice."""
    seed = max(range(SEEDS), key=lambda one: len(partida_played(one)[1]))
    options, played = partida_played(seed)
    acts = [msgspec.to_builtins(act) for act in played]
    cards = [place for place, act in enumerate(acts) if act["kind"] == "card"]
    now, earlier = acts[cards[-2]], acts[cards[-3]]
    return {
        "setting": {"options": frozen_values(options), "dealer_due": ""},
        "log": [{"line": n, "act": act} for n, act in enumerate(acts[: cards[-2] + 1], 1)],
        "twice": {**now, "card": earlier["card"]},
    }


def main() -> None:
    """Fold it many times at each speed; medians."""
    history = record()
    with running() as browser, serving() as address:
        page = browser.new_page()
        page.goto(address)
        speed = page.context.new_cdp_session(page)
        for slower in (1, 6):
            speed.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            found = page.evaluate(TIMED, [history, TIMES])
            rounded = {name: round(ms, 2) for name, ms in found.items()}
            print(f"{len(history['log'])} acts, {slower}x slower: {json.dumps(rounded)}")


if __name__ == "__main__":
    main()
