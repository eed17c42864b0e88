"""Faults planted in the scripts of the pages, one after another, and the test that finds each.

``python -m tests.javascript.planted_faults [NUMBER ...] [FILE ...]``: of some faults, by some files.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.support.places import ROOT
from tests.support.planting import first_failure

LINES = Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()
# A file that is generated from scripts differs with each of them: that finds nothing.
CHOSEN = ("-n", "2", "-k", "not what_its_sources_give")
NODE = re.compile(r"\.mjs\n|node_page|NodePage|page_in_node")


class Fault(NamedTuple):
    """A line of the list: a text that a script has once, the text instead of it, what is seen."""

    script: str
    before: str
    after: str
    seen: str


def tests_of(script: Path) -> list[Path]:
    """Test files of all rooms that use a script, and of the manual; the nearest first."""
    room, near = script.parts[1], {script.stem, script.parent.name}
    shown = [*ROOT.glob("api/**/*.js"), *ROOT.glob("api/**/*.html")]
    using = [one for one in shown if f"{room}/{script.name}" in one.read_text("utf-8")]
    found = [
        (each != room, not near & {*re.split(r"\W|_", str(one))}, one)
        for each in {room, "help", *(one.relative_to(ROOT).parts[1] for one in using)}
        for kind in ("*.test.mjs", "test_*.py")
        for one in ROOT.glob(f"tests/api/{each}/**/{kind}")
    ]
    return [one for *_, one in sorted(found)]


def failing(*asked: str | Path) -> str:
    """The first test that fails; empty if none does."""
    return first_failure(ROOT, *CHOSEN, *asked)


def finder(fault: Fault, files: list[Path]) -> str:
    """The first test that fails with a fault and passes without it: of node, else of a browser."""
    in_node = [one for one in files if NODE.search(f"{one}\n{one.read_text()}")]
    path, text = ROOT / fault.script, (ROOT / fault.script).read_bytes()
    for kind, among in (("not page", in_node), ("page", files)):
        try:
            path.write_bytes(text.replace(fault.before.encode(), fault.after.encode()))
            found = failing("-m", kind, *among) if among else ""
        finally:
            path.write_bytes(text)
        if found and not failing(found):
            return found
    return ""


def main(asked: list[str]) -> None:
    """Plant each fault, with a line of what found it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    faults = [Fault(*line.split("\t")) for line in LINES]
    moved = [one for one in faults if (ROOT / one.script).read_text().count(one.before) != 1]
    changed = ("git", "diff", "--quiet", "HEAD", "--", *(one.script for one in faults))
    if moved or subprocess.run(changed, cwd=ROOT, check=False).returncode:
        sys.exit(f"not once in its script, or in a script that is not committed: {moved}")
    chosen = [int(one) for one in asked if one.isdigit()] or range(1, len(faults) + 1)
    files = [ROOT / one for one in asked if not one.isdigit()]
    by = {}
    for number in chosen:
        fault = faults[number - 1]
        by[number] = finder(fault, files or tests_of(Path(fault.script)))
        print(f"{number}. {fault.seen}: {by[number] or 'NOT FOUND'}", flush=True)
    print(f"{sum(map(bool, by.values()))} of {len(by)} found")


if __name__ == "__main__":
    main(sys.argv[1:])
