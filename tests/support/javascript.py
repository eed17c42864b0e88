"""The modules of the pages in node, and their checks: tsc, eslint and stylelint, installed by npm."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from dev import node
from tests.support.places import ROOT
from tests.support.waiting import LONGEST_S, has_input, wait_for

NO_NODE = "NO NODE: the modules of the pages were not checked; install node 20 and npm"
HERE = ROOT / "tests" / "javascript"
CLIENTS = ROOT / "tests" / "clients"


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


NODE = ("node", "--import", (HERE / "node" / "statics.mjs").as_uri())


def require() -> None:
    """Install what node needs; without node a chosen file is skipped, and in CI it is a failure."""
    if found():
        install()
    elif os.environ.get("CI"):
        pytest.fail(NO_NODE)
    else:
        pytest.skip(NO_NODE)


class NodePage:
    """A process of node with a page that no browser shows; scripts are run as in one.

    ``inside``: words before its command, as those that run it in a namespace.
    """

    def __init__(self, *inside: str) -> None:
        require()
        self._process = subprocess.Popen(
            (*inside, *NODE, HERE / "node" / "asked.mjs"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Value of a script, or what its function returns; it is waited for."""
        asked, answers = self._process.stdin, self._process.stdout
        assert asked
        assert answers
        asked.write(json.dumps({"script": script, "given": given}) + "\n")
        asked.flush()
        assert has_input(answers, LONGEST_S), f"no answer within {LONGEST_S} s to {script}"
        said = json.loads(answers.readline())
        assert "error" not in said, said["error"]
        return said["answer"]

    def wait_for(self, script: str, given: Any = None) -> Any:
        """Value of a script, once that is true."""
        return wait_for(lambda: self.evaluate(script, given), script)


@contextmanager
def node_page() -> Iterator[NodePage]:
    """A new page in a process of its own; modules are imported from ``/static/``."""
    with closing(NodePage()) as page:
        yield page


_LEAVE = f"""async () => (await import("{(HERE / "node" / "site.mjs").as_uri()}")).leaveService()"""
MOST_PAGES = 20
"""Pages that a process shows before it is ended: node never forgets the modules of a page."""
_free: list[NodePage] = []


@contextmanager
def kept_node() -> Iterator[NodePage]:
    """A process of node for pages of a service: one that has shown others, or a new one."""
    node = _free.pop() if _free else NodePage()
    is_free = False
    try:
        yield node
        is_free = node.evaluate(_LEAVE) < MOST_PAGES
    finally:
        if is_free:
            _free.append(node)
        else:
            node.close()


@atexit.register
def _close_free() -> None:
    for one in _free:
        one.close()


class ModuleTests(pytest.File):
    """A file of tests for ``node --test``, as one item."""

    def collect(self) -> Iterator[pytest.Item]:
        yield ModuleTest.from_parent(self, name="node")


class ModuleTest(pytest.Item):
    """All tests of such a file."""

    def runtest(self) -> None:
        require()
        words = ("--test", "--test-force-exit", "--test-reporter=spec", str(self.path))
        done = subprocess.run((*NODE, *words), cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
