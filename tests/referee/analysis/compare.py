"""More endings by minimax and by the engine: ``python -m tests.referee.analysis.compare [ENDINGS]``.

They are others than the frozen ones. The last line says how many were compared, and how many differed.
"""

from __future__ import annotations

import sys

from referee.analysis.engine import Engine
from tests.support.analysis.endings import ending

FIRST = 1_000_000


def main(count: int) -> int:
    """Number of endings that differ."""
    engine, differing = Engine(), 0
    for number in range(FIRST, FIRST + count):
        one = ending(number)
        tried, asked = one.by_trying(), one.by(engine)
        if tried != asked:
            differing += 1
            print(f"ending {number}: {asked} instead of {tried}", flush=True)
    print(f"{count} endings compared, {differing} differ")
    return differing


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 10_000) > 0)
