"""Mutation score of ``referee/rules`` after both runs. Exits with 1 below the bound."""

from __future__ import annotations

import sys

from tests.support.mutation.second_look import CAUGHT, looked, verdicts

BOUND = 95.0


def main() -> int:
    """Print figures of every file with mutants, and the surviving mutants."""
    again = looked()
    rows, survivors = [], []
    for name, by_mutant in verdicts().items():
        alive = [m for m, status in by_mutant.items() if status not in CAUGHT and not again.get(m)]
        rows.append((name, len(by_mutant), len(alive)))
        survivors += alive
    if not rows:
        sys.exit("no mutants: run `make mutants`")
    rows.append(("all", sum(row[1] for row in rows), len(survivors)))
    print("| file | mutants | killed | not killed | score |")
    print("|---|---:|---:|---:|---:|")
    for name, made, alive in rows:
        killed = made - alive
        print(f"| {name} | {made} | {killed} | {alive} | {100 * killed / made:.1f} % |")
    print("\nsurvivors (in `mutants/`, `mutmut show NAME` prints the change):")
    print("\n".join(survivors) or "none")
    _, made, alive = rows[-1]
    return int(100 * (made - alive) / made < BOUND)


if __name__ == "__main__":
    sys.exit(main())
