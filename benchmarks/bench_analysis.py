"""The engine of the analysis: cards of an arrastre, whole deals, evenings; in Python and in node.

``PYTHONPATH=. .venv/bin/python benchmarks/bench_analysis.py [DEALS]``. Processor time of random
deals, and nodes, which are the same on every machine.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from api.http.folders import static_file
from dev import node
from referee.analysis.asking import after, prices, reaches, value
from referee.analysis.engine import MODULE, engine_here
from referee.analysis.known import KnownPosition
from referee.rules.cards import cards_in
from referee.rules.profile.options import Options
from referee.rules.profile.profile import named
from tests.support.analysis.deals import known_arrastre
from tests.support.places import ROOT

WHOLE = 100_000_000
TIMER = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [script, module] = process.argv.slice(1);
const { openEngine } = await import(pathToFileURL(script));
const engine = await openEngine(readFileSync(module));
const took = [];
for (const known of JSON.parse(readFileSync(0, "utf8"))) {
  const before = process.cpuUsage();
  engine.prices(known);
  const { user, system } = process.cpuUsage(before);
  took.push([(user + system) / 1e6, engine.nodes]);
}
console.log(JSON.stringify(took));
"""


def main(deals: int) -> None:
    """A table, a row a kind of question."""
    engine_here()
    print("| question | deals | nodes | p50 | p95 | worst, ms |\n|---|---:|---:|---:|---:|---:|")
    arrastres = [known_arrastre(random.Random(f"bench {n}")) for n in range(deals)]
    row("arrastre of four, every card of the hand", arrastres, prices)
    row("… value", arrastres, value)
    row("… can a side reach 60", arrastres, lambda known: reaches(known, "A", 60))
    for name in ("guinyot", "escuela", "baraja-francesa"):
        row(f"… every card, `{name}`", some(deals, named(name).options(4)), prices)
    row("two players, every card", some(deals, Options(players=2)), prices)
    row("three players, every card", some(deals, Options(players=3)), prices)
    few = max(deals // 10, 1)
    earlier = some(few, Options(), stock_rounds=1)
    row("one trick earlier, stock known", earlier, lambda one: prices(one, most_nodes=WHOLE))
    whole = some(max(deals // 30, 1), named("sin-mazo").options(4), tricks=10)
    row("`sin-mazo`, ten tricks, value", whole, lambda one: value(one, most_nodes=WHOLE))
    in_node(arrastres)
    evening()


def some(deals: int, options: Options, **more: int) -> list[KnownPosition]:
    return [known_arrastre(random.Random(f"bench {n}"), options, **more) for n in range(deals)]


def row(
    name: str, positions: Iterable[KnownPosition], ask: Callable[[KnownPosition], object]
) -> None:
    took = []
    for known in positions:
        start = time.process_time()
        found = ask(known)
        took.append((time.process_time() - start, engine_here().sheet.nodes))
        assert found is not None
    shown(name, took)


def shown(name: str, took: list[tuple[float, int]]) -> None:
    nodes = sum(n for _, n in took) / len(took)
    ms = sorted(1e3 * seconds for seconds, _ in took)
    p50, p95 = (ms[int(len(ms) * part)] for part in (0.5, 0.95))
    print(
        f"| {name} | {len(ms)} | {nodes:,.0f} | {p50:.2f} | {p95:.2f} | {ms[-1]:.2f} |", flush=True
    )


def in_node(positions: list[KnownPosition]) -> None:
    """The same bytes in node: the first row again."""
    if not (program := node()):
        return
    module = ROOT / "referee" / "analysis" / MODULE
    said = subprocess.run(
        (program, "--input-type=module", "-e", TIMER, static_file("replay/engine.js"), module),
        input=json.dumps([known.data() for known in positions]),
        check=True,
        capture_output=True,
        text=True,
    )
    shown("arrastre of four, every card, node", json.loads(said.stdout))


def evening(arrastres: int = 32) -> None:
    """Every card of an evening: one after the other is laid, and priced before."""
    r, cards, start = random.Random(7), 0, time.process_time()
    for number in range(arrastres):
        known = known_arrastre(random.Random(f"evening {number}"))
        while known is not None:
            found = prices(known)
            assert found is not None
            cards += 1
            known = after(known, r.choice(cards_in(found.lawful)))
    took = time.process_time() - start
    print(f"\nan evening of {arrastres} arrastres, {cards} cards: {took:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1000)
