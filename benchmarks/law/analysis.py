"""The engine of the analysis: cards of an arrastre, whole deals, evenings; also in browsers.

``.venv/bin/python -m benchmarks.law.analysis [DEALS]``. Processor time of random
deals, and nodes, which are the same on every machine. A browser tells no processor time: there it
is the clock, of each deal the least of three times, since other work beside it only adds.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Route

from api.http.folders import static_file_path
from dev import node
from referee.analysis.engine import MODULE, WHOLE_DEAL_NODES, engine_of_thread, wasm_base64
from referee.analysis.position import KnownPosition
from referee.analysis.questions import (
    can_make_points,
    card_prices_or_none,
    position_after_card_or_none,
    position_value_or_none,
)
from referee.rules.cards import cards_in
from referee.rules.profile.options import Options
from referee.rules.profile.profile import profile_by_id_at_edition
from tests.support.analysis.deals import known_arrastre
from tests.support.browser.in_browser import running
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

PAGE = """<!doctype html><meta charset="utf-8"><script type="text/plain" id="engine">{}</script>"""
IN_CHROMIUM = """async ([positions, times]) => {
  const { openEngine } = await import("/engine.js");
  const text = atob(document.getElementById("engine").textContent);
  const engine = await openEngine(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
  return positions.map((known) => [Math.min(...Array.from({ length: times }, () => {
    const start = performance.now();
    engine.prices(known);
    return (performance.now() - start) / 1e3;
  })), engine.nodes]);
}"""
FIRST_ANSWER = """async ([known, card, worker]) => {
  const { askedEngine } = await import("/asking.js");
  const holder = document.getElementById("engine");
  if (worker) holder.dataset.worker = worker;
  else delete window.Worker;
  const start = performance.now();
  const asked = askedEngine(holder);
  await asked.prices(known);
  const first = performance.now();
  await asked.line(known, card);
  return [first - start, performance.now() - first];
}"""
WORK_OF_A_WORKER = """async (known) => {
  const { askedEngine } = await import("/asking.js");
  const holder = document.getElementById("engine");
  holder.dataset.worker = "/analysis_worker.js";
  const asked = askedEngine(holder);
  await asked.prices(known);
  const times = [];
  for (let time = 0; time < 20; time++) {
    const start = performance.now();
    await asked.prices(known);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}"""
SLOW = 6


def main(deals: int) -> None:
    """A table, a row a kind of question."""
    engine_of_thread()
    print("| question | deals | nodes | p50 | p95 | worst, ms |\n|---|---:|---:|---:|---:|---:|")
    arrastres = [known_arrastre(random.Random(f"bench {n}")) for n in range(deals)]
    row("arrastre of four, every card of the hand", arrastres, card_prices_or_none)
    row("… value", arrastres, position_value_or_none)
    row("… can a side reach 60", arrastres, lambda known: can_make_points(known, "A", 60))
    for name in ("guinyot", "escuela", "baraja-francesa"):
        row(
            f"… every card, `{name}`",
            some(deals, profile_by_id_at_edition(name).options(4)),
            card_prices_or_none,
        )
    row("two players, every card", some(deals, Options(players=2)), card_prices_or_none)
    row("three players, every card", some(deals, Options(players=3)), card_prices_or_none)
    few = max(deals // 10, 1)
    earlier = some(few, Options(), stock_rounds=1)
    row(
        "one trick earlier, stock known",
        earlier,
        lambda one: card_prices_or_none(one, most_nodes=WHOLE),
    )
    whole = some(max(deals // 30, 1), profile_by_id_at_edition("sin-mazo").options(4), tricks=10)
    row(
        "`sin-mazo`, ten tricks, value",
        whole,
        lambda one: position_value_or_none(one, most_nodes=WHOLE),
    )
    row("… every card", whole, lambda one: card_prices_or_none(one, most_nodes=WHOLE_DEAL_NODES))
    in_node(arrastres)
    in_chromium(arrastres)
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
        took.append((time.process_time() - start, engine_of_thread().sheet.nodes))
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
        (program, "--input-type=module", "-e", TIMER, static_file_path("replay/engine.js"), module),
        input=json.dumps([known.data() for known in positions]),
        check=True,
        capture_output=True,
        text=True,
    )
    shown("arrastre of four, every card, node", json.loads(said.stdout))


def in_chromium(positions: list[KnownPosition]) -> None:
    """The same bytes in Chromium, and how soon a page answers on a tablet six times as slow."""
    questions = [known.data() for known in positions]
    with running() as browser:
        with bench_page(browser) as page:
            shown(
                "arrastre of four, every card, Chromium by the clock",
                page.evaluate(IN_CHROMIUM, [questions, 3]),
            )
        (long,) = some(1, profile_by_id_at_edition("sin-mazo").options(4), tricks=10)
        with bench_page(browser) as page, bench_page(browser, slow=SLOW) as slow:
            asked = [one.evaluate(WORK_OF_A_WORKER, long.data()) for one in (page, slow)]
        print(f"\na Worker of a slow page: {asked[1] / asked[0]:.1f} times as long", flush=True)
        for worker, times in (("/analysis_worker.js", 1), ("", SLOW)):
            where = "in a Worker" if worker else "on the page"
            first, line = zip(*answers(browser, positions[:12], worker, times), strict=True)
            print(f"{where}, {times} times slow, ms: first answer {spread(first)}", end=", ")
            print(f"then a line {spread(line)}", flush=True)


def answers(
    browser: Browser, positions: list[KnownPosition], worker: str, slow: int
) -> Iterator[tuple[float, float]]:
    """Milliseconds to the first answer of a new page, and from it to a line; the least of three."""
    for known in positions:
        data, times = known.data(), []
        for _ in range(3):
            with bench_page(browser, slow=slow) as page:
                card = data["hands"][known.seat_to_play][0]
                times.append(page.evaluate(FIRST_ANSWER, [data, card, worker]))
        yield min(first for first, _ in times), min(line for _, line in times)


def spread(took: Iterable[float]) -> str:
    """Median and worst."""
    ms = sorted(took)
    return f"{ms[len(ms) // 2]:.0f} (worst {ms[-1]:.0f})"


@contextmanager
def bench_page(browser: Browser, slow: int = 1) -> Iterator[Page]:
    """A new page with the engine in it, as that of a replay; ``slow``: how many times slower."""
    context = browser.new_context()
    html = PAGE.format(wasm_base64())

    def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if not name:
            route.fulfill(body=html, content_type="text/html")
        else:
            script = static_file_path(f"replay/{name}").read_text("utf-8")
            route.fulfill(body=script, content_type="text/javascript")

    context.route("**/*", answer)
    page = context.new_page()
    page.goto("http://bench.invalid/")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
    yield page
    context.close()


def evening(arrastres: int = 32) -> None:
    """Every card of an evening: one after the other is laid, and priced before."""
    r, cards, start = random.Random(7), 0, time.process_time()
    for number in range(arrastres):
        known = known_arrastre(random.Random(f"evening {number}"))
        while known is not None:
            found = card_prices_or_none(known)
            assert found is not None
            cards += 1
            known = position_after_card_or_none(known, r.choice(cards_in(found.lawful)))
    took = time.process_time() - start
    print(f"\nan evening of {arrastres} arrastres, {cards} cards: {took:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1000)
