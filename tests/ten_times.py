"""Every test that drives a browser, ten times without one failure: hours, so it goes on where it was.

    .venv/bin/python tests/ten_times.py

Runs count only for one state of the program and its tests, and all of them begin again after a
failure. The count is kept in ``.ten``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".ten"
TIMES = 10
LOOKED_AT = ("api", "referee", "projections", "tests", "gunicorn.conf.py", "pyproject.toml")
RUN = ("-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-m", "page")


def git(*words: str) -> str:
    return subprocess.run(
        ("git", *words), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main() -> int:
    """Run until there are ten; 1 after a failure."""
    if git("status", "--porcelain", "--", *LOOKED_AT):
        print("commit first: the runs are to be of one state", file=sys.stderr)
        return 1
    state = git("ls-tree", "HEAD", *LOOKED_AT)
    kept: Any = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    runs = kept.get("runs", []) if kept.get("state") == state else []
    while len(runs) < TIMES:
        begun = time.time()
        if subprocess.run((sys.executable, *RUN), cwd=ROOT, check=False).returncode:
            KEPT.unlink(missing_ok=True)
            print("a test failed: the count begins again", file=sys.stderr)
            return 1
        runs = [*runs, round(time.time() - begun)]
        KEPT.write_text(json.dumps({"state": state, "runs": runs}))
        print(f"{len(runs)} of {TIMES} without a failure: {runs[-1]} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
