"""How much longer than usual the tests over histories are to run: ``GUINOTE_RUNS=50 pytest …``."""

from __future__ import annotations

import os

RUNS = int(os.environ.get("GUINOTE_RUNS", "1"))
