"""Every test that drives a browser, ten times without one failure: hours, so it goes on where it was.

    .venv/bin/python tests/ten_times.py

Runs count only for one state of the program and its tests, and all of them begin again after a
failure. The count is kept with the project, so another machine goes on with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

from tests.support.places import ROOT

KEPT = ROOT / "docs" / "browser_ten.json"
TIMES = 10
FAILED = 1
"""What pytest says of a test that failed, and not of a run that was stopped."""
LOOKED_AT = ("api", "referee", "projections", "tests", "gunicorn.conf.py", "dev.py")
LOOKED_AT += ("pyproject.toml", "requirements.lock")
RUN = ("-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-m", "page")


def git(*words: str) -> str:
    return subprocess.run(
        ("git", *words), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def state_now() -> str:
    """What is looked at, as committed; empty if it is not."""
    is_changed = git("status", "--porcelain", "--", *LOOKED_AT)
    return "" if is_changed else git("ls-tree", "HEAD", *LOOKED_AT)


def main() -> int:
    """Run until there are ten; 1 if something failed or changed before."""
    state = state_now()
    if not state:
        print("commit first: the runs are to be of one state", file=sys.stderr)
        return 1
    kept: Any = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    runs = kept.get("seconds", []) if kept.get("state") == state.splitlines() else []
    while len(runs) < TIMES:
        begun = time.time()
        ended = subprocess.run((sys.executable, *RUN), cwd=ROOT, check=False).returncode
        if ended == FAILED:
            KEPT.unlink(missing_ok=True)
        if ended or state != state_now():
            print("not counted: a test failed, or this is not one state", file=sys.stderr)
            return 1
        runs = [*runs, round(time.time() - begun)]
        KEPT.write_text(json.dumps({"seconds": runs, "state": state.splitlines()}, indent=1) + "\n")
        print(f"{len(runs)} of {TIMES} without a failure: {runs[-1]} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
