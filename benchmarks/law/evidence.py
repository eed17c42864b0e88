"""Evidence of observed deals: whole verdicts, with proof and slips, and one act more; dirty deals.

``.venv/bin/python -m benchmarks.law.evidence``. Processor time, best of the rounds.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from referee.aggregates.partida import fold
from referee.rules.evidence.sights import Played
from referee.rules.evidence.slips import breach_lines
from referee.rules.evidence.verdicts import Evidence
from referee.rules.profile.options import Options
from referee.table.course import tricks_for_slip_analysis
from referee.table.verdicts import judge_acts
from tests.support.records.dealt_out import Player, opened
from tests.support.records.dirty_deals import dirty_deals

DEALS = 60
ROUNDS = 5
DIRTY_DEALS = 1000


def main() -> None:
    """Two tables: medians and the slowest of tidy records, and of dirty ones."""
    options = Options()
    states = []
    for seed in range(DEALS):
        player = Player(options, seed, observed=True)
        player.breaches_left = 2
        player.deal("B2")
        states.append(fold([opened(options), *player.acts]))
    tables = [state.table for state in states]
    courses = [tricks_for_slip_analysis(table, table.all_deals[0]) for table in tables]
    print("| what | median | slowest |\n|---|---:|---:|")
    show("verdicts of a finished deal, rules core", [lambda c=c: breach_lines(c) for c in courses])
    rows = [lambda t=t, s=s: judge_acts(t, s.acts) for t, s in zip(tables, states, strict=True)]
    show("verdicts of a finished deal, with proof and slips", rows)
    free, arrastre = [], []
    for table in tables:
        steps(table.all_deals[0], free, arrastre)
    table_row("inference after one act, draw phase", free)
    table_row("inference after one act, arrastre", arrastre)
    dirty(options)


def dirty(options: Options) -> None:
    """Verdicts with proof and slips of dirty deals, and how many of them needed the count."""
    times, by_count = [], 0
    for seed in range(DIRTY_DEALS):
        state = dirty_deals(options, seed)
        table, acts = state.table, state.standing_acts
        by_count += any(row.by_count for row in judge_acts(table, acts, with_slips=False))
        times.append(min(timed(lambda t=table, a=acts: judge_acts(t, a)) for _ in range(ROUNDS)))
    times.sort()
    p50, p99, worst = (f"{times[at] * 1e3:.1f} ms" for at in (DIRTY_DEALS // 2, -10, -1))
    print("\n| what | p50 | p99 | worst |\n|---|---:|---:|---:|")
    print(f"| verdicts of a dirty deal, with proof and slips | {p50} | {p99} | {worst} |")
    print(f"\n{by_count / DIRTY_DEALS:.1%} of the deals have a breach that only the count proves.")


def steps(deal, free: list[float], arrastre: list[float]) -> None:
    """Times of one act more: its sights, every verdict again, and what is known of every hand."""
    evidence, left = Evidence(), 16
    began = time.process_time()
    for sight in deal.sights:
        evidence.see(sight)
        left -= type(sight).__name__ == "Drew"
        if isinstance(sight, Played):
            evidence.knowledge()
            (free if left > 0 else arrastre).append(time.process_time() - began)
            began = time.process_time()


def show(name: str, runs: list[Callable[[], object]]) -> None:
    """One row: each run is timed alone, the best of some rounds."""
    times = []
    for run in runs:
        best = min(timed(run) for _ in range(ROUNDS))
        times.append(best)
    table_row(name, times)


def timed(run: Callable[[], object]) -> float:
    """Processor seconds of a run."""
    began = time.process_time()
    run()
    return time.process_time() - began


def table_row(name: str, times: list[float]) -> None:
    """Median and slowest in microseconds."""
    print(f"| {name} | {statistics.median(times) * 1e6:,.0f} µs | {max(times) * 1e6:,.0f} µs |")


if __name__ == "__main__":
    main()
