"""The checks of the pages: types by tsc, style by eslint, sheets by stylelint, installed by npm."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from pathlib import Path

from dev import node
from tests.support.places import ROOT

NO_NODE = "NO NODE: the modules of the pages were not checked; install node 20 and npm"
HERE = ROOT / "tests" / "javascript"
CLIENTS = ROOT / "tests" / "clients"
CHECKED = ("api", "docs/verifier", "tests/browser")


def found() -> bool:
    """Whether node and npm are on the machine."""
    return node() is not None


def install(folder: Path = HERE) -> None:
    """Install the locked packages of a folder once, under a lock between processes."""
    programs = folder / "node_modules"
    stamp = programs / ".stamp"
    now = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    programs.mkdir(exist_ok=True)
    with (folder / ".npmrc").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != now:
            subprocess.run(("npm", "ci"), cwd=folder, check=True, capture_output=True, text=True)
            stamp.write_text(now)


def said(program: str, *words: str, folder: Path = HERE, given: str = "") -> str:
    """Output of a program that is installed in a folder; empty if it finds nothing."""
    command = (folder / "node_modules" / ".bin" / program, *words)
    done = subprocess.run(
        command,
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        input=given,
        env={**os.environ, "BROWSERSLIST_IGNORE_OLD_DATA": "yes"},  # locked data grows old
    )
    return done.stdout + done.stderr
