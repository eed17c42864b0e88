"""How much longer than usual tests are to run: ``GUINOTE_RUNS=10 pytest …``; ``make long``."""

from __future__ import annotations

import os

LONGER = "GUINOTE_RUNS"
RUNS = int(os.environ.get(LONGER, "1"))
IS_LONG = RUNS > 1
"""Whether everything is looked at in every language, and on every screen."""
PARTS = range(10 * RUNS if IS_LONG else 8)
"""Parts of 250 histories, which the processes share: 2,000, or 25,000 in ten times as long."""
