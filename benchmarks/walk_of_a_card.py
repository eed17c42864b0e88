"""Files and functions of ours that record one card: ``python -m benchmarks.walk_of_a_card``.

One ``POST …/acts`` at a table that plays in no tournament. It counts calls in a worker, from the
request to the response, without imports; the views follow the log in another process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import FrameType

from api.server import wiring
from tests.support.servers.http_table import HttpTable, card, deal, pinta

ROOT = Path(__file__).resolve().parent.parent
OURS = tuple(f"{ROOT / name}/" for name in ("referee", "api", "projections"))


def walked(act: Callable[[], object]) -> Counter[tuple[str, str]]:
    """Calls by file and function while something is done."""
    found: Counter[tuple[str, str]] = Counter()

    def look(frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS):
            found[str(Path(code.co_filename).relative_to(ROOT)), code.co_qualname] += 1

    sys.setprofile(look)
    try:
        act()
    finally:
        sys.setprofile(None)
    return found


def walk_of_a_card(folder: Path) -> Counter[tuple[str, str]]:
    """Calls by file and function while one card is recorded, at a new table in this folder.

    The shortest walk of three: once a second the clock is compared with the log as well.
    """
    made = wiring.app(folder, with_projector=False)
    with closing(HttpTable(folder, made)) as table:
        partida = table.partida()
        table.record(partida, 0, deal(), pinta(), card("A1", "AC"))
        plays = (card("B1", "3C"), card("A2", "4C"), card("B2", "5C"))
        walks = [
            walked(partial(table.record, partida, version, play))
            for version, play in enumerate(plays, 3)
        ]
        return min(walks, key=Counter.total)


def main() -> None:
    """Print each file with its calls, then the sums."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--functions", action="store_true", help="each function too")
    args = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = walk_of_a_card(Path(folder))
    files: Counter[str] = Counter()
    for (file, function), calls in sorted(found.items()):
        files[file] += calls
        if args.functions:
            print(f"{calls:6}  {file}  {function}")
    for file, calls in sorted(files.items()):
        print(f"{calls:6}  {file}")
    print(f"{sum(files.values())} calls of {len(found)} functions in {len(files)} files")


if __name__ == "__main__":
    main()
