"""The checks of the modules of the pages: types by tsc, style by eslint, both installed by npm."""

from __future__ import annotations

import fcntl
import hashlib
import subprocess

from dev import node
from tests.support.places import ROOT

NO_NODE = "NO NODE: the modules of the pages were not checked; install node 20 and npm"
HERE = ROOT / "tests" / "javascript"
PROGRAMS = HERE / "node_modules"
CHECKED = ("api", "docs/verifier", "tests/browser")


def found() -> bool:
    """Whether node and npm are on the machine."""
    return node() is not None


def install() -> None:
    """Install the locked packages once, under a lock between processes."""
    stamp = PROGRAMS / ".stamp"
    now = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    PROGRAMS.mkdir(exist_ok=True)
    with (HERE / ".npmrc").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != now:
            subprocess.run(("npm", "ci"), cwd=HERE, check=True, capture_output=True, text=True)
            stamp.write_text(now)


def said(program: str, *words: str) -> str:
    """Output of a program; empty if it finds nothing."""
    command = (PROGRAMS / ".bin" / program, *words)
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    return done.stdout + done.stderr
