"""Mutation score of ``referee/rules`` after a run of mutmut: a table, and 1 below the bound."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from mutmut.stats import status_by_exit_code

BOUND = 95.0
CAUGHT = {"killed", "timeout", "segfault", "caught by type check"}
MADE = Path("mutants/referee/rules")


def main() -> int:
    """Table of the figures of every file that has mutants."""
    rows = []
    for meta in sorted(MADE.glob("*.py.meta")):
        codes = json.loads(meta.read_text(encoding="utf-8")).get("exit_code_by_key", {})
        found = Counter(status_by_exit_code[code] for code in codes.values())
        if found:
            caught = sum(found[status] for status in CAUGHT)
            rows.append((meta.name.removesuffix(".meta"), found.total(), caught))
    if not rows:
        sys.exit("no mutants: run `make mutants`")
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    print("| file | mutants | killed | not killed | score |")
    print("|---|---:|---:|---:|---:|")
    for name, made, caught in rows:
        print(f"| {name} | {made} | {caught} | {made - caught} | {100 * caught / made:.1f} % |")
    _, made, caught = rows[-1]
    return int(100 * caught / made < BOUND)


if __name__ == "__main__":
    sys.exit(main())
