"""Tests run on a program with a planted fault."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x", "-q", "--timeout=120")
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
RAN = {0, 1, 2, 5}
"""Codes of pytest for tests that were run, or could not be collected, or were none."""


def first_failure(where: Path, *asked: str | Path) -> str:
    """The first of these tests that fails in a folder of the program; empty if none does.

    ``asked``: tests, files, and options of pytest.
    """
    done = subprocess.run([*PYTEST, *asked], cwd=where, capture_output=True, text=True, check=False)
    if done.returncode not in RAN:
        sys.exit(done.stdout + done.stderr)
    return next(iter(FAILED.findall(done.stdout)), "")
